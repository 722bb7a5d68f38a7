#include "integrator/environment_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/threads/parallel.h"
#include "model/photometry.h"
#include "sky/hosek_sky.h"
#include "sky/sky_model.h"

namespace aureole {

namespace {

glm::vec3 gradientRadiance(const Environment& environment, double y) {
    if (y >= 0.0) {
        return glm::mix(environment.horizon, environment.zenith, static_cast<float>(std::sqrt(y)));
    }
    return glm::mix(environment.horizon, environment.ground, glm::smoothstep(0.0F, 0.05F, static_cast<float>(-y)));
}

/// The image's radiance at (u, v) in texels, bilinear, wrapping along u.
glm::vec3 imageRadiance(const Image& image, const std::array<const Channel*, 3>& rgb, double u, std::uint32_t row) {
    const double x = u - std::floor(u / image.width) * image.width;
    const auto x0 = std::min(static_cast<std::uint32_t>(x), image.width - 1);
    const std::uint32_t x1 = (x0 + 1) % image.width;
    const auto f = static_cast<float>(x - x0);
    glm::vec3 value;
    for (int c = 0; c < 3; ++c) {
        const float* values = rgb[static_cast<std::size_t>(c)]->values.data() + std::size_t{row} * image.width;
        value[c] = values[x0] + (values[x1] - values[x0]) * f;
    }
    return value;
}

/// How much of the radiance in its middle a softbox has at an angle from there, as a part of its radius.
double softboxProfile(double part) {
    constexpr double kSoftFrom = 0.7;
    return 1.0 - glm::smoothstep(kSoftFrom, 1.0, part);
}

/// The radiance in the middle of a softbox, by which it has its irradiance.
glm::vec3 softboxRadiance(const Softbox& softbox) {
    constexpr int kSteps = 1024;
    const double radius = 0.5 * glm::radians(softbox.angularDiameter);
    double share = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const double part = (i + 0.5) / kSteps;
        share += softboxProfile(part) * std::sin(part * radius) * std::cos(part * radius);
    }
    return softbox.irradiance / static_cast<float>(2.0 * kPi * share * radius / kSteps);
}

glm::uvec2 sizeOf(const Environment& environment) {
    if (!environment.softboxes.empty()) {
        return {512, 256}; // the smallest is six texels wide
    }
    switch (environment.type) {
    case EnvironmentType::Image:
        return {environment.image.width, environment.image.height};
    case EnvironmentType::Gradient:
        return {64, 256};
    case EnvironmentType::Sky:
        // At this size, lookups stray from the model by 0.1 % near the horizon and the sun where the sun is 5 degrees
        // high, by 1 % where it is 1 degree high (root mean squares).
        return {512, 256};
    case EnvironmentType::Constant:
        break;
    }
    return {64, 32};
}

glm::dvec3 directionOf(double u, double v) {
    const double turn = (u - 0.5) * 2.0 * kPi;
    const double down = v * kPi;
    return {std::sin(down) * std::sin(turn), std::cos(down), -std::sin(down) * std::cos(turn)};
}

/// Radiance at texel x, y.
using TexelRadiance = std::function<glm::vec3(std::uint32_t x, std::uint32_t y)>;

/// Shares the model, since a function is copied.
template <typename Model>
TexelRadiance skyRadiance(Model&& made, const glm::uvec2& size) {
    const auto model = std::make_shared<const std::decay_t<Model>>(std::forward<Model>(made));
    return [model, size](std::uint32_t x, std::uint32_t y) {
        return model->radiance(directionOf((x + 0.5) / size.x, (y + 0.5) / size.y));
    };
}

TexelRadiance radianceOf(const Environment& environment, const std::string& file, const glm::uvec2& size) {
    if (environment.type == EnvironmentType::Image) {
        const double shift = environment.rotation / 360.0 * size.x;
        return [&environment, rgb = environment.image.rgb(file), shift](std::uint32_t x, std::uint32_t y) {
            return imageRadiance(environment.image, rgb, x + shift, y);
        };
    }
    if (environment.type == EnvironmentType::Gradient) {
        return [&environment, size](std::uint32_t, std::uint32_t y) {
            return gradientRadiance(environment, std::cos((y + 0.5) / size.y * kPi));
        };
    }
    if (environment.type == EnvironmentType::Sky) {
        const Sky& sky = environment.sky;
        if (sky.hosek) {
            return skyRadiance(HosekSky(*sky.hosek, sky.turbidity, sky.groundAlbedo, sky.sunDirection), size);
        }
        return skyRadiance(SkyModel(sky.turbidity, sky.groundAlbedo, sky.sunDirection), size);
    }
    return [&environment](std::uint32_t, std::uint32_t) { return environment.radiance; };
}

TexelRadiance withSoftboxes(const TexelRadiance& radiance, const Environment& environment, const glm::uvec2& size) {
    if (environment.softboxes.empty()) {
        return radiance;
    }
    std::vector<glm::vec3> middles;
    for (const Softbox& softbox : environment.softboxes) {
        middles.push_back(softboxRadiance(softbox));
    }
    return [=, &softboxes = environment.softboxes](std::uint32_t x, std::uint32_t y) {
        const glm::dvec3 direction = directionOf((x + 0.5) / size.x, (y + 0.5) / size.y);
        glm::vec3 sum = radiance(x, y);
        for (std::size_t i = 0; i < softboxes.size(); ++i) {
            const double angle = std::acos(std::clamp(glm::dot(direction, softboxes[i].direction), -1.0, 1.0));
            const double part = angle / (0.5 * glm::radians(softboxes[i].angularDiameter));
            sum += middles[i] * static_cast<float>(softboxProfile(part));
        }
        return sum;
    };
}

/// What MIS compensation must leave of the flux for anything to be drawn, lest rounding decides what that is.
constexpr double kLeastLeft = 1e-3;

/// The solid angle of a cell of sampleEnvironment in the ring below the middles of row `ring - 1`.
double cellSolidAngle(const glm::uvec2& size, std::uint32_t ring) {
    const double above = std::max(ring - 0.5, 0.0) * kPi / size.y;
    const double below = std::min(ring + 0.5, static_cast<double>(size.y)) * kPi / size.y;
    return 2.0 * std::sin(0.5 * (above + below)) * std::sin(0.5 * (below - above)) * 2.0 * kPi / size.x;
}

std::vector<double> luminances(const EnvironmentTable& table) {
    std::vector<double> values;
    values.reserve(table.radiances.size());
    for (const glm::vec3& radiance : table.radiances) {
        values.push_back(luminanceOf(radiance));
    }
    return values;
}

/// The integral over all directions of texels' values, which are bilinear in between as environmentAt has it: each has
/// half of the cells above and of those below its row, a quarter of each of four, and at the poles all.
double integrate(const glm::uvec2& size, const std::vector<double>& values) {
    double sum = 0.0;
    for (std::uint32_t y = 0; y < size.y; ++y) {
        const double share = (y == 0 ? 1.0 : 0.5) * cellSolidAngle(size, y) +
                             (y + 1 == size.y ? 1.0 : 0.5) * cellSolidAngle(size, y + 1);
        const auto row = values.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * size.x);
        sum += share * std::accumulate(row, row + size.x, 0.0);
    }
    return sum;
}

} // namespace

