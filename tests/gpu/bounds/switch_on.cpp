// Linked as an object, so that every program of tests has the checks without naming them.

#include "gpu_test/bounds/bounds_checks.h"

namespace aureole::gpu {

namespace {

std::unique_ptr<MemoryChecks> makeBoundsChecks(Context& context) {
    return std::make_unique<BoundsChecks>(context);
}

const bool kSet = [] {
    setMemoryChecks(makeBoundsChecks);
    return true;
}();

} // namespace

} // namespace aureole::gpu
