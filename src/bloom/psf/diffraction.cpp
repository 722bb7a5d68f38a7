#include "bloom/psf/diffraction.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "bloom/psf/aperture_mask.h"
#include "bloom/psf/fft.h"
#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t kTransform = 4096;
constexpr std::uint32_t kFewestSamples = 64;
constexpr std::uint32_t kMostSamples = 2048;
constexpr std::uint32_t kCoreSamples = 512; ///< of the first level at most: eight cells a wavelength / diameter

/// The first `bins` of each row's transform, turned on the diagonal: all rows of bin 0, then all of bin 1...
std::vector<Complex> transformRows(const std::vector<double>& mask, std::size_t side, std::size_t bins,
                                   const HostFft& fft) {
    std::vector<Complex> spectrum(bins * side);
    parallelFor(static_cast<std::int64_t>((side + 1) / 2), 8, [&](std::int64_t pair) {
        // Two real rows make one complex row.
        std::vector<Complex> line(2 * kTransform);
        const std::size_t row = 2 * static_cast<std::size_t>(pair);
        const bool two = row + 1 < side;
        for (std::size_t i = 0; i < side; ++i) {
            line[i] = {mask[row * side + i], two ? mask[(row + 1) * side + i] : 0.0};
        }
        fft.transform(line.data(), line.data() + kTransform);
        for (std::size_t k = 0; k < bins; ++k) {
            const Complex here = line[k];
            const Complex mirrored = std::conj(line[(kTransform - k) % kTransform]);
            spectrum[k * side + row] = 0.5 * (here + mirrored);
            if (two) {
                const Complex difference = 0.5 * (here - mirrored);
                spectrum[k * side + row + 1] = {difference.imag(), -difference.real()};
            }
        }
    });
    return spectrum;
}

/// The pattern's density at its centre. By Parseval's theorem, all of the light is the mean square of the mask.
double peakOf(const std::vector<double>& mask, std::uint32_t samples) {
    const double amplitude = std::accumulate(mask.begin(), mask.end(), 0.0);
    const double light = std::inner_product(mask.begin(), mask.end(), mask.begin(), 0.0);
    return amplitude * amplitude / (light * samples * samples);
}

} // namespace

DiffractionPattern::Density::Density(double size)
    : cell(size)
    , values(static_cast<std::size_t>((kReach + 1) * (2 * kReach + 1))) {}

DiffractionPattern::Density DiffractionPattern::transformed(const std::vector<double>& mask, std::uint32_t samples,
                                                            double peak) {
    const std::size_t side = samples + 2 * kMaskMargin;
    const HostFft fft(kTransform);
    const std::vector<Complex> rows = transformRows(mask, side, kReach + 1, fft);
    const double size = static_cast<double>(samples) / kTransform;
    const double amplitude = std::accumulate(mask.begin(), mask.end(), 0.0);
    const double scale = peak / (amplitude * amplitude);
    Density density(size);
    parallelFor(kReach + 1, 8, [&](std::int64_t x) {
        std::vector<Complex> line(2 * kTransform);
        std::copy_n(rows.begin() + x * static_cast<std::int64_t>(side), side, line.begin());
        fft.transform(line.data(), line.data() + kTransform);
        for (std::int64_t y = -kReach; y <= kReach; ++y) {
            const double frequency = static_cast<double>(x * x + y * y) / (1.0 * kTransform * kTransform);
            const double unblur = std::exp(4.0 * kPi * kPi * kMaskBlur * kMaskBlur * frequency);
            const auto bin = static_cast<std::size_t>(y + (y < 0 ? static_cast<std::int64_t>(kTransform) : 0));
            density.at(x, y) = std::norm(line[bin]) * scale * unblur;
        }
    });
    return density;
}

DiffractionPattern::Density DiffractionPattern::smeared(Density density, double logBand) {
    // Each pass doubles the number of scaled copies; the last ones are less than a cell apart at the border.
    const int passes = std::max(0, static_cast<int>(std::ceil(std::log2(logBand * kReach))));
    Density next(density.cell);
    for (int pass = 0; pass < passes; ++pass) {
        const double scale = std::exp(logBand / (1 << (passes - pass)));
        parallelFor(kReach + 1, 8, [&](std::int64_t x) {
            const double sourceX = static_cast<double>(x) * scale;
            const auto left = static_cast<std::int64_t>(sourceX);
            const double u = sourceX - static_cast<double>(left);
            for (std::int64_t y = -kReach; y <= kReach; ++y) {
                const double sourceY = static_cast<double>(y) * scale;
                const auto low = static_cast<std::int64_t>(std::floor(sourceY));
                const double v = sourceY - static_cast<double>(low);
                const double here = density.at(x, y);
                double there = here / scale; // beyond the border by the power law
                if (left < kReach && low >= -kReach && low < kReach) {
                    there = scale * scale *
                            ((1.0 - u) * ((1.0 - v) * density.at(left, low) + v * density.at(left, low + 1)) +
                             u * ((1.0 - v) * density.at(left + 1, low) + v * density.at(left + 1, low + 1)));
                }
                next.at(x, y) = 0.5 * (here + there);
            }
        });
        std::swap(density.values, next.values);
    }
    return density;
}

