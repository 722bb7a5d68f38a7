#include "voxel/surface_average.h"

#include <bit>
#include <cmath>

#include "voxel/emission_palette.h"

namespace aureole {

namespace {

/// Normals whose cosine with the heaviest is below this belong to the other side of a sheet, not to an edge or a
/// corner.
constexpr float kOpposing = -0.5F;

/// A crease is where the mean of the unit geometric normals is shorter than this: an edge of 90 degrees whose smaller
/// side has more than a tenth of the area, or a bend of more than 50 degrees within the voxel.
constexpr double kCrease = 0.9;
/// Or where any part's geometric normal has less than this cosine with the heaviest's: light would leak past even a
/// small part of a wall.
constexpr float kApart = 0.5F;

struct Sums {
    double weight = 0.0;
    glm::dvec3 albedo{0.0};
    double roughness = 0.0;
    double metalness = 0.0;
    glm::dvec3 emission{0.0};
    bool sameEmission = true;
    glm::vec3 firstEmission{0.0F};
    double heaviest = 0.0;
    glm::vec3 heaviestNormal{0.0F};
    glm::vec3 heaviestGeometric{0.0F};
    bool apart = false;
    glm::dvec3 normal{0.0};
    glm::dvec3 geometricNormal{0.0};
    double geometricWeight = 0.0;
    double facing = 0.0; ///< weight of the normals that were not turned minus that of those that were
};

bool usable(const glm::vec3& normal) {
    return glm::dot(normal, normal) > 0.25F;
}

void addSample(Sums& sums, const SurfaceSample& sample) {
    const SurfacePoint& point = sample.point;
    if (sums.weight == 0.0) {
        sums.firstEmission = point.emission;
    }
    sums.sameEmission = sums.sameEmission && sample.exactEmission && point.emission == sums.firstEmission;
    sums.weight += sample.weight;
    sums.albedo += sample.weight * glm::dvec3(point.albedo);
    sums.roughness += sample.weight * double{point.roughness};
    sums.metalness += sample.weight * double{point.metalness};
    sums.emission += sample.weight * glm::dvec3(point.emission);
    if (sample.weight > sums.heaviest && usable(point.normal)) {
        sums.heaviest = sample.weight;
        sums.heaviestNormal = point.normal;
        sums.heaviestGeometric = point.geometricNormal;
    }
}

void addNormal(Sums& sums, const SurfaceSample& sample) {
    if (!usable(sample.point.normal)) {
        return;
    }
    const double side = glm::dot(sample.point.normal, sums.heaviestNormal) < kOpposing ? -1.0 : 1.0;
    sums.normal += side * sample.weight * glm::dvec3(sample.point.normal);
    sums.facing += side * sample.weight;
    sums.geometricNormal += side * sample.weight * glm::dvec3(sample.point.geometricNormal);
    sums.geometricWeight += sample.weight;
    sums.apart = sums.apart || std::abs(glm::dot(sample.point.geometricNormal, sums.heaviestGeometric)) < kApart;
}

glm::vec3 averageNormal(const Sums& sums) {
    const double length = glm::length(sums.normal);
    if (length > 1e-3 * sums.weight) {
        return glm::vec3(sums.normal / (sums.facing < 0.0 ? -length : length));
    }
    return usable(sums.heaviestNormal) ? glm::normalize(sums.heaviestNormal) : glm::vec3(0.0F, 1.0F, 0.0F);
}

glm::vec3 averageGeometricNormal(const Sums& sums, const glm::vec3& normal) {
    const double length = glm::length(sums.geometricNormal);
    if (length <= 1e-3 * sums.weight) {
        return normal;
    }
    const glm::vec3 geometric(sums.geometricNormal / length);
    return glm::dot(geometric, normal) < 0.0F ? -geometric : geometric;
}

bool isCrease(const Sums& sums) {
    return sums.apart || glm::length(sums.geometricNormal) < kCrease * sums.geometricWeight;
}

} // namespace

std::array<AverageSurface, 64> averageSamples(std::span<const SurfaceSample> samples, std::uint64_t& mask) {
    std::array<Sums, 64> sums{};
    mask = 0;
    for (const SurfaceSample& sample : samples) {
        addSample(sums[sample.bit], sample);
        mask |= std::uint64_t{1} << sample.bit;
    }
    for (const SurfaceSample& sample : samples) {
        addNormal(sums[sample.bit], sample);
    }
    std::array<AverageSurface, 64> surfaces{};
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        const Sums& sum = sums[bit];
        const glm::vec3 normal = averageNormal(sum);
        surfaces[bit] = {glm::vec3(sum.albedo / sum.weight),
                         normal,
                         static_cast<float>(sum.roughness / sum.weight),
                         static_cast<float>(sum.metalness / sum.weight),
                         sum.sameEmission ? sum.firstEmission : quantiseEmission(glm::vec3(sum.emission / sum.weight)),
                         averageGeometricNormal(sum, normal),
                         isCrease(sum)};
    }
    return surfaces;
}

} // namespace aureole
