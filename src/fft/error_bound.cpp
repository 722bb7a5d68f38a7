#include "fft/error_bound.h"

#include <cmath>

namespace aureole::fft {

double errorBound(std::uint32_t length) {
    constexpr double kUnitRoundoff = 0x1p-24;
    return 1.2 * kUnitRoundoff * (2 * std::sqrt(std::log2(static_cast<double>(length))) - 1);
}

} // namespace aureole::fft