double DiffractionPattern::octaveOf(const Density& density) {
    // From rings at the border and half of the way there.
    const auto ringMean = [&](double from, double to) {
        double sum = 0.0;
        double count = 0.0;
        const auto bound = static_cast<std::int64_t>(to);
        for (std::int64_t x = 0; x <= bound; ++x) {
            for (std::int64_t y = -bound; y <= bound; ++y) {
                const double radius = std::hypot(static_cast<double>(x), static_cast<double>(y));
                if (radius >= from && radius < to) {
                    sum += density.at(x, y);
                    count += 1.0;
                }
            }
        }
        return sum / count;
    };
    const double inner = ringMean(0.45 * kReach, 0.5 * kReach);
    return inner > 0.0 ? std::clamp(ringMean(0.9 * kReach, 1.0 * kReach) / inner, 1.0 / 32.0, 1.0 / 4.0) : 0.125;
}

DiffractionPattern::Density DiffractionPattern::continued(const Density& finer, double octave) {
    Density density(2.0 * finer.cell);
    for (std::int64_t x = 0; x <= kReach; ++x) {
        for (std::int64_t y = -kReach; y <= kReach; ++y) {
            const bool known = x <= kReach / 2 && std::abs(y) <= kReach / 2;
            density.at(x, y) = known ? finer.at(2 * x, 2 * y) : octave * finer.at(x, y);
        }
    }
    return density;
}

void DiffractionPattern::addLevel(const Density& density) {
    Level level;
    level.cell = density.cell;
    const std::int64_t inner = levels_.empty() ? 0 : kReach / 2;
    const double area = density.cell * density.cell;
    for (const std::size_t quadrant : {0U, 1U}) {
        const std::int64_t sign = quadrant == 0 ? 1 : -1;
        std::vector<double>& sums = level.sums.at(quadrant);
        sums.assign(static_cast<std::size_t>((kReach + 1) * (kReach + 1)), 0.0);
        // The integral between nodes of a cubic through four: the trapezium rule on nodes less their second difference
        // over twelve.
        const auto node = [&](std::int64_t x, std::int64_t y) {
            const double here = density.at(x, y);
            if (x >= kReach || std::abs(y) >= kReach) {
                return here;
            }
            const double left = density.at(std::abs(x - 1), x > 0 ? y : -y); // the pattern turned by half a turn
            return (16.0 * here - left - density.at(x + 1, y) - density.at(x, y - 1) - density.at(x, y + 1)) / 12.0;
        };
        const auto square = [&](std::int64_t x, std::int64_t y) {
            return x < inner && y < inner ? 0.0
                                          : 0.25 * area *
                                                (node(x, sign * y) + node(x + 1, sign * y) + node(x, sign * (y + 1)) +
                                                 node(x + 1, sign * (y + 1)));
        };
        for (std::int64_t y = 0; y < kReach; ++y) {
            double row = 0.0;
            for (std::int64_t x = 0; x < kReach; ++x) {
                row += square(x, y);
                const auto next = static_cast<std::size_t>((y + 1) * (kReach + 1) + x + 1);
                sums[next] = sums[next - static_cast<std::size_t>(kReach + 1)] + row;
            }
        }
    }
    levels_.push_back(std::move(level));
}

DiffractionPattern::DiffractionPattern(const MaskAtResolution& mask, double cell, double reach, double logBand) {
    std::uint32_t samples = kFewestSamples;
    while (samples < kCoreSamples && 2.0 * samples / kTransform <= cell) {
        samples *= 2;
    }
    const std::vector<double> first = mask(samples);
    const double peak = peakOf(first, samples);
    Density density = smeared(transformed(first, samples, peak), logBand);
    addLevel(density);
    double octave = 0.0;
    while (static_cast<double>(kReach) * density.cell < reach) {
        if (samples < kMostSamples) {
            samples *= 2;
            density = smeared(transformed(mask(samples), samples, peak), logBand);
        } else {
            octave = octave > 0.0 ? octave : octaveOf(density);
            density = continued(density, octave);
        }
        addLevel(density);
    }
}

void DiffractionPattern::Level::addRow(double firstX, double step, double y, double inner,
                                       std::span<double> row) const {
    const double v = std::abs(y) / cell;
    const auto j = std::min(static_cast<std::int64_t>(v), kReach - 1);
    const double t = std::min(v - static_cast<double>(j), 1.0);
    for (std::size_t k = 0; k < row.size(); ++k) {
        const double x = firstX + static_cast<double>(k) * step;
        const double u = std::abs(x) / cell;
        if (u <= inner && v <= inner) {
            continue;
        }
        const bool opposite = (x < 0.0) != (y < 0.0);
        const double* const low = sums[opposite ? 1 : 0].data() + j * (kReach + 1);
        const double* const high = low + kReach + 1;
        const auto i = std::min(static_cast<std::int64_t>(u), kReach - 1);
        const double s = std::min(u - static_cast<double>(i), 1.0);
        const double light =
            (1.0 - t) * ((1.0 - s) * low[i] + s * low[i + 1]) + t * ((1.0 - s) * high[i] + s * high[i + 1]);
        row[k] += opposite ? -light : light;
    }
}

void DiffractionPattern::cumulative(double firstX, double step, double y, std::span<double> row) const {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        levels_[level].addRow(firstX, step, y, level == 0 ? -1.0 : 0.5 * kReach, row);
    }
}

} // namespace aureole
