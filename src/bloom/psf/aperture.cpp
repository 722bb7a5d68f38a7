#include "bloom/psf/aperture.h"

#include <algorithm>
#include <cmath>

#include "bloom/psf/airy.h"
#include "bloom/psf/diffraction.h"
#include "bloom/psf/spectrum.h"
#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr std::uint32_t kBands = 48;

/// For each corner of a texel, the light of each channel in the rectangle between it and the centre.
class CornerTable {
public:
    CornerTable(const PsfFrame& frame, double diameterNanometres, const DiffractionPattern& pattern)
        : columns_(2 * frame.reachX() + 2)
        , reach_(frame.reachX() + 1)
        , light_(static_cast<std::size_t>(columns_ * (frame.reachY() + 2))) {
        std::vector<SpectralBand> bands = spectralBands(kBands);
        // The ends of the spectrum, which nobody sees.
        std::erase_if(bands, [](const SpectralBand& band) {
            return *std::max_element(band.weights.begin(), band.weights.end()) < 1e-4;
        });
        const double radians = frame.degreesPerPixel * kPi / 180.0;
        parallelFor(frame.reachY() + 2, 2, [&](std::int64_t row) {
            std::vector<double> shares(static_cast<std::size_t>(columns_));
            PsfColour* const lights = &light_[static_cast<std::size_t>(row * columns_)];
            for (const SpectralBand& band : bands) {
                const double pixel = radians * diameterNanometres / band.to;
                pattern.cumulative((0.5 - static_cast<double>(reach_)) * pixel, pixel,
                                   (static_cast<double>(row) - 0.5) * pixel, shares);
                for (std::size_t column = 0; column < shares.size(); ++column) {
                    for (std::size_t c = 0; c < 3; ++c) {
                        lights[column].at(c) += band.weights.at(c) * shares[column];
                    }
                }
            }
        });
    }

    /// The light of a texel at an offset from the centre, y >= 0.
    double texel(std::int64_t x, std::int64_t y, std::size_t channel) const {
        return at(x + 1, y + 1, channel) - at(x, y + 1, channel) - at(x + 1, y, channel) + at(x, y, channel);
    }

private:
    double at(std::int64_t x, std::int64_t y, std::size_t channel) const {
        return light_[static_cast<std::size_t>(y * columns_ + x + reach_ - 1)].at(channel);
    }

    std::int64_t columns_;
    std::int64_t reach_;
    std::vector<PsfColour> light_;
};

BloomKernel kernelOf(const PsfFrame& frame, double diameterMillimetres, const MaskAtResolution& mask) {
    constexpr double kMiddle = 700.0; // nm: hardly any light has a larger pattern
    frame.check();
    checkApertureDiameter(diameterMillimetres);
    const double diameter = diameterMillimetres * 1e6;
    const double pixel = frame.degreesPerPixel * kPi / 180.0 * diameter;
    const double reach = (static_cast<double>(std::max(frame.reachX(), frame.reachY())) + 0.5) * pixel;
    const DiffractionPattern pattern(mask, 0.25 * pixel / kMiddle, reach / kShortestWavelength,
                                     std::log(kLongestWavelength / kShortestWavelength) / kBands);
    const CornerTable corners(frame, diameter, pattern);
    HalfPsf psf(frame);
    parallelFor(psf.rows(), 16, [&](std::int64_t y) {
        for (std::int64_t x = -frame.reachX(); x <= frame.reachX(); ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                psf.at(x, y).at(c) = std::max(0.0, corners.texel(x, y, c));
            }
        }
    });
    return psf.toKernel();
}

} // namespace

BloomKernel apertureKernel(const PsfFrame& frame, double diameterMillimetres, const ApertureShape& shape) {
    shape.check();
    return kernelOf(frame, diameterMillimetres, [&](std::uint32_t samples) { return drawAperture(shape, samples); });
}

BloomKernel apertureKernel(const PsfFrame& frame, double diameterMillimetres, const Image& image,
                           const std::string& file) {
    return kernelOf(frame, diameterMillimetres,
                    [&](std::uint32_t samples) { return imageAperture(image, file, samples); });
}

} // namespace aureole
