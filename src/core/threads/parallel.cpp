#include "core/threads/parallel.h"

#include <future>
#include <vector>

namespace aureole {

void concurrently(std::initializer_list<std::function<void()>> tasks) {
    if (tasks.size() == 0) {
        return;
    }
    std::vector<std::future<void>> others; // each waits where it goes
    others.reserve(tasks.size() - 1);
    for (const auto* task = tasks.begin() + 1; task != tasks.end(); ++task) {
        others.push_back(std::async(std::launch::async, *task));
    }
    (*tasks.begin())();
    for (std::future<void>& other : others) {
        other.get();
    }
}

} // namespace aureole
