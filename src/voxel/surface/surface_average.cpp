#include "voxel/surface/surface_average.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "voxel/surface/radiance.h"
#include "voxel/surface/surface_sum.h"

namespace aureole {

namespace {

/// A crease is also where any part's geometric normal has less than this cosine with the mean: light would leak past
/// even a small part of a wall.
constexpr double kApart = 0.5;
/// Or where two parts face each other, as in a narrow gap, or meet at an acute angle: opposing parts are one thin sheet
/// only where they lie back to back and their cosine is beyond this.
constexpr double kBackToBack = -0.98;
/// How far in front of the other, in voxels, the one of two such parts may seem to lie.
constexpr double kBackToBackSlack = 1e-3;
/// How far in front of a part, in voxels, another lies where the two are hollow between them: beyond rounding.
constexpr double kHollow = 1e-4;

struct Sums {
    double weight = 0.0;
    glm::dvec3 albedo{0.0};
    double roughness = 0.0;
    double metalness = 0.0;
    double emitting = 0.0; ///< weight of what emits
    glm::dvec3 emission{0.0};
    bool sameEmission = true;
    glm::vec3 firstEmission{0.0F};
    std::uint32_t firstMaterial = 0;
    bool sameMaterial = true;
    double heaviest = 0.0;
    glm::vec3 heaviestNormal{0.0F};
    glm::vec3 heaviestGeometric{0.0F};
    glm::vec3 heaviestPosition{0.0F};
    glm::vec3 heaviestPlane{0.0F};
    bool crease = false;
    bool doubleSided = false;
    std::uint32_t hollow = 0;
    double spread = 0.0;
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
        sums.firstMaterial = point.material;
    }
    if (point.emission != glm::vec3(0.0F)) {
        sums.firstEmission = sums.emitting == 0.0 ? point.emission : sums.firstEmission;
        sums.sameEmission = sums.sameEmission && sample.exactEmission && point.emission == sums.firstEmission;
        sums.emitting += sample.weight;
        sums.emission += sample.weight * glm::dvec3(point.emission);
    }
    sums.sameMaterial = sums.sameMaterial && point.material == sums.firstMaterial;
    sums.weight += sample.weight;
    sums.albedo += sample.weight * glm::dvec3(point.albedo);
    sums.roughness += sample.weight * double{point.roughness};
    sums.metalness += sample.weight * double{point.metalness};
    if (sample.weight > sums.heaviest && usable(point.normal)) {
        sums.heaviest = sample.weight;
        sums.heaviestNormal = point.normal;
        sums.heaviestGeometric = point.geometricNormal;
        sums.heaviestPosition = sample.position;
        sums.heaviestPlane = sample.plane;
    }
}

void addNormal(Sums& sums, const SurfaceSample& sample) {
    if (!usable(sample.point.normal)) {
        return;
    }
    const double side = glm::dot(sample.point.normal, sums.heaviestNormal) < kOpposing ? -1.0 : 1.0;
    sums.normal += side * sample.weight * glm::dvec3(sample.point.normal);
    sums.facing += side * sample.weight;
    const double geometricSide = glm::dot(sample.point.geometricNormal, sums.heaviestGeometric) < 0.0F ? -1.0 : 1.0;
    sums.geometricNormal += geometricSide * sample.weight * glm::dvec3(sample.point.geometricNormal);
    sums.geometricWeight += sample.weight;
}

/// Compares a sample, however small, with the heaviest one and with the mean geometric normal.
void addBend(Sums& sums, const SurfaceSample& sample, const glm::vec3& mean) {
    if (!sample.flat || !usable(sample.point.normal)) {
        return;
    }
    const glm::dvec3 normal(sample.point.geometricNormal);
    const glm::dvec3 heaviest(sums.heaviestGeometric);
    const glm::dvec3 apart(sample.position - sums.heaviestPosition);
    const double cosine = glm::dot(normal, heaviest);
    const double front = glm::dot(apart, heaviest);
    sums.spread = std::max(sums.spread, glm::length(glm::cross(normal, glm::dvec3(mean))));
    sums.crease = sums.crease || std::abs(glm::dot(normal, glm::dvec3(mean))) < kApart ||
                  (cosine < 0.0 && (cosine > kBackToBack || front > kBackToBackSlack));
    sums.doubleSided = sums.doubleSided || cosine < 0.0;
    // Hollow from a side: one of the two lies in front of the other, by the planes that positions are in.
    const double frontOfHeaviest = glm::dot(apart, glm::dvec3(sums.heaviestPlane));
    const double back = -glm::dot(apart, glm::dvec3(sample.plane));
    const double frontOfThis = cosine < 0.0 ? -back : back;
    const std::uint32_t side = glm::dot(heaviest, glm::dvec3(mean)) < 0.0 ? 1 : 0;
    sums.hollow |= std::max(frontOfHeaviest, frontOfThis) > kHollow ? 1U << side : 0U;
    sums.hollow |= std::min(frontOfHeaviest, frontOfThis) < -kHollow ? 2U >> side : 0U;
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
    return sums.crease || glm::length(sums.geometricNormal) < kCrease * sums.geometricWeight;
}

/// The samples of one voxel: numbers of those of its block, in their order.
struct VoxelSamples {
    std::span<const SurfaceSample> ofBlock;
    std::span<const std::uint32_t> numbers;

    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (const std::uint32_t number : numbers) {
            visit(ofBlock[number]);
        }
    }
};

