#include "sky/hosek_sky.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "settings/limits.h"

namespace aureole {

namespace {

/// Radians. Throws Error (BadInput) where the model has no such sun.
double checkedElevation(double turbidity, const glm::dvec3& sun) {
    if (!(turbidity >= 1.0 && turbidity <= 10.0)) {
        fail(ExitCode::BadInput, "sky: found a turbidity of {:g}, expected 1 to 10", turbidity);
    }
    const double elevation = std::asin(std::clamp(sun.y, -1.0, 1.0));
    if (!(elevation >= 0.0)) {
        fail(ExitCode::BadInput, "sky: found a sun at {:g} degrees, expected 0 (the horizon) to 90 (overhead)",
             glm::degrees(elevation));
    }
    return elevation;
}

std::array<sky::SkyChannel, 3> makeChannels(const sky::HosekData& data, double turbidity, const glm::vec3& albedo,
                                            const glm::dvec3& sun) {
    const double elevation = checkedElevation(turbidity, sun);
    return {sky::SkyChannel(data.sky[0], turbidity, double{albedo.x}, elevation),
            sky::SkyChannel(data.sky[1], turbidity, double{albedo.y}, elevation),
            sky::SkyChannel(data.sky[2], turbidity, double{albedo.z}, elevation)};
}

/// 0 for what is no number, which figures other than those published could give.
float asRadiance(double value) {
    return static_cast<float>(std::min(std::max(0.0, value), kMaximumNumber));
}

/// Integrates cosine-weighted radiance over the upper half: one side of the sun's plane, which is the other's mirror
/// image, on a grid that is even in height and azimuth, and so in solid angle.
template <typename Radiance>
glm::dvec3 irradianceOf(const glm::dvec3& sun, const Radiance& radiance) {
    constexpr int kRows = 64;
    constexpr int kColumns = 64;
    const double sunTurn = std::atan2(sun.z, sun.x);
    glm::dvec3 sum(0.0);
    for (int row = 0; row < kRows; ++row) {
        const double up = (row + 0.5) / kRows;
        const double across = std::sqrt(1.0 - up * up);
        for (int column = 0; column < kColumns; ++column) {
            const double turn = sunTurn + kPi * (column + 0.5) / kColumns;
            sum += up * glm::dvec3(radiance({across * std::cos(turn), up, across * std::sin(turn)}));
        }
    }
    return sum * (2.0 * kPi / (kRows * kColumns));
}

} // namespace

HosekSky::HosekSky(const sky::HosekData& data, double turbidity, const glm::vec3& groundAlbedo, const glm::dvec3& sun)
    : channels_(makeChannels(data, turbidity, groundAlbedo, sun))
    , sun_(sun)
    , skyIrradiance_(irradianceOf(sun, [&](const glm::dvec3& direction) { return skyRadiance(direction); }))
    , ground_(groundAlbedo * (skyIrradiance_ + hosekSunIrradiance(data, turbidity, sun) * static_cast<float>(sun.y)) /
              static_cast<float>(kPi)) {}

glm::vec3 HosekSky::skyRadiance(const glm::dvec3& direction) const {
    const double up = std::clamp(direction.y, 0.0, 1.0);
    const double sunCosine = std::clamp(glm::dot(direction, sun_), -1.0, 1.0);
    const double sunAngle = std::acos(sunCosine);
    glm::vec3 value;
    for (int i = 0; i < 3; ++i) {
        const double found = channels_[static_cast<std::size_t>(i)].radiance(up, sunAngle, sunCosine);
        value[i] = asRadiance(found);
    }
    return value;
}

glm::vec3 HosekSky::radiance(const glm::dvec3& direction) const {
    return direction.y < 0.0 ? ground_ : skyRadiance(direction);
}

glm::vec3 hosekSunIrradiance(const sky::HosekData& data, double turbidity, const glm::dvec3& sun) {
    const glm::dvec3 radiance = sky::solarRadiance(data.sun, turbidity, checkedElevation(turbidity, sun));
    const double sine = std::sin(glm::radians(sky::kSolarRadius));
    const glm::dvec3 irradiance = radiance * (kPi * sine * sine);
    return {asRadiance(irradiance.x), asRadiance(irradiance.y), asRadiance(irradiance.z)};
}

} // namespace aureole
