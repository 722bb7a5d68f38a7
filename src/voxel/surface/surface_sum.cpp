#include "voxel/surface/surface_sum.h"

#include <algorithm>
#include <cmath>

#include "voxel/surface/radiance.h"

namespace aureole {

namespace {

constexpr int kExponentBias = 15;
constexpr int kLargestExponent = 31;

} // namespace

void SurfaceSum::add(const shared::VoxelSurface& surface, const shared::VoxelMaterial& entry, double area) {
    SurfaceSum one;
    one.weight = area;
    one.albedo = area * glm::dvec3(surface.albedo);
    one.emission = area * glm::dvec3(entry.emission);
    one.roughness = area * double{surface.roughness};
    one.metalness = area * double{surface.metalness};
    one.normal =
        area * glm::dvec3(shared::isEdge(surface) != 0 ? glm::normalize(surface.geometricNormal + surface.normal)
                                                       : surface.normal);
    one.facing = area;
    one.material = entry.material;
    one.lead = area;
    add(one);
}

void SurfaceSum::add(const SurfaceSum& other) {
    weight += other.weight;
    albedo += other.albedo;
    emission += other.emission;
    roughness += other.roughness;
    metalness += other.metalness;
    const double cosine = glm::dot(normal, other.normal); // times both lengths, which are seldom needed
    const bool opposes = cosine < 0.0 && cosine < kOpposing * glm::length(normal) * glm::length(other.normal);
    normal += opposes ? -other.normal : other.normal;
    facing += opposes ? -other.facing : other.facing;
    lead = material == other.material ? lead + other.lead : lead - other.lead;
    if (lead < 0.0) {
        material = other.material;
        lead = -lead;
    }
}

shared::VoxelAttributes averageAttributes(const SurfaceSum& sum) {
    if (sum.weight <= 0.0) {
        return {0, 0, 1U << 24U};
    }
    const double length = glm::length(sum.normal);
    const bool pointing = length > 1e-3 * sum.weight;
    const glm::dvec3 normal = pointing ? sum.normal / (sum.facing < 0.0 ? -length : length) : glm::dvec3(0.0, 1.0, 0.0);
    shared::VoxelSurface surface{};
    surface.albedo = glm::vec3(sum.albedo / sum.weight);
    surface.normal = glm::vec3(normal);
    surface.geometricNormal = surface.normal;
    surface.roughness = static_cast<float>(sum.roughness / sum.weight);
    surface.metalness = static_cast<float>(sum.metalness / sum.weight);
    surface.crease = length < kCrease * sum.weight ? 1 : 0;
    surface.doubleSided = std::abs(sum.facing) < (1.0 - 1e-9) * sum.weight ? 1 : 0;
    // The mean length is the mean cosine; which side bends how is not known here.
    const double cosine = std::min(length / sum.weight, 1.0);
    surface.spread = static_cast<float>(std::sqrt(1.0 - cosine * cosine));
    surface.hollow = surface.spread > SPREAD_FLAT ? 3 : 0;
    return shared::packAttributes(surface);
}

std::uint32_t averageEmission(const SurfaceSum& sum) {
    const glm::dvec3 radiance = sum.weight > 0.0 ? sum.emission / sum.weight : glm::dvec3(0.0);
    const double largest = std::max({radiance.x, radiance.y, radiance.z});
    if (!(largest > 0.0)) {
        return 0;
    }
    int exponent = 0; // largest = m 2^exponent with m in [1/2, 1)
    std::frexp(largest, &exponent);
    exponent = std::clamp(exponent, -kExponentBias, kLargestExponent - kExponentBias);
    constexpr double kMost = (1 << kRadianceBits) - 1;
    const auto mantissa = [&](double value) {
        const double steps = std::round(std::ldexp(value, kRadianceBits - exponent));
        return static_cast<std::uint32_t>(std::clamp(steps, 0.0, kMost));
    };
    return mantissa(radiance.x) | (mantissa(radiance.y) << 9U) | (mantissa(radiance.z) << 18U) |
           (static_cast<std::uint32_t>(exponent + kExponentBias) << 27U);
}

AverageMaterial averageMaterial(const SurfaceSum& sum) {
    return {averageEmission(sum), sum.weight > 0.0 ? sum.material : 0};
}

glm::vec3 unpackEmission(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 27U) - kExponentBias - kRadianceBits;
    const auto component = [&](unsigned shift) {
        return std::ldexp(static_cast<float>((bits >> shift) & 511U), exponent);
    };
    return {component(0), component(9), component(18)};
}

} // namespace aureole
