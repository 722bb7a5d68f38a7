#include "bloom/kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bloom/psf/frame.h"
#include "bloom/psf/radial.h"
#include "core/error.h"
#include "core/math.h"
#include "core/threads/parallel.h"
#include "settings/limits.h"

namespace aureole {

namespace {

// Shares of the scattered light. Spencer et al. give the eye's as 0.478 : 0.138 (skirt : veil) of all light; the
// streaks are a lens's, not an eye's.
constexpr double kSkirtShare = 0.64;
constexpr double kVeilShare = 0.30;
constexpr double kStreakShare = 0.06;
// Spencer's radii where the falloffs set in, and the width of the core, in degrees.
constexpr double kSkirtRadius = 0.02;
constexpr double kVeilRadius = 0.02;
constexpr double kCoreRadius = 0.02;
constexpr double kVeilEdge = 20.0; ///< the veil is normalised up to this angle, where its power law ends
constexpr double kStreakRadius = 0.6;
constexpr double kStreakWidth = 0.02;
constexpr double kStreakSpread = 0.006; ///< a streak's width grows by this much a degree
constexpr double kStreakReach = 5;      ///< widths aside where a streak ends, as exp(-25) is left

// Wavelengths of the primaries of Rec. 709 in nanometres, as in Spencer et al., relative to the eye's peak. The square
// root keeps the colours of the rim slight.
const std::array<double, 3> kSpread = {std::sqrt(611.0 / 568.0), std::sqrt(549.0 / 568.0), std::sqrt(464.0 / 568.0)};

/// What the radial parts leave beyond an angle, of the light that is scattered.
double radialTail(double degrees, double spread) {
    const double r = degrees / spread;
    const double skirt = r / (r + kSkirtRadius);
    const auto veilWithin = [](double angle) {
        return std::log((angle + kVeilRadius) / kVeilRadius) - angle / (angle + kVeilRadius);
    };
    return 1.0 - kSkirtShare * skirt * skirt - kVeilShare * veilWithin(r) / veilWithin(kVeilEdge);
}

struct Direction {
    double x;
    double y;
};

/// The directions of an aperture's streaks. A blade's edge throws light to both of its sides, so that an odd number of
/// blades makes twice as many streaks.
std::vector<Direction> streakDirections(const GlareOptions& options) {
    std::vector<Direction> directions(options.blades);
    for (std::uint32_t blade = 0; blade < options.blades; ++blade) {
        const double angle = (options.rotationDegrees + 360.0 * blade / options.blades) * kPi / 180.0;
        directions[blade] = {std::cos(angle), std::sin(angle)};
    }
    return directions;
}

/// The directions of an aperture's streaks that meet a texel: of most texels none.
struct NearStreaks {
    std::vector<Direction> directions;
    std::size_t ofAll = 0; ///< how many directions the aperture has

