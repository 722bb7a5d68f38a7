#include "integrator/bsdf_tables.h"
#include "integrator/path_setup.h"

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
    const std::vector<std::uint32_t> tables = bsdfTablesOf(materials);
    std::vector<shared::MaterialTraits> traits;
    traits.reserve(materials.size());
    for (std::size_t i = 0; i < materials.size(); ++i) {
        const Material& material = materials[i];
        const glm::vec3 absorption = material.absorption / static_cast<float>(space.scale);
        traits.push_back({modelOf(material.model), material.ior, absorption, material.lightGroup, tables[i]});
    }
    return traits;
}

std::uint32_t modelsOf(std::span<const Material> materials) {
    const std::vector<std::uint32_t> tables = bsdfTablesOf(materials);
    std::uint32_t models = 0;
    std::size_t dielectrics = 0;
    for (std::size_t i = 0; i < materials.size(); ++i) {
        models |= 1U << modelOf(materials[i].model);
        models |= tables[i] != 0 ? 1U << MODEL_ROUGH_DIELECTRIC : 0U;
        dielectrics += materials[i].model == MaterialModel::Dielectric ? 1 : 0;
    }
    models |= dielectrics > 1 ? 1U << MODEL_TWO_DIELECTRICS : 0U;
    return models;
}

} // namespace aureole
