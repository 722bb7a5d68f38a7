#include "scene/path_setup.h"

namespace aureole {

namespace {

std::uint32_t modelOf(MaterialModel model) {
    switch (model) {
    case MaterialModel::Lambert:
        return MODEL_LAMBERT;
    case MaterialModel::MetallicRoughness:
        return MODEL_METALLIC_ROUGHNESS;
    case MaterialModel::Mirror:
        return MODEL_MIRROR;
    case MaterialModel::Dielectric:
        return MODEL_DIELECTRIC;
    case MaterialModel::ThinGlass:
        break;
    }
    return MODEL_THIN_GLASS;
}

} // namespace

std::vector<shared::MaterialTraits> makeMaterialTraits(std::span<const Material> materials, const Space& space) {
    std::vector<shared::MaterialTraits> traits;
    traits.reserve(materials.size());
    for (const Material& material : materials) {
        const glm::vec3 absorption = material.absorption / static_cast<float>(space.scale);
        traits.push_back({modelOf(material.model), material.ior, absorption, material.lightGroup, 0});
    }
    return traits;
}

} // namespace aureole
