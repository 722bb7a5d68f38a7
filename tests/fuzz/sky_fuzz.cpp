// Files of figures for skies: Mitsuba's tensors.

#include <array>
#include <cmath>

#include "fuzz.h"
#include "sky/mitsuba_tensors.h"

namespace aureole::fuzz {

namespace {

void requireSane(std::span<const double> values) {
    for (const double value : values) {
        require(std::abs(value) <= 1e30, "figures are finite");
    }
}

} // namespace

void runInput(Bytes input) {
    const std::filesystem::path file = written("figures", input);
    std::array<double, 6> values{};
    goesThrough(file.string(), [&] {
        const sky::MitsubaTensors tensors(file);
        tensors.read("sun", {2, 3}, values);
        requireSane(values);
    });
}

} // namespace aureole::fuzz
