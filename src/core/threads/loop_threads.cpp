#include "core/threads/loop_threads.h"

#include <omp.h>

namespace aureole {

LoopThreads::LoopThreads(unsigned count)
    : before_(omp_get_max_threads()) {
    omp_set_num_threads(static_cast<int>(count));
}

LoopThreads::~LoopThreads() {
    omp_set_num_threads(before_);
}

unsigned loopThreads() {
    return static_cast<unsigned>(omp_get_max_threads());
}

} // namespace aureole
