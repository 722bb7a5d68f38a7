#include "bloom/kernel_spectrum.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "bloom/kernel_texels.h"
#include "bloom/kernel_transform.h"
#include "core/error.h"
#include "fft/specialization.h"

namespace aureole {

namespace {

constexpr std::uint32_t kLeastPeriod = 8; ///< taps wrap round once at most

/// The compact period of an axis.
std::uint32_t compactPeriod(std::uint32_t texels, double oversampling, bool second) {
    const double wanted = std::ceil(oversampling * texels);
    if (wanted > fft::kMaximumLength) {
        fail(ExitCode::BadInput,
             "bloom: the spectrum of a kernel of {} texels along an axis needs a period of {} to be resampled; at most "
             "{} are possible",
             texels, wanted, fft::kMaximumLength);
    }
    return fft::cheapestLength(std::max(kLeastPeriod, static_cast<std::uint32_t>(wanted)), second);
}

std::vector<double> compensations(const Resampling& resampling, std::uint32_t texels, std::uint32_t period) {
    const std::uint32_t centre = texels / 2;
    std::vector<double> factors(texels);
    for (std::uint32_t texel = 0; texel < texels; ++texel) {
        factors[texel] = resampling.compensation((static_cast<double>(texel) - centre) / period);
    }
    return factors;
}

/// The bins of the frequencies from 0 to Nyquist, in their order.
std::vector<shared::BloomBin> naturalBins(const fft::LineShape& first) {
    std::vector<shared::BloomBin> bins;
    bins.reserve(first.length / 2 + 1);
    for (std::uint32_t frequency = 0; frequency <= first.length / 2; ++frequency) {
        bins.push_back(
            {shared::fftFrequencyPosition(first.radices, first.length, frequency),
             shared::fftFrequencyPosition(first.radices, first.length, shared::fftMirror(first.length, frequency))});
    }
    return bins;
}

} // namespace

KernelSpectrum::KernelSpectrum(const gpu::Device& device, const BloomKernel& kernel,
                               const KernelSpectrumOptions& options)
    : width_(kernel.width)
    , height_(kernel.height)
    , columnsFirst_(options.columnsFirst)
    , filter_(options.filter) {
    const double oversampling = options.oversampling == 0.0 ? usualOversampling(filter_) : options.oversampling;
    if (!(oversampling >= 1.0 && oversampling <= 2.0)) {
        fail(ExitCode::BadInput, "bloom: an oversampling of {} of a kernel's spectrum; expected 1 to 2", oversampling);
    }
    KernelTexels texels = kernelTexels(kernel, wholeWindow(width_), wholeWindow(height_));
    real_ = texels.symmetric();
    firstPeriod_ = compactPeriod(columnsFirst_ ? height_ : width_, oversampling, false);
    secondPeriod_ = compactPeriod(columnsFirst_ ? width_ : height_, oversampling, true);

    const Resampling alongX = columnsFirst_ ? secondResampling() : firstResampling();
    const Resampling alongY = columnsFirst_ ? firstResampling() : secondResampling();
    const std::vector<double> columns = compensations(alongX, width_, columnsFirst_ ? secondPeriod_ : firstPeriod_);
    const std::vector<double> rows = compensations(alongY, height_, columnsFirst_ ? firstPeriod_ : secondPeriod_);
    for (std::size_t i = 0; i < texels.values.size(); ++i) {
        texels.values[i] = static_cast<float>(texels.values[i] * (columns[i % width_] * rows[i / width_ % height_]));
    }

    ConvolutionWishes wishes;
    wishes.columnsFirst = columnsFirst_;
    wishes.firstPeriod = firstPeriod_;
    wishes.secondPeriod = secondPeriod_;
    const ConvolutionShape shape =
        shapeConvolution(width_, height_, texels.columns, texels.rows, fft::limitsOf(device), wishes);
    const gpu::Buffer firstTwiddles = fft::createTwiddles(device, shape.first);
    const gpu::Buffer secondTwiddles = fft::createTwiddles(device, shape.second);
    const gpu::Buffer bins =
        device.createBufferWith(std::span<const shared::BloomBin>(naturalBins(shape.first)), "bloom bins");
    buffer_ = transformKernel(device, texels, real_, {&shape, &firstTwiddles, &secondTwiddles, &bins, true});
}

Resampling KernelSpectrum::firstResampling() const {
    return {filter_, static_cast<double>(firstPeriod_) / (columnsFirst_ ? height_ : width_)};
}

Resampling KernelSpectrum::secondResampling() const {
    return {filter_, static_cast<double>(secondPeriod_) / (columnsFirst_ ? width_ : height_)};
}

} // namespace aureole