EnvironmentTable bakeEnvironment(const Environment& environment, const std::string& file) {
    EnvironmentTable table;
    table.size = sizeOf(environment);
    table.radiances.resize(std::size_t{table.size.x} * table.size.y);
    const TexelRadiance radiance = withSoftboxes(radianceOf(environment, file, table.size), environment, table.size);
    parallelFor(table.size.y, 1, [&](std::int64_t row) {
        const auto y = static_cast<std::uint32_t>(row);
        for (std::uint32_t x = 0; x < table.size.x; ++x) {
            table.radiances[std::size_t{y} * table.size.x + x] = radiance(x, y) * environment.scale;
        }
    });
    return table;
}

EnvironmentSampling sampleByLuminance(const EnvironmentTable& table, double removed) {
    const std::vector<double> light = luminances(table);
    EnvironmentSampling sampling;
    sampling.total = integrate(table.size, light);
    std::vector<double> densities(light);
    for (double& density : densities) {
        density = std::max(density - removed * sampling.total / (4.0 * kPi), 0.0);
    }
    const double sum = integrate(table.size, densities);
    if (!(sum > 0.0) || sum < kLeastLeft * sampling.total) {
        for (const glm::vec3& radiance : table.radiances) {
            sampling.texels.emplace_back(radiance, 0.0F);
        }
        return sampling;
    }
    sampling.flux = sum;
    for (std::size_t i = 0; i < densities.size(); ++i) {
        sampling.texels.emplace_back(table.radiances[i], densities[i] / sum);
    }
    for (std::uint32_t ring = 0; ring <= table.size.y; ++ring) {
        const double solidAngle = cellSolidAngle(table.size, ring);
        for (std::uint32_t x = 0; x < table.size.x; ++x) {
            double corners = 0.0;
            for (const std::uint32_t y : {std::max(ring, 1U) - 1, std::min(ring, table.size.y - 1)}) {
                const std::size_t row = std::size_t{y} * table.size.x;
                corners += densities[row + x] + densities[row + (x + 1) % table.size.x];
            }
            sampling.cellWeights.push_back(0.25 * corners / sum * solidAngle);
        }
    }
    return sampling;
}

} // namespace aureole
