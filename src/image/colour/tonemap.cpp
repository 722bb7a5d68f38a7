#include "image/colour/tonemap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

using Colour = std::array<double, 3>;
using Matrix = std::array<Colour, 3>; // by row

/// Far beyond white in every operator, yet its powers stay finite.
constexpr double kBrightest = 1e8;

Colour multiply(const Matrix& m, const Colour& v) {
    Colour result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
    return result;
}

template <typename Function>
Colour each(Colour colour, const Function& function) {
    for (double& component : colour) {
        component = function(component);
    }
    return colour;
}

/// Equation 4 of the paper.
Colour reinhard(const Colour& colour) {
    constexpr double kWhite = 4.0;
    const double y = luminance(colour[0], colour[1], colour[2]);
    const double scale = (1.0 + y / (kWhite * kWhite)) / (1.0 + y);
    return each(colour, [&](double c) { return c * scale; });
}

Colour filmic(const Colour& colour) {
    constexpr double kExposureBias = 2.0;
    constexpr double kWhite = 11.2;
    const auto curve = [](double x) {
        // Shoulder, linear strength and angle, toe strength, numerator and denominator, as in the talk.
        constexpr double a = 0.15, b = 0.50, c = 0.10, d = 0.20, e = 0.02, f = 0.30;
        return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f;
    };
    return each(colour, [&](double c) { return curve(kExposureBias * c) / curve(kWhite); });
}

Colour aces(const Colour& colour) {
    // Rec. 709 to AP1 with the transform's desaturation, and back.
    constexpr Matrix kIn = {{{0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}}};
    constexpr Matrix kOut = {
        {{1.60475, -0.53108, -0.07367}, {-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}}};
    const auto curve = [](double x) {
        return (x * (x + 0.0245786) - 0.000090537) / (x * (0.983729 * x + 0.4329510) + 0.238081);
    };
    return multiply(kOut, each(multiply(kIn, colour), curve));
}

/// The sigmoid of AgX, from [0, 1] to [0, 1]: a line through the pivot that bends to 0 and to 1 by a power each.
double agxCurve(double x) {
    constexpr double kPivotX = 10.0 / 16.5; // middle grey among the exposures
    constexpr double kPivotY = 0.5;
    constexpr double kSlope = 2.0;
    const bool shoulder = x >= kPivotX;
    const double power = shoulder ? 3.25 : 3.0;
    const double reachX = shoulder ? 1.0 - kPivotX : kPivotX;
    const double reachY = shoulder ? 1.0 - kPivotY : kPivotY;
    // The scale for which the curve ends exactly in (reachX, reachY).
    const double line = kSlope * reachX;
    const double scale = line / std::pow(std::pow(line / reachY, power) - 1.0, 1.0 / power);
    const double t = kSlope * std::abs(x - kPivotX) / scale;
    const double bent = scale * t / std::pow(1.0 + std::pow(t, power), 1.0 / power);
    return kPivotY + (shoulder ? bent : -bent);
}

/// Sobotka, github.com/sobotka/AgX-S2O3: primaries moved outwards by 1 / 0.8, log2 from -10 to +6.5 stops about middle
/// grey, the sigmoid, a display of gamma 2.2. As in Wrensch's description (iolite, 2023) the inset is undone at the
/// end. The inset leaves greys alone: it takes 0.8 of a colour and adds a weighted sum of its components.
Colour agx(const Colour& colour) {
    constexpr double kKept = 0.8;
    constexpr Colour kAdded = {0.04239892905, 0.078430165105, 0.079170905846};
    constexpr double kMiddleGrey = 0.18, kDarkest = -10.0, kStops = 16.5, kGamma = 2.2;
    const auto added = [&](const Colour& c) { return kAdded[0] * c[0] + kAdded[1] * c[1] + kAdded[2] * c[2]; };
    const double sum = added(colour);
    const Colour curved = each(colour, [&](double c) {
        const double stops = std::log2(std::max(kKept * c + sum, 1e-10) / kMiddleGrey);
        return agxCurve(std::clamp((stops - kDarkest) / kStops, 0.0, 1.0));
    });
    // The weights of the sum add up to 1 - 0.8, so the sum is the same before and after.
    const double undone = added(curved);
    return each(curved, [&](double c) { return std::pow(std::max((c - undone) / kKept, 0.0), kGamma); });
}

Colour apply(ToneMap operation, const Colour& colour) {
    switch (operation) {
    case ToneMap::Linear:
        return colour;
    case ToneMap::Reinhard:
        return reinhard(colour);
    case ToneMap::Filmic:
        return filmic(colour);
    case ToneMap::Aces:
        return aces(colour);
    case ToneMap::Agx:
        return agx(colour);
    }
    fail(ExitCode::Internal, "a tone map of value {}", static_cast<int>(operation));
}

} // namespace

std::array<double, 3> toneMapColour(ToneMap operation, const std::array<double, 3>& rgb) {
    if (std::isnan(rgb[0]) || std::isnan(rgb[1]) || std::isnan(rgb[2])) {
        return each(rgb, [](double) { return std::nan(""); });
    }
    const Colour positive = each(rgb, [](double c) { return std::clamp(c, 0.0, kBrightest); });
    return each(apply(operation, positive), [](double c) { return std::clamp(c, 0.0, 1.0); });
}

Image toneMap(const Image& image, ToneMap operation, double exposure, const std::string& file) {
    const std::array<const Channel*, 3> rgb = image.rgb(file);
    const Channel* const alpha = image.find("A");
    Image result = makeImage(image.width, image.height, {"R", "G", "B"});
    result.attributes = image.attributes;
    if (alpha != nullptr && alpha != rgb[0]) {
        result.channels.push_back(*alpha);
    }
    const double scale = std::exp2(exposure);
    parallelFor(image.height, 16, [&](std::int64_t y) {
        const std::size_t first = static_cast<std::size_t>(y) * image.width;
        for (std::size_t i = first; i < first + image.width; ++i) {
            const Colour mapped = toneMapColour(
                operation, {scale * rgb[0]->values[i], scale * rgb[1]->values[i], scale * rgb[2]->values[i]});
            for (std::size_t c = 0; c < 3; ++c) {
                result.channels[c].values[i] = static_cast<float>(mapped[c]);
            }
        }
    });
    return result;
}

} // namespace aureole
