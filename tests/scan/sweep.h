#pragma once

#include <cstddef>

#include "full_sweep.h"

namespace aureole::scan {

/// The size of a test's largest array.
inline std::size_t largestSweep(std::size_t quick, std::size_t full) {
    return fullSweep() ? full : quick;
}

} // namespace aureole::scan
