#pragma once

// The grid of a generated point-spread function: texels of a fixed angle, and what all generators do with them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bloom/kernel.h"

namespace aureole {

/// The texels of a kernel. Texel (floor(width / 2), floor(height / 2)) is the centre; offsets count texels from there.
struct PsfFrame {
    std::uint32_t width = 513;
    std::uint32_t height = 513;
    double degreesPerPixel = 0.04;

    /// Throws Error (BadInput) for no texels, more than 16384 a side, or an angle that is not above 0 and below 180.
    void check() const;
    /// The largest offset on each axis, to either side.
    std::int64_t reachX() const { return width / 2; }
    std::int64_t reachY() const { return height / 2; }
    /// The angle from the centre to the farthest corner, in degrees.
    double radius() const;
    /// Fades light out towards the ellipse that fits into the frame, whose edge would otherwise show as a rectangle
    /// around a bright light: 1 up to half of the way, then a raised cosine.
    double fade(std::int64_t x, std::int64_t y) const;
};

/// R, G, B.
using PsfColour = std::array<double, 3>;

/// The texels of a point-spread function that is the same when turned by half a turn, as all generated ones are. So
/// only offsets y >= 0 are kept, of them all x.
class HalfPsf {
public:
    explicit HalfPsf(const PsfFrame& frame);

    const PsfFrame& frame() const { return frame_; }
    std::int64_t rows() const { return frame_.reachY() + 1; }
    /// The colour at an offset with 0 <= y <= reachY and |x| <= reachX.
    PsfColour& at(std::int64_t x, std::int64_t y) { return texels_[index(x, y)]; }
    const PsfColour& at(std::int64_t x, std::int64_t y) const { return texels_[index(x, y)]; }
    /// The colour at any offset with y >= 0: none outside of the frame.
    PsfColour lightAt(std::int64_t x, std::int64_t y) const;

    /// What each channel sums to over the texels of the frame, after fading where that is asked for.
    PsfColour sums(bool faded = false) const;
    /// The kernel, after fading. `core` is the part of the light that stays sharp, whose frame may be smaller, or
    /// nullptr: what the frame cuts off and the fading takes is given back to it, so that the rest does not depend on
    /// the size of the frame. Without one, each channel is scaled. Each channel sums to one either way.
    BloomKernel toKernel(const HalfPsf* core = nullptr) const;

private:
    std::size_t index(std::int64_t x, std::int64_t y) const {
        return static_cast<std::size_t>(y * (2 * frame_.reachX() + 1) + x + frame_.reachX());
    }

    PsfFrame frame_;
    std::vector<PsfColour> texels_;
};

} // namespace aureole
