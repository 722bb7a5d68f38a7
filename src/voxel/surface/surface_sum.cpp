#include "voxel/surface/surface_sum.h"

#include <cmath>

namespace aureole {

void SurfaceSum::add(const shared::VoxelSurface& surface, const shared::VoxelMaterial& entry, double area) {
    shared::addAreaSum(*this,
                       shared::areaSumOf(surface, shared::meanNormal(surface), entry.emission, entry.material, area));
}

bool SurfaceSum::operator==(const SurfaceSum& other) const {
    return weight == other.weight && albedo == other.albedo && emission == other.emission &&
           roughness == other.roughness && metalness == other.metalness && normal == other.normal &&
           facing == other.facing && lead == other.lead && material == other.material;
}

shared::VoxelAttributes averageAttributes(const SurfaceSum& sum) {
    return shared::averageOfSum(sum);
}

std::uint32_t averageEmission(const SurfaceSum& sum) {
    return shared::radianceOfSum(sum);
}

AverageMaterial averageMaterial(const SurfaceSum& sum) {
    return {averageEmission(sum), sum.weight > 0.0 ? sum.material : 0};
}

glm::vec3 unpackEmission(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 27U) - RADIANCE_BIAS - RADIANCE_BITS;
    const auto component = [&](unsigned shift) {
        return std::ldexp(static_cast<float>((bits >> shift) & 511U), exponent);
    };
    return {component(0), component(9), component(18)};
}

} // namespace aureole
