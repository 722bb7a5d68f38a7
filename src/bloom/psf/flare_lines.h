#pragma once

// The needles of the ciliary corona: how scattered light gathers in lines around the centre.

#include <cstdint>
#include <vector>

#include "bloom/psf/frame.h"

namespace aureole {

/// The wavelength for which the angles of the eye's pattern are given; those of other wavelengths are in proportion.
inline constexpr double kReferenceNanometres = 568.0;

/// A factor for each place and channel, whose mean over every circle around the centre is one. Lines have about the
/// same width everywhere, and lengths and brightness along them that vary at random and grow with the wavelength.
class FlareLines {
public:
    /// `lines` on each side of the centre. `grain` is the finest detail wanted, in degrees.
    FlareLines(std::uint32_t lines, std::uint32_t seed, double grain);
    /// The factor of the lines at a place, x and y in degrees from the centre.
    PsfColour operator()(double x, double y) const;
    /// Beyond this angle there are no lines: the factor is one.
    static double reach();
    /// The width of lines at an angle from the centre, both in degrees.
    static double width(double degrees);

private:
    static constexpr std::size_t kRings = 160;
    static constexpr std::size_t kDirections = 4096; ///< of half a circle

    struct Line;
    static std::vector<Line> makeLines(std::uint32_t count, std::uint32_t seed);
    void fillRing(std::size_t ring, const std::vector<Line>& lines, double grain);

    std::vector<std::array<float, 3>> table_; ///< kDirections factors for each ring
};

} // namespace aureole