/// The material with the largest share of a voxel that has several.
std::uint32_t largestMaterial(const VoxelSamples& samples) {
    std::map<std::uint32_t, double> shares;
    samples.forEach([&](const SurfaceSample& sample) { shares[sample.point.material] += sample.weight; });
    return std::max_element(shares.begin(), shares.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

/// What a voxel shows in the mean, but for its material and what depends on how its samples bend.
void setMeans(const Sums& sum, AverageSurface& surface) {
    surface.albedo = glm::vec3(sum.albedo / sum.weight);
    surface.normal = averageNormal(sum);
    surface.roughness = static_cast<float>(sum.roughness / sum.weight);
    surface.metalness = static_cast<float>(sum.metalness / sum.weight);
    surface.emission = sum.sameEmission ? sum.firstEmission : quantiseEmission(glm::vec3(sum.emission / sum.emitting));
    surface.emitting = sum.emitting;
    surface.ofCells = false;
    surface.geometricNormal = averageGeometricNormal(sum, surface.normal);
    surface.area = sum.weight;
}

void averageVoxel(const VoxelSamples& samples, AverageSurface& surface) {
    Sums sums;
    samples.forEach([&](const SurfaceSample& sample) { addSample(sums, sample); });
    samples.forEach([&](const SurfaceSample& sample) { addNormal(sums, sample); });
    setMeans(sums, surface);
    surface.material = sums.sameMaterial ? sums.firstMaterial : largestMaterial(samples);
    samples.forEach([&](const SurfaceSample& sample) { addBend(sums, sample, surface.geometricNormal); });
    surface.crease = isCrease(sums);
    surface.doubleSided = sums.doubleSided;
    surface.hollow = sums.hollow;
    surface.spread = static_cast<float>(sums.spread);
}

/// The same of a voxel's only sample, to the last bit: means of one value are that value, but a normal's length is
/// rounded once more.
void averageOne(const SurfaceSample& sample, AverageSurface& surface) {
    const SurfacePoint& point = sample.point;
    const bool emits = point.emission != glm::vec3(0.0F);
    surface.albedo = point.albedo;
    surface.roughness = point.roughness;
    surface.metalness = point.metalness;
    surface.emission = !emits || sample.exactEmission ? point.emission : quantiseEmission(point.emission);
    surface.emitting = emits ? sample.weight : 0.0;
    surface.material = point.material;
    surface.area = sample.weight;
    if (!usable(point.normal)) {
        surface.geometricNormal = surface.normal;
        return;
    }
    const glm::dvec3 sum = sample.weight * glm::dvec3(point.normal);
    surface.normal = glm::vec3(sum / glm::length(sum));
    const glm::dvec3 geometricSum = sample.weight * glm::dvec3(point.geometricNormal);
    const double geometricLength = glm::length(geometricSum);
    const glm::vec3 geometric(geometricSum / geometricLength);
    surface.geometricNormal = glm::dot(geometric, surface.normal) < 0.0F ? -geometric : geometric;
    if (sample.flat) {
        const glm::dvec3 normal(point.geometricNormal);
        const glm::dvec3 mean(surface.geometricNormal);
        surface.spread = static_cast<float>(glm::length(glm::cross(normal, mean)));
    }
}

} // namespace

shared::VoxelMaterial meanMaterialOf(const AverageSurface& average) {
    shared::VoxelMaterial material = materialOf(average);
    material.emission *= static_cast<float>(average.emitting / average.area);
    return material;
}

EmittingArea emittingAreaOf(const AverageSurface& average) {
    return {average.ofCells ? -1.0F : static_cast<float>(average.emitting),
            static_cast<float>(average.emitting / average.area)};
}

std::uint64_t averageSamples(std::span<const SurfaceSample> samples, std::vector<AverageSurface>& surfaces) {
    thread_local std::vector<std::uint32_t> numbers; // taken once, not for every block
    std::array<std::uint32_t, 65> starts{};
    std::uint64_t mask = 0;
    for (const SurfaceSample& sample : samples) {
        ++starts[sample.bit + 1];
        mask |= std::uint64_t{1} << sample.bit;
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    numbers.resize(samples.size());
    std::array<std::uint32_t, 65> next = starts;
    for (std::uint32_t i = 0; i < samples.size(); ++i) {
        numbers[next[samples[i].bit]++] = i;
    }
    surfaces.clear();
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint32_t count = starts[bit + 1] - starts[bit];
        AverageSurface& surface = surfaces.emplace_back();
        if (count == 1) {
            averageOne(samples[numbers[starts[bit]]], surface);
        } else {
            averageVoxel({samples, std::span(numbers).subspan(starts[bit], count)}, surface);
        }
    }
    return mask;
}

} // namespace aureole
