#include "gpu/memory_checks.h"

namespace aureole::gpu {

namespace {

/// Function-local, so that it is there before whatever static object sets it.
MakeMemoryChecks& current() {
    static MakeMemoryChecks make = nullptr;
    return make;
}

} // namespace

void setMemoryChecks(MakeMemoryChecks make) {
    current() = make;
}

MakeMemoryChecks memoryChecks() {
    return current();
}

} // namespace aureole::gpu
