#include "core/host_memory.h"

#include <limits>

#include <unistd.h>

namespace aureole {

std::uint64_t hostMemoryBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0) {
        return std::numeric_limits<std::uint64_t>::max(); // not known: nothing is too much
    }
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes);
}

} // namespace aureole
