#pragma once

// Interpolation of a compact spectrum: a kernel of K texels, transformed at a period M of its own, read at the
// frequencies of a longer period. Knows no device.
//
// Weighting the compact frequencies around p M / P by a filter phi is, in space, to repeat the kernel with the period M
// and to multiply it by the filter's transform Phi(n / M): where that is not a box, copies of the kernel stay visible
// at multiples of M, and its own tails are vignetted.
//
// BloomResampling::Bilinear is a tent of two frequencies, as texture units have it: Phi is sinc^2. Kaiser weights six
// frequencies by a Kaiser-Bessel window, of a kernel divided by the window's transform: tails are not vignetted, and
// copies vanish as the compact period grows beyond the kernel. After Jackson et al., "Selection of a Convolution
// Function for Fourier Inversion Using Gridding", 1991.

#include <cstdint>
#include <vector>

#include "settings/bloom.h"

namespace aureole {

/// The frequencies that each one is interpolated from, along an axis.
std::uint32_t tapCount(BloomResampling filter);

/// Compact periods over texels that suit the filter: 1 (Bilinear: more memory helps it little) and 2 (Kaiser).
double usualOversampling(BloomResampling filter);

/// A filter between two periods along an axis. `oversampling` is compact period over texels, 1 to 2.
class Resampling {
public:
    Resampling(BloomResampling filter, double oversampling);

    /// What a texel is multiplied by before the transform: one over Phi (which is 1 at the centre), at its distance
    /// from the centre in compact periods, -1/2 to 1/2.
    double compensation(double distance) const;

    /// The compact frequencies that a frequency, 0 to period - 1, is made of: `first` and those after it, modulo the
    /// compact period (at least 8). The weights sum to one.
    struct Taps {
        std::uint32_t first;
        std::vector<double> weights;
    };
    Taps taps(std::uint32_t frequency, std::uint32_t period, std::uint32_t compactPeriod) const;

private:
    /// The Kaiser-Bessel window, up to a factor, from its middle (0) to its edge (1).
    double window(double reach) const;

    BloomResampling filter_;
    double shape_ = 0.0; ///< beta of the window
};

} // namespace aureole
