#pragma once

// The Fraunhofer diffraction pattern of any aperture: the squared magnitude of its Fourier transform.
//
// Lengths in the pattern are in units of wavelength / diameter, so that one pattern serves all wavelengths. The pattern
// is held as a summed-area table, so that the light in any rectangle is four look-ups, however fine the fringes are: no
// texel aliases. It is a pyramid, whose levels reach twice as far each with twice the cell.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace aureole {

/// Draws the aperture with that many samples across its diameter, as drawAperture does.
using MaskAtResolution = std::function<std::vector<double>(std::uint32_t samples)>;

class DiffractionPattern {
public:
    /// `cell` is the detail wanted in the middle (an eighth at most), `reach` the largest coordinate that will be asked
    /// for. The pattern is averaged over wavelengths from w / exp(logBand) to w, as for a band of light whose longest
    /// wavelength is w.
    ///
    /// A transform of 4096 samples resolves up to 672 wavelength / diameter. Beyond, the pattern is continued in each
    /// direction by the power law that it follows up to there (for an aperture with sharp edges, light falls with the
    /// third power of the angle, streaks and rings alike): streaks widen by 1 / 672 of their length from there on.
    DiffractionPattern(const MaskAtResolution& mask, double cell, double reach, double logBand);

    /// The share of the light in the rectangle between the centre and (x, y), for each x = firstX + k * step: negative
    /// where x and y differ in sign.
    void cumulative(double firstX, double step, double y, std::span<double> row) const;

private:
    static constexpr std::int64_t kReach = 1344; ///< cells of a level, to each side

    /// Light per unit area at the nodes of a grid, x from 0, y to both sides.
    struct Density {
        double cell = 1.0;
        std::vector<double> values;

        explicit Density(double size);
        double& at(std::int64_t x, std::int64_t y) { return values[index(x, y)]; }
        double at(std::int64_t x, std::int64_t y) const { return values[index(x, y)]; }
        static std::size_t index(std::int64_t x, std::int64_t y) {
            return static_cast<std::size_t>(x * (2 * kReach + 1) + y + kReach);
        }
    };
    /// The light between the centre and each node of a quadrant; [0] has y >= 0, [1] y <= 0. Where a finer level
    /// reaches, there is none, so that the levels add up.
    struct Level {
        double cell = 1.0;
        std::array<std::vector<double>, 2> sums; ///< row by row

        /// Adds the light at x, linear between the nodes. Nodes up to `inner` are known to be zero.
        void addRow(double firstX, double step, double y, double inner, std::span<double> row) const;
    };

    /// `peak` is the density at the centre, the same for all resolutions of a mask.
    static Density transformed(const std::vector<double>& mask, std::uint32_t samples, double peak);
    static Density smeared(Density density, double logBand);
    /// What the light falls to when the angle doubles.
    static double octaveOf(const Density& density);
    static Density continued(const Density& finer, double octave);
    void addLevel(const Density& density);

    std::vector<Level> levels_;
};

} // namespace aureole
