#include "sky/sky_model.h"

#include <algorithm>
#include <cmath>

#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr double kEyeRadius = sky::Atmosphere::kGround + 0.002; ///< km

/// Integrates the cosine-weighted radiance of the upper half, on a grid that is even in the square of the height.
template <typename Radiance>
sky::Spectrum irradianceOf(const Radiance& radiance) {
    constexpr int kRows = 24;
    constexpr int kColumns = 48;
    std::vector<sky::Spectrum> rows(kRows);
    parallelFor(kRows, 1, [&](std::int64_t row) {
        const double up = std::sqrt((static_cast<double>(row) + 0.5) / kRows);
        const double across = std::sqrt(1.0 - up * up);
        for (int column = 0; column < kColumns; ++column) {
            const double turn = 2.0 * kPi * (column + 0.5) / kColumns;
            const sky::Spectrum value = radiance(glm::dvec3(across * std::cos(turn), up, across * std::sin(turn)));
            for (std::size_t i = 0; i < sky::kBands; ++i) {
                rows[static_cast<std::size_t>(row)][i] += value[i];
            }
        }
    });
    sky::Spectrum sum{};
    for (const sky::Spectrum& row : rows) {
        for (std::size_t i = 0; i < sky::kBands; ++i) {
            sum[i] += row[i] * static_cast<float>(kPi / (kRows * kColumns));
        }
    }
    return sum;
}

} // namespace

SkyModel::SkyModel(double turbidity, const glm::vec3& groundAlbedo, const glm::dvec3& sun)
    : atmosphere_(turbidity, groundAlbedo)
    , sun_(sun) {
    skyIrradiance_ = irradianceOf([&](const glm::dvec3& direction) { return spectralRadiance(direction); });
    const sky::Spectrum direct = spectralSunIrradiance(turbidity, sun);
    for (std::size_t i = 0; i < sky::kBands; ++i) {
        const float irradiance = skyIrradiance_[i] + direct[i] * static_cast<float>(std::max(sun.y, 0.0));
        ground_[i] = atmosphere_.groundAlbedo()[i] * irradiance / static_cast<float>(kPi);
    }
}

sky::Spectrum SkyModel::spectralRadiance(const glm::dvec3& direction) const {
    if (direction.y < 0.0) {
        return ground_;
    }
    return atmosphere_.radiance(kEyeRadius, direction.y, sun_.y, glm::dot(direction, sun_));
}

glm::vec3 SkyModel::radiance(const glm::dvec3& direction) const {
    return sky::toRec709(spectralRadiance(direction));
}

sky::Spectrum spectralSunIrradiance(double turbidity, const glm::dvec3& sun) {
    sky::Spectrum result = sky::Atmosphere::directTransmittance(turbidity, kEyeRadius, sun.y);
    for (std::size_t i = 0; i < sky::kBands; ++i) {
        result[i] *= sky::Atmosphere::solarIrradiance()[i];
    }
    return result;
}

glm::vec3 sunIrradiance(double turbidity, const glm::dvec3& sun) {
    return sky::toRec709(spectralSunIrradiance(turbidity, sun));
}

glm::dvec3 skyDirection(double elevation, double azimuth) {
    const double up = glm::radians(elevation);
    const double turn = glm::radians(azimuth);
    return {std::cos(up) * std::sin(turn), std::sin(up), -std::cos(up) * std::cos(turn)};
}

} // namespace aureole
