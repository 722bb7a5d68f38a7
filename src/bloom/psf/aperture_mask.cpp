#include "bloom/psf/aperture_mask.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "bloom/psf/uniform.h"
#include "core/error.h"
#include "core/math.h"
#include "core/threads/parallel.h"
#include "settings/limits.h"

namespace aureole {

namespace {

constexpr std::uint32_t kMostDust = 10000;
constexpr std::uint32_t kMostScratches = 1000;
constexpr double kEdge = 4.0; ///< blurs aside, where an edge is no longer felt

/// Coverage of a half plane whose edge is `distance` samples away, inside positive, after the blur.
double coverage(double distance) {
    if (std::abs(distance) > kEdge * kMaskBlur) {
        return distance > 0.0 ? 1.0 : 0.0;
    }
    return 0.5 * std::erfc(-distance / (kMaskBlur * std::sqrt(2.0)));
}

/// The iris, lengths in samples.
class Iris {
public:
    Iris(const ApertureShape& shape, double radius)
        : radius_(radius)
        , round_(shape.blades == 0)
        , rotation_(shape.rotation * kPi / 180.0) {
        if (round_) {
            return;
        }
        halfAngle_ = kPi / shape.blades;
        side_ = radius * std::cos(halfAngle_);
        // A side is an arc through two corners; its height over the chord grows up to that of the circle.
        const double height = shape.roundness * (radius - side_);
        const double chord = radius * std::sin(halfAngle_);
        straight_ = height < 1e-6 * radius;
        arcRadius_ = straight_ ? 0.0 : (chord * chord + height * height) / (2.0 * height);
        arcCentre_ = side_ + height - arcRadius_;
    }

    double at(double x, double y) const {
        const double distance = std::hypot(x, y);
        if (round_ || distance > radius_ + kEdge) {
            return coverage(radius_ - distance);
        }
        if (distance < side_ - kEdge) {
            return 1.0;
        }
        // Blades are alike: turn to the one whose sector this is, and look at its neighbours, too. The nearest side
        // counts; where sides are all but one, as in a circle, a product would count it several times.
        const double angle = std::atan2(y, x) - rotation_ - halfAngle_;
        const double local = angle - std::round(angle / (2.0 * halfAngle_)) * 2.0 * halfAngle_;
        double nearest = radius_;
        for (const int neighbour : {-1, 0, 1}) {
            const double turned = local + neighbour * 2.0 * halfAngle_;
            nearest = std::min(nearest, inside(distance * std::cos(turned), distance * std::sin(turned)));
        }
        return coverage(nearest);
    }

private:
    /// How far a point is inside of the side that faces along +x.
    double inside(double x, double y) const {
        return straight_ ? side_ - x : arcRadius_ - std::hypot(x - arcCentre_, y);
    }

    double radius_;
    bool round_;
    double rotation_;
    double halfAngle_ = 0.0;
    double side_ = 0.0; ///< the distance of a straight side from the centre
    bool straight_ = true;
    double arcRadius_ = 0.0;
    double arcCentre_ = 0.0;
};

struct Point {
    double x;
    double y;
};

/// A square picture that marks are taken out of.
class Canvas {
public:
    Canvas(std::vector<double>& values, std::uint32_t side)
        : values_(&values)
        , side_(side) {}

    /// Multiplies by 1 - mark(x, y) within `reach` of the box from a to b, all in samples.
    template <typename Mark>
    void take(const Point& a, const Point& b, double reach, const Mark& mark) {
        const auto low = [&](double p, double q) {
            return static_cast<std::int64_t>(std::max(0.0, std::floor(std::min(p, q) - reach)));
        };
        const auto high = [&](double p, double q) {
            return static_cast<std::int64_t>(
                std::min(static_cast<double>(side_ - 1), std::ceil(std::max(p, q) + reach)));
        };
        for (std::int64_t row = low(a.y, b.y); row <= high(a.y, b.y); ++row) {
            for (std::int64_t column = low(a.x, b.x); column <= high(a.x, b.x); ++column) {
                (*values_)[static_cast<std::size_t>(row * side_ + column)] *=
                    1.0 - mark(static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
            }
        }
    }

private:
    std::vector<double>* values_;
    std::int64_t side_;
};

double distanceToSegment(const Point& p, const Point& a, const Point& b) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double t = std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

class Dirt {
public:
    explicit Dirt(std::uint32_t seed)
        : random_(seed) {}

