#include "bloom/psf/flare_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "bloom/psf/spectrum.h"
#include "bloom/psf/uniform.h"
#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr double kNearest = 0.03; ///< of the rings, in degrees; all lines meet there
constexpr double kApart = 0.15;   ///< where they have come apart
constexpr double kReach = 12.0;
constexpr double kFadeFrom = 4.0; ///< where the lines begin to drown in the veil
constexpr double kContrast = 0.6; ///< share of the light that gathers in lines
constexpr double kWidth = 0.012;  ///< of a line at the centre, and what it grows by for each degree
constexpr double kWidening = 0.008;
constexpr std::size_t kKnots = 32; ///< of the brightness along a line
constexpr double kKnotsPerLog = 2.5;

double ringRadius(std::size_t ring, std::size_t rings) {
    return kNearest * std::pow(kReach / kNearest, static_cast<double>(ring) / static_cast<double>(rings - 1));
}

double smoothStep(double from, double to, double value) {
    const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// How much of the light gathers in lines at an angle.
double contrast(double degrees) {
    return kContrast * smoothStep(kNearest, kApart, degrees) * (1.0 - smoothStep(kFadeFrom, kReach, degrees));
}

/// A normal distribution wrapped on a half circle of that many directions, from its peak to where it is nothing or
/// opposite: a von Mises distribution.
std::vector<double> wrappedBell(double radians, std::size_t directions) {
    const double step = kPi / static_cast<double>(directions);
    const std::size_t halfTurn = directions / 2;
    const auto reach = static_cast<std::size_t>(std::min(6.0 * radians / step, static_cast<double>(halfTurn)));
    std::vector<double> bell(reach + 1);
    for (std::size_t i = 0; i <= reach; ++i) {
        const double angle = static_cast<double>(i) * step;
        bell[i] = std::exp((std::cos(2.0 * angle) - 1.0) / (4.0 * radians * radians));
    }
    return bell;
}

} // namespace

struct FlareLines::Line {
    std::size_t direction; ///< an index of the table
    double brightness;
    double length; ///< degrees
    std::array<double, kKnots> knots;

    /// Relative brightness at an angle, for the reference wavelength.
    double along(double degrees) const {
        const double place = std::clamp(std::log(degrees / kNearest) * kKnotsPerLog, 0.0, kKnots - 1.001);
        const auto knot = static_cast<std::size_t>(place);
        const double t = place - static_cast<double>(knot);
        const double s = t * t * (3.0 - 2.0 * t);
        const double ends = std::exp(-(degrees / length) * (degrees / length));
        return brightness * ((1.0 - s) * knots.at(knot) + s * knots.at(knot + 1)) * ends;
    }
};

std::vector<FlareLines::Line> FlareLines::makeLines(std::uint32_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<Line> lines(count);
    for (Line& line : lines) {
        line.direction = static_cast<std::size_t>(uniform(random) * kDirections);
        // A few bright lines among many faint ones.
        line.brightness = std::pow(uniform(random), 2.5) + 0.05;
        line.length = 0.5 + 5.0 * uniform(random) * uniform(random);
        for (double& knot : line.knots) {
            knot = 0.1 + 1.8 * uniform(random);
        }
    }
    return lines;
}

FlareLines::FlareLines(std::uint32_t lines, std::uint32_t seed, double grain)
    : table_(kRings * kDirections, std::array<float, 3>{1.0F, 1.0F, 1.0F}) {
    const std::vector<Line> all = makeLines(lines, seed);
    if (!all.empty()) {
        parallelFor(kRings, 1, [&](std::int64_t ring) { fillRing(static_cast<std::size_t>(ring), all, grain); });
    }
}

double FlareLines::reach() {
    return kReach;
}

double FlareLines::width(double degrees) {
    return kWidth + kWidening * degrees;
}

void FlareLines::fillRing(std::size_t ring, const std::vector<Line>& lines, double grain) {
    static const std::vector<SpectralBand> bands = spectralBands(24);
    const double radius = ringRadius(ring, kRings);
    const double width = std::hypot(FlareLines::width(radius), grain) / radius;
    const std::vector<double> bell = wrappedBell(width, kDirections);
    std::vector<PsfColour> sums(kDirections, PsfColour{});
    for (const Line& line : lines) {
        PsfColour light{};
        for (const SpectralBand& band : bands) {
            const double along = line.along(radius * kReferenceNanometres / std::sqrt(band.from * band.to));
            for (std::size_t c = 0; c < 3; ++c) {
                light.at(c) += band.weights.at(c) * along;
            }
        }
        const auto reach = static_cast<std::int64_t>(bell.size()) - 1;
        for (std::int64_t i = -reach; i < std::min<std::int64_t>(reach + 1, kDirections / 2); ++i) {
            const auto direction =
                static_cast<std::size_t>(static_cast<std::int64_t>(line.direction + kDirections) + i);
            for (std::size_t c = 0; c < 3; ++c) {
                sums[direction % kDirections].at(c) += light.at(c) * bell[static_cast<std::size_t>(std::abs(i))];
            }
        }
    }
    for (std::size_t c = 0; c < 3; ++c) {
        double mean = 0.0;
        for (const PsfColour& sum : sums) {
            mean += sum.at(c) / kDirections;
        }
        const double share = mean > 0.0 ? contrast(radius) : 0.0;
        for (std::size_t i = 0; i < kDirections; ++i) {
            table_[ring * kDirections + i].at(c) =
                static_cast<float>(1.0 - share + (share > 0.0 ? share * sums[i].at(c) / mean : 0.0));
        }
    }
}

PsfColour FlareLines::operator()(double x, double y) const {
    const double radius = std::hypot(x, y);
    if (!(radius > kNearest) || radius >= kReach) {
        return {1.0, 1.0, 1.0};
    }
    static const double ringsPerLog = (kRings - 1) / std::log(kReach / kNearest);
    const double ringPlace = std::min(std::log(radius / kNearest) * ringsPerLog, kRings - 1.001);
    const auto ring = static_cast<std::size_t>(ringPlace);
    const double v = ringPlace - static_cast<double>(ring);
    double direction = std::atan2(y, x) / kPi * kDirections;
    direction = direction < 0.0 ? direction + kDirections : direction;
    const double u = direction - std::floor(direction);
    const std::size_t left = static_cast<std::size_t>(direction) % kDirections;
    const std::size_t right = (left + 1) % kDirections;
    const auto* const inner = &table_[ring * kDirections];
    const auto* const outer = inner + kDirections;
    PsfColour result{};
    for (std::size_t c = 0; c < 3; ++c) {
        result.at(c) = (1.0 - v) * ((1.0 - u) * inner[left].at(c) + u * inner[right].at(c)) +
                       v * ((1.0 - u) * outer[left].at(c) + u * outer[right].at(c));
    }
    return result;
}

} // namespace aureole
