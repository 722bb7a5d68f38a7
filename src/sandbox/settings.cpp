#include "sandbox/settings.h"

#include "core/host_memory.h"

namespace aureole::sandbox {

namespace {

Settings current; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

} // namespace

std::uint64_t defaultMemory() {
    return hostMemoryBytes() / 4 * 3;
}

void configure(const Settings& settings) {
    current = settings;
}

const Settings& settings() {
    return current;
}

} // namespace aureole::sandbox