    void addSpeck(Canvas& canvas, double samples) {
        const Point centre = place(samples);
        // Many small ones and a few large ones, up to 2.5 % of the aperture across.
        const double radius = samples * (0.0015 + 0.011 * std::pow(uniform(random_), 4.0));
        canvas.take(centre, centre, radius + kEdge,
                    [&](double x, double y) { return coverage(radius - std::hypot(x - centre.x, y - centre.y)); });
    }

    void addScratch(Canvas& canvas, double samples) {
        const Point a = place(samples);
        const double angle = 2.0 * kPi * uniform(random_);
        const double length = samples * (0.1 + 0.5 * uniform(random_));
        const Point b = {a.x + length * std::cos(angle), a.y + length * std::sin(angle)};
        const double half = samples * (0.0004 + 0.0008 * uniform(random_));
        canvas.take(a, b, half + kEdge, [&](double x, double y) {
            const double distance = distanceToSegment({x, y}, a, b);
            return coverage(half - distance) - coverage(-half - distance);
        });
    }

private:
    Point place(double samples) {
        const double x = uniform(random_);
        const double y = uniform(random_);
        return {kMaskMargin + samples * x, kMaskMargin + samples * y};
    }

    std::mt19937 random_;
};

/// Transmittance at a place in pixels, bilinear, 0 outside.
double bilinear(const std::vector<double>& values, std::int64_t width, std::int64_t height, double x, double y) {
    const double left = std::floor(x - 0.5);
    const double top = std::floor(y - 0.5);
    const double u = x - 0.5 - left;
    const double v = y - 0.5 - top;
    const auto texel = [&](std::int64_t i, std::int64_t j) {
        const bool inside = i >= 0 && j >= 0 && i < width && j < height;
        return inside ? values[static_cast<std::size_t>(j * width + i)] : 0.0;
    };
    const auto i = static_cast<std::int64_t>(left);
    const auto j = static_cast<std::int64_t>(top);
    return (1.0 - v) * ((1.0 - u) * texel(i, j) + u * texel(i + 1, j)) +
           v * ((1.0 - u) * texel(i, j + 1) + u * texel(i + 1, j + 1));
}

/// Blurs each line of a square picture and turns the picture on its diagonal, so that twice blurs both axes.
std::vector<double> blurredTransposed(const std::vector<double>& values, std::uint32_t side) {
    constexpr std::int64_t kReach = 3;
    std::array<double, 2 * kReach + 1> weights{};
    double sum = 0.0;
    for (std::int64_t i = -kReach; i <= kReach; ++i) {
        const double t = static_cast<double>(i) / kMaskBlur;
        weights.at(static_cast<std::size_t>(i + kReach)) = std::exp(-0.5 * t * t);
        sum += weights.at(static_cast<std::size_t>(i + kReach));
    }
    std::vector<double> result(values.size());
    parallelFor(side, 16, [&](std::int64_t row) {
        for (std::int64_t column = 0; column < side; ++column) {
            double value = 0.0;
            for (std::int64_t i = std::max(-kReach, -column); i <= std::min<std::int64_t>(kReach, side - 1 - column);
                 ++i) {
                value += weights.at(static_cast<std::size_t>(i + kReach)) *
                         values[static_cast<std::size_t>(row * side + column + i)];
            }
            result[static_cast<std::size_t>(column * side + row)] = value / sum;
        }
    });
    return result;
}

std::vector<double> transmittance(const Image& image, const std::string& file) {
    if (image.pixelCount() == 0) {
        fail(ExitCode::BadInput, "{}: aperture: the image is empty ({}x{})", file, image.width, image.height);
    }
    const std::array<const Channel*, 3> channels = image.rgb(file);
    std::vector<double> values(image.pixelCount());
    double most = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = luminance(channels[0]->values[i], channels[1]->values[i], channels[2]->values[i]);
        if (!std::isfinite(values[i])) {
            fail(ExitCode::BadInput, "{}: aperture: found {} at ({}, {}), expected finite values", file, values[i],
                 i % image.width, i / image.width);
        }
        values[i] = std::max(values[i], 0.0);
        most = std::max(most, values[i]);
    }
    if (!(most > 0.0)) {
        fail(ExitCode::BadInput, "{}: aperture: the image is black, so that no light passes", file);
    }
    for (double& value : values) {
        value /= most;
    }
    return values;
}

} // namespace

void ApertureShape::check() const {
    if (blades == 1 || blades == 2 || blades > kMaximumBlades) {
        fail(ExitCode::BadInput, "bloom kernel: an aperture of {} blades; expected 3 to {}, or 0 for a round one",
             blades, kMaximumBlades);
    }
    if (!(roundness >= 0.0 && roundness <= 1.0)) {
        fail(ExitCode::BadInput, "bloom kernel: an aperture of roundness {}; expected 0 to 1", roundness);
    }
    if (!(std::abs(rotation) <= 360.0)) {
        fail(ExitCode::BadInput, "bloom kernel: an aperture turned by {} degrees; expected -360 to 360", rotation);
    }
    if (dust > kMostDust || scratches > kMostScratches) {
        fail(ExitCode::BadInput, "bloom kernel: {} specks of dust and {} scratches; expected at most {} and {}", dust,
             scratches, kMostDust, kMostScratches);
    }
}

std::vector<double> drawAperture(const ApertureShape& shape, std::uint32_t samples) {
    shape.check();
    const std::uint32_t side = samples + 2 * kMaskMargin;
    std::vector<double> values(std::size_t{side} * side);
    const Iris iris(shape, 0.5 * samples);
    parallelFor(side, 8, [&](std::int64_t row) {
        for (std::int64_t column = 0; column < side; ++column) {
            values[static_cast<std::size_t>(row * side + column)] =
                iris.at(static_cast<double>(column) + 0.5 - 0.5 * side, 0.5 * side - static_cast<double>(row) - 0.5);
        }
    });
    Canvas canvas(values, side);
    Dirt dirt(shape.seed);
    for (std::uint32_t i = 0; i < shape.dust; ++i) {
        dirt.addSpeck(canvas, samples);
    }
    for (std::uint32_t i = 0; i < shape.scratches; ++i) {
        dirt.addScratch(canvas, samples);
    }
    return values;
}

std::vector<double> imageAperture(const Image& image, const std::string& file, std::uint32_t samples) {
    const std::vector<double> pixels = transmittance(image, file);
    const std::uint32_t side = samples + 2 * kMaskMargin;
    const double scale = static_cast<double>(std::max(image.width, image.height)) / samples; // pixels a sample
    const int steps = std::max(1, static_cast<int>(std::ceil(scale)));
    std::vector<double> values(std::size_t{side} * side);
    parallelFor(side, 8, [&](std::int64_t row) {
        for (std::int64_t column = 0; column < side; ++column) {
            double sum = 0.0;
            for (int j = 0; j < steps; ++j) {
                for (int i = 0; i < steps; ++i) {
                    const double x = (static_cast<double>(column) + (i + 0.5) / steps - 0.5 * side) * scale;
                    const double y = (static_cast<double>(row) + (j + 0.5) / steps - 0.5 * side) * scale;
                    sum += bilinear(pixels, image.width, image.height, x + 0.5 * image.width, y + 0.5 * image.height);
                }
            }
            values[static_cast<std::size_t>(row * side + column)] = sum / (steps * steps);
        }
    });
    return blurredTransposed(blurredTransposed(values, side), side);
}

} // namespace aureole
