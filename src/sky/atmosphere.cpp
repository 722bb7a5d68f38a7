#include "sky/atmosphere.h"

#include <algorithm>
#include <cmath>

#include "core/threads/parallel.h"

namespace aureole::sky {

namespace {

constexpr double kAirHeight = 8.0;        ///< km over which the density of air falls by e
constexpr double kAerosolHeight = 1.2;    ///< km over which the density of aerosols falls by e
constexpr double kAngstromExponent = 1.3; ///< of the aerosols' extinction
constexpr float kAerosolAlbedo = 0.94F;   ///< scattering over extinction
constexpr double kForward = 0.78;         ///< the aerosols' mean cosine of scattering
constexpr double kSunRadius = 0.2667;     ///< degrees
constexpr double kOzoneColumn = 8.07e18;  ///< molecules per cm^2: 300 Dobson units
constexpr double kOzoneMiddle = 25.0;     ///< km; its density falls to 0 at 10 and 40 km
constexpr double kOzoneReach = 15.0;

/// W/(m^2 nm) beyond the atmosphere at the mean distance of the sun (ASTM G173's extraterrestrial spectrum), and the
/// absorption cross sections of ozone at 223 K in 1e-21 cm^2 (Serdyuchenko et al. 2014), averaged over the bands.
constexpr Spectrum kSolar = {1.079F, 1.583F, 1.680F, 1.868F, 2.024F, 1.962F, 1.905F, 1.865F, 1.862F, 1.838F,
                             1.811F, 1.746F, 1.677F, 1.594F, 1.536F, 1.477F, 1.409F, 1.341F, 1.287F};
constexpr Spectrum kOzoneCross = {0.0036F, 0.0162F, 0.0556F, 0.158F, 0.364F, 0.736F, 1.37F,  2.16F,  3.11F, 4.18F,
                                  4.54F,   4.76F,   3.75F,   2.69F,  1.85F,  1.21F,  0.772F, 0.523F, 0.396F};

constexpr int kColumnHeights = 64;
constexpr int kColumnAngles = 256;
constexpr int kFurtherHeights = 24;
constexpr int kFurtherAngles = 48;

/// Optical thickness of clean air straight up; Hansen and Travis, "Light Scattering in Planetary Atmospheres" (1974).
double airThickness(double wavelength) {
    const double s = 1e6 / (wavelength * wavelength); // 1/um^2
    return 0.008569 * s * s * (1.0 + 0.0113 * s + 0.00013 * s * s);
}

double airPhase(double cosine) {
    return 3.0 / (16.0 * kPi) * (1.0 + cosine * cosine);
}

/// Cornette and Shanks, "Physically Reasonable Analytic Expression for the Single-Scattering Phase Function" (1992).
double aerosolPhase(double cosine) {
    constexpr double g = kForward;
    const double base = 1.0 + g * g - 2.0 * g * cosine;
    return 3.0 / (8.0 * kPi) * (1.0 - g * g) * (1.0 + cosine * cosine) / ((2.0 + g * g) * base * std::sqrt(base));
}

double safeRoot(double x) {
    return std::sqrt(std::max(x, 0.0));
}

/// Bilinear lookup at (x, y) in [0, 1]^2 of a table whose first and last entries stand at 0 and 1.
template <typename Value, typename Add>
void lookUp(const std::vector<Value>& table, int width, int height, double x, double y, const Add& add) {
    const double fx = std::clamp(x, 0.0, 1.0) * (width - 1);
    const double fy = std::clamp(y, 0.0, 1.0) * (height - 1);
    const int x0 = std::min(static_cast<int>(fx), width - 2);
    const int y0 = std::clamp(static_cast<int>(fy), 0, std::max(height - 2, 0));
    for (int corner = 0; corner < (height > 1 ? 4 : 2); ++corner) {
        const int i = corner & 1;
        const int j = corner >> 1;
        const double weight = std::abs(1 - i - (fx - x0)) * std::abs(1 - j - (fy - y0));
        const int place = (y0 + j) * width + x0 + i;
        add(table[static_cast<std::size_t>(place)], weight);
    }
}

Columns integrateColumns(double radius, double up, double distance) {
    Columns sum;
    constexpr int kSteps = 400;
    for (int s = 0; s < kSteps; ++s) {
        // Shorter steps at the start, where the air is dense.
        const double place = (s + 0.5) / kSteps;
        const double t = distance * place * place;
        const double step = distance * 2.0 * place / kSteps;
        const Columns d = Atmosphere::densities(std::sqrt(radius * radius + t * t + 2.0 * radius * up * t));
        sum.air += d.air * step;
        sum.aerosol += d.aerosol * step;
        sum.ozone += d.ozone * step;
    }
    return sum;
}

/// The cosine at which a place sees its horizon.
double horizonOf(double radius) {
    return -safeRoot(1.0 - Atmosphere::kGround * Atmosphere::kGround / (radius * radius));
}

/// The share of the sun's disc above the horizon.
double sunSeen(double radius, double sunUp) {
    const double horizon = horizonOf(radius);
    const double reach = std::sin(glm::radians(kSunRadius)) * safeRoot(1.0 - horizon * horizon);
    return glm::smoothstep(horizon - reach, horizon + reach, sunUp);
}

void attenuate(const Extinction& extinction, const Columns& columns, double share, Spectrum& result) {
    for (std::size_t i = 0; i < kBands; ++i) {
        const float depth = extinction.air[i] * static_cast<float>(columns.air) +
                            extinction.aerosol[i] * static_cast<float>(columns.aerosol) +
                            extinction.ozone[i] * static_cast<float>(columns.ozone);
        result[i] = static_cast<float>(share) * std::exp(-depth);
    }
}

/// Where the tables have a place: the distance to its horizon, over the largest one (Bruneton and Neyret, "Precomputed
/// Atmospheric Scattering", 2008), which makes room for the dense air near the ground.
const double kLongestView = std::sqrt(Atmosphere::kTop * Atmosphere::kTop - Atmosphere::kGround * Atmosphere::kGround);

double radiusOf(double y) {
    return std::hypot(y * kLongestView, Atmosphere::kGround);
}

double placeOf(double radius) {
    return safeRoot(radius * radius - Atmosphere::kGround * Atmosphere::kGround) / kLongestView;
}

/// The sun's height in the table of further orders: finer about the horizon.
double sunPlace(double sunUp) {
    return 0.5 + 0.5 * (sunUp < 0.0 ? -1.0 : 1.0) * safeRoot(std::abs(sunUp));
}

} // namespace

Extinction::Extinction(double turbidity) {
    for (std::size_t i = 0; i < kBands; ++i) {
        const double wavelength = wavelengthOf(i);
        air[i] = static_cast<float>(airThickness(wavelength) / kAirHeight);
        const double haze = (turbidity - 1.0) * airThickness(550.0) * std::pow(wavelength / 550.0, -kAngstromExponent);
        aerosol[i] = static_cast<float>(haze / kAerosolHeight);
        ozone[i] = static_cast<float>(double{kOzoneCross[i]} * 1e-21 * kOzoneColumn / kOzoneReach);
    }
}

Atmosphere::Atmosphere(double turbidity, const glm::vec3& groundAlbedo)
    : extinction_(turbidity)
    , groundAlbedo_(reflectanceOf(groundAlbedo)) {
    tabulateColumns();
    // What the sky sends to the ground depends on what the ground sends back; a second round leaves errors of a
    // hundredth of the sky's light over snow.
    groundSky_.assign(kFurtherAngles, Spectrum{});
    tabulateFurther();
    if (groundAlbedo != glm::vec3(0.0F)) {
        tabulateGroundSky();
        tabulateFurther();
    }
}

const Spectrum& Atmosphere::solarIrradiance() {
    return kSolar;
}

RayEnd Atmosphere::rayEnd(double radius, double up) {
    const double across = radius * radius * (1.0 - up * up);
    if (up < 0.0 && across < kGround * kGround) {
        return {-radius * up - safeRoot(kGround * kGround - across), true};
    }
    return {-radius * up + safeRoot(kTop * kTop - across), false};
}

Columns Atmosphere::densities(double radius) {
    const double height = std::max(radius - kGround, 0.0);
    return {std::exp(-height / kAirHeight), std::exp(-height / kAerosolHeight),
            std::max(0.0, 1.0 - std::abs(height - kOzoneMiddle) / kOzoneReach)};
}

void Atmosphere::tabulateColumns() {
    columns_.resize(std::size_t{kColumnHeights} * kColumnAngles);
    parallelFor(kColumnHeights, 1, [&](std::int64_t y) {
        const double radius = radiusOf(static_cast<double>(y) / (kColumnHeights - 1));
        const double horizon = safeRoot(radius * radius - kGround * kGround);
        const double shortest = kTop - radius;
        const double longest = horizon + kLongestView;
        for (int x = 0; x < kColumnAngles; ++x) {
            const double distance = shortest + (longest - shortest) * x / (kColumnAngles - 1);
            const double up =
                distance <= 0.0
                    ? 1.0
                    : std::clamp((kTop * kTop - radius * radius - distance * distance) / (2.0 * radius * distance),
                                 -1.0, 1.0);
            columns_[static_cast<std::size_t>(y) * kColumnAngles + static_cast<std::size_t>(x)] =
                integrateColumns(radius, up, distance);
        }
    });
}

/// What a ray meets on its way to space. It must not meet the ground.
Columns Atmosphere::columnsToSpace(double radius, double up) const {
    const double distance = -radius * up + safeRoot(radius * radius * (up * up - 1.0) + kTop * kTop);
    const double shortest = kTop - radius;
    const double longest = safeRoot(radius * radius - kGround * kGround) + kLongestView;
    Columns sum;
    lookUp(columns_, kColumnAngles, kColumnHeights, (distance - shortest) / std::max(longest - shortest, 1e-9),
           placeOf(radius), [&](const Columns& c, double weight) {
               sum.air += c.air * weight;
               sum.aerosol += c.aerosol * weight;
               sum.ozone += c.ozone * weight;
           });
    return sum;
}

void Atmosphere::sunTransmittance(double radius, double sunUp, Spectrum& result) const {
    const double seen = sunSeen(radius, sunUp);
    result.fill(0.0F);
    if (seen > 0.0) {
        attenuate(extinction_, columnsToSpace(radius, std::max(sunUp, horizonOf(radius))), seen, result);
    }
}

Spectrum Atmosphere::directTransmittance(double turbidity, double radius, double sunUp) {
    Spectrum result{};
    const double seen = sunSeen(radius, sunUp);
    if (seen > 0.0) {
        const double up = std::max(sunUp, horizonOf(radius));
        const double distance = -radius * up + safeRoot(kTop * kTop - radius * radius * (1.0 - up * up));
        attenuate(Extinction(turbidity), integrateColumns(radius, up, distance), seen, result);
    }
    return result;
}

void Atmosphere::furtherAt(double radius, double sunUp, Spectrum& result) const {
    result.fill(0.0F);
    lookUp(further_, kFurtherAngles, kFurtherHeights, sunPlace(sunUp), placeOf(radius),
           [&](const Spectrum& value, double weight) {
               for (std::size_t i = 0; i < kBands; ++i) {
                   result[i] += value[i] * static_cast<float>(weight);
               }
           });
}

Atmosphere::Place Atmosphere::placeAlong(const Ray& ray, double distance) {
    const double radius =
        std::sqrt(ray.radius * ray.radius + distance * distance + 2.0 * ray.radius * ray.up * distance);
    return {std::clamp(radius, kGround, kTop),
            std::clamp((ray.radius * ray.sunUp + distance * ray.viewSun) / radius, -1.0, 1.0)};
}

void Atmosphere::scatterOver(const Step& step, Spectrum& seen, Spectrum& seenAround, Marched& result) const {
    for (std::size_t i = 0; i < kBands; ++i) {
        const float air = extinction_.air[i] * static_cast<float>(step.densities.air);
        const float aerosolExtinction = extinction_.aerosol[i] * static_cast<float>(step.densities.aerosol);
        const float aerosol = aerosolExtinction * kAerosolAlbedo;
        const float extinction =
            air + aerosolExtinction + extinction_.ozone[i] * static_cast<float>(step.densities.ozone);
        const float left = std::exp(-extinction * step.length);
        // The step's own extinction, integrated.
        const float reach = extinction * step.length > 1e-5F ? (1.0F - left) / extinction : step.length;
        const float source = kSolar[i] * step.sun[i] * (air * step.phaseAir + aerosol * step.phaseAerosol);
        const float scattered = air + aerosol * static_cast<float>(1.0 - kForward);
        const float dimmed = extinction - aerosol * static_cast<float>(kForward);
        const float leftAround = std::exp(-dimmed * step.length);
        const float reachAround = dimmed * step.length > 1e-5F ? (1.0F - leftAround) / dimmed : step.length;
        const float arriving = seenAround[i] * reachAround * scattered;
        result.once[i] += seen[i] * reach * source + arriving * step.around[i];
        result.scattering[i] += arriving;
        seen[i] *= left;
        seenAround[i] *= leftAround;
    }
}

void Atmosphere::addGround(const Place& place, const Spectrum& seen, Marched& result) const {
    Spectrum sun;
    sunTransmittance(place.radius, place.sunUp, sun);
    Spectrum fromSky{};
    lookUp(groundSky_, kFurtherAngles, 1, sunPlace(place.sunUp), 0.0, [&](const Spectrum& value, double weight) {
        for (std::size_t i = 0; i < kBands; ++i) {
            fromSky[i] += value[i] * static_cast<float>(weight);
        }
    });
    for (std::size_t i = 0; i < kBands; ++i) {
        const float irradiance = kSolar[i] * sun[i] * static_cast<float>(std::max(place.sunUp, 0.0)) + fromSky[i];
        result.once[i] += seen[i] * groundAlbedo_[i] * irradiance / static_cast<float>(kPi);
    }
}

void Atmosphere::march(const Ray& ray, int steps, bool further, Marched& result) const {
    Step step;
    step.phaseAir = static_cast<float>(airPhase(ray.viewSun));
    step.phaseAerosol = static_cast<float>(aerosolPhase(ray.viewSun));
    const RayEnd end = rayEnd(ray.radius, ray.up);
    Spectrum seen;
    Spectrum seenAround;
    seen.fill(1.0F);
    seenAround.fill(1.0F);
    for (int s = 0; s < steps; ++s) {
        // Shorter steps near the eye, where the air is dense and what it scatters is seen best.
        const double first = static_cast<double>(s) / steps;
        const double last = static_cast<double>(s + 1) / steps;
        const double from = end.distance * first * first;
        const double to = end.distance * last * last;
        const Place place = placeAlong(ray, 0.5 * (from + to));
        step.length = static_cast<float>(to - from);
        step.densities = densities(place.radius);
        sunTransmittance(place.radius, place.sunUp, step.sun);
        if (further) {
            furtherAt(place.radius, place.sunUp, step.around);
        }
        scatterOver(step, seen, seenAround, result);
    }
    if (end.ground) {
        addGround(placeAlong(ray, end.distance), seenAround, result);
    }
}

void Atmosphere::tabulateFurther() {
    further_.resize(std::size_t{kFurtherHeights} * kFurtherAngles);
    parallelFor(std::int64_t{kFurtherHeights} * kFurtherAngles, 1, [&](std::int64_t entry) {
        const std::int64_t row = entry / kFurtherAngles;
        const double radius = std::max(radiusOf(static_cast<double>(row) / (kFurtherHeights - 1)), kGround + 1e-3);
        const double place = 2.0 * static_cast<double>(entry % kFurtherAngles) / (kFurtherAngles - 1) - 1.0;
        const double sunUp = place * std::abs(place);
        const double sunAcross = safeRoot(1.0 - sunUp * sunUp);
        Marched sum;
        constexpr int kUps = 10;
        constexpr int kTurns = 6; // on one side: the other is its mirror image
        for (int i = 0; i < kUps * kTurns; ++i) {
            const int ring = i / kTurns;
            const double up = 2.0 * (ring + 0.5) / kUps - 1.0;
            const double turn = kPi * (i % kTurns + 0.5) / kTurns;
            const double viewSun = up * sunUp + safeRoot(1.0 - up * up) * sunAcross * std::cos(turn);
            march({radius, up, sunUp, viewSun}, 20, false, sum);
        }
        Spectrum& out = further_[static_cast<std::size_t>(entry)];
        for (std::size_t i = 0; i < kBands; ++i) {
            const float share = sum.scattering[i] / (kUps * kTurns);
            // Each further order is `share` of the one before it.
            out[i] = sum.once[i] / (kUps * kTurns) / (1.0F - std::min(share, 0.99F));
        }
    });
}

void Atmosphere::tabulateGroundSky() {
    std::vector<Spectrum> table(kFurtherAngles);
    parallelFor(kFurtherAngles, 1, [&](std::int64_t entry) {
        const double place = 2.0 * static_cast<double>(entry) / (kFurtherAngles - 1) - 1.0;
        const double sunUp = place * std::abs(place);
        Marched sum;
        constexpr int kUps = 8;
        constexpr int kTurns = 6;
        for (int i = 0; i < kUps * kTurns; ++i) {
            const int ring = i / kTurns;
            const double up = std::sqrt((ring + 0.5) / kUps); // evenly by the square: weighted by the cosine
            const double turn = kPi * (i % kTurns + 0.5) / kTurns;
            const double viewSun =
                up * sunUp + safeRoot(1.0 - up * up) * safeRoot(1.0 - sunUp * sunUp) * std::cos(turn);
            march({kGround + 1e-3, up, sunUp, viewSun}, 20, true, sum);
        }
        for (std::size_t i = 0; i < kBands; ++i) {
            table[static_cast<std::size_t>(entry)][i] = sum.once[i] * static_cast<float>(kPi / (kUps * kTurns));
        }
    });
    groundSky_ = std::move(table);
}

Spectrum Atmosphere::radiance(double radius, double up, double sunUp, double viewSun) const {
    Marched result;
    march({radius, up, sunUp, viewSun}, 48, true, result);
    return result.once;
}

} // namespace aureole::sky
