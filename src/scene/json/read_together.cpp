#include "scene/json/read_together.h"

#include <cstdint>

#include "core/threads/parallel.h"

namespace aureole {

void ReadOutcome::tell() const {
    for (const LogLine& line : log) {
        logMessage(line.level, line.text);
    }
    if (error) {
        std::rethrow_exception(error);
    }
}

std::vector<ReadOutcome> readTogether(std::size_t count, const std::function<void(std::size_t)>& read) {
    std::vector<ReadOutcome> outcomes(count);
    parallelFor(static_cast<std::int64_t>(count), 1, [&](std::int64_t index) {
        const auto i = static_cast<std::size_t>(index);
        HeldLog held;
        try {
            read(i);
        } catch (...) {
            outcomes[i].error = std::current_exception();
        }
        outcomes[i].log = held.take();
    });
    return outcomes;
}

} // namespace aureole
