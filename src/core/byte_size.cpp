#include "core/byte_size.h"

#include <array>

#include <fmt/format.h>

namespace aureole {

std::string bytesText(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    constexpr double kStep = 1024.0;
    double size = static_cast<double>(bytes) / kStep;
    std::size_t unit = 0;
    while (size >= kStep && unit + 1 < kUnits.size()) {
        size /= kStep;
        ++unit;
    }
    // "1020 GiB" and not "1.02e+03 GiB"
    return size >= 100.0 ? fmt::format("{:.0f} {}", size, kUnits[unit]) : fmt::format("{:.3g} {}", size, kUnits[unit]);
}

} // namespace aureole
