#pragma once

// Point-spread functions that depend on the distance from the centre alone, integrated over square texels.

#include <functional>
#include <vector>

#include "bloom/psf/frame.h"

namespace aureole {

/// For each channel, the share of all light that falls farther than an angle (degrees) from the centre: 1 at 0, and
/// falling to the share that never meets the frame.
using RadialTail = std::function<PsfColour(double)>;

/// A tail tabulated over the logarithm of the angle, for fast evaluation; cubic between the nodes, 1 - k r^2 below the
/// first.
class TailTable {
public:
    /// From `nearest`, an angle well inside of the smallest feature, to `farthest`.
    TailTable(const RadialTail& tail, double nearest, double farthest, std::size_t nodes = 8192);
    PsfColour operator()(double degrees) const;

private:
    double logNearest_;
    double nodesPerLog_;
    std::vector<PsfColour> values_;
};

/// The light in each texel. What a polygon receives is, by Gauss's theorem in polar coordinates, a sum over its edges
/// of 1/(2 pi) times the integral of the tail over the angle that the edge spans; so a peak much smaller than a texel
/// falls whole into the centre, rings finer than a texel do not alias, and the sum over any block of texels does not
/// depend on how it is divided.
HalfPsf radialPsf(const PsfFrame& frame, const TailTable& tail);

} // namespace aureole