    /// Keeps those of `all` whose streaks meet the texel at (x, y) in any channel, and maybe some that just miss it.
    void find(double x, double y, double pixel, const std::vector<Direction>& all) {
        ofAll = all.size();
        directions.clear();
        for (const Direction& direction : all) {
            // A texel reaches less than its side from its middle.
            const double along = std::abs(x * direction.x + y * direction.y) + pixel;
            const double aside = std::abs(y * direction.x - x * direction.y) - pixel;
            if (aside < kStreakReach * (kStreakWidth * kSpread.front() + kStreakSpread * along)) {
                directions.push_back(direction);
            }
        }
    }
};

/// Streaks perpendicular to the blades, per square degree, of a total of kStreakShare.
double streakDensity(double x, double y, double spread, const NearStreaks& streaks) {
    double sum = 0;
    for (const Direction& direction : streaks.directions) {
        const double along = std::abs(x * direction.x + y * direction.y) / spread;
        const double aside = std::abs(y * direction.x - x * direction.y) / spread;
        const double width = kStreakWidth + kStreakSpread * along;
        if (aside < kStreakReach * width) {
            sum += std::exp(-(aside / width) * (aside / width)) / width;
        }
    }
    // A streak, to both sides: sqrt(pi) across, and 2 / kStreakRadius along.
    const double total = static_cast<double>(streaks.ofAll) * std::sqrt(kPi) * 2.0 / kStreakRadius;
    const double r = std::hypot(x, y) / spread + kStreakRadius;
    return kStreakShare * sum / (r * r) / total / (spread * spread);
}

/// The mean of the streaks over a texel.
double streakMean(double x, double y, double pixel, double spread, const NearStreaks& streaks) {
    constexpr double kNear = 8; // texels from the middle within which the falloff bends inside a texel
    const int samples = std::max(std::abs(x), std::abs(y)) < kNear * pixel ? 8 : 2;
    double sum = 0;
    for (int j = 0; j < samples; ++j) {
        for (int i = 0; i < samples; ++i) {
            sum += streakDensity(x + ((i + 0.5) / samples - 0.5) * pixel, y + ((j + 0.5) / samples - 0.5) * pixel,
                                 spread, streaks);
        }
    }
    return sum / (samples * samples);
}

/// The light in each texel of `frame` of a tail for each channel, which only differ in how far they spread. `farthest`
/// is the angle up to which the tail is tabulated.
template <typename Tail>
HalfPsf spreadPsf(const PsfFrame& frame, double farthest, const Tail& tail) {
    constexpr double kNearest = 1e-4;
    return radialPsf(frame, TailTable(
                                [&](double r) {
                                    return PsfColour{tail(r, kSpread[0]), tail(r, kSpread[1]), tail(r, kSpread[2])};
                                },
                                kNearest, farthest));
}

/// The core, in a frame that leaves out where doubles have nothing of it: beyond 27.3 radii exp(-r^2) is 0.
HalfPsf coreOf(const PsfFrame& frame) {
    const double reach = std::min(std::ceil(28.0 * kCoreRadius / frame.degreesPerPixel), 0.5 * kMaximumKernelSize);
    const auto side = 2 * static_cast<std::uint32_t>(reach) + 3;
    const PsfFrame within{std::min(frame.width, side), std::min(frame.height, side), frame.degreesPerPixel};
    return spreadPsf(within, frame.radius(),
                     [](double r, double) { return std::exp(-(r / kCoreRadius) * (r / kCoreRadius)); });
}

} // namespace

double degreesPerPixel(double verticalFieldOfView, std::uint32_t height) {
    const double halfHeight = std::tan(0.5 * verticalFieldOfView * kPi / 180.0);
    return std::atan(2 * halfHeight / height) * 180.0 / kPi;
}

BloomKernel glareKernel(const GlareOptions& options) {
    const PsfFrame frame{options.width, options.height, options.degreesPerPixel};
    frame.check();
    if (!(options.scattered >= 0 && options.scattered <= 1)) {
        fail(ExitCode::BadInput, "bloom kernel: a scattered share of {}; expected 0 to 1", options.scattered);
    }
    if (options.blades > kMaximumBlades) {
        fail(ExitCode::BadInput, "bloom kernel: an aperture of {} blades; expected at most {}", options.blades,
             kMaximumBlades);
    }
    const HalfPsf core = coreOf(frame);
    HalfPsf psf = spreadPsf(frame, frame.radius(), radialTail);
    const std::vector<Direction> directions = streakDirections(options);
    const double pixel = options.degreesPerPixel;
    parallelFor(psf.rows(), 4, [&](std::int64_t row) {
        NearStreaks near;
        for (std::int64_t column = -frame.reachX(); column <= frame.reachX(); ++column) {
            const double x = static_cast<double>(column) * pixel;
            const double y = static_cast<double>(row) * pixel;
            near.find(x, y, pixel, directions);
            const PsfColour sharp = core.lightAt(column, row);
            for (std::size_t c = 0; c < 3; ++c) {
                const double streaks = near.directions.empty() ? 0.0 : streakMean(x, y, pixel, kSpread.at(c), near);
                double& texel = psf.at(column, row).at(c);
                texel = options.scattered * (texel + pixel * pixel * streaks) + (1.0 - options.scattered) * sharp.at(c);
            }
        }
    });
    return psf.toKernel(&core);
}

} // namespace aureole
