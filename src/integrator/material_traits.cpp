#include "integrator/bsdf_tables.h"
#include "integrator/path_setup.h"

namespace aureole {

namespace {

static_assert(static_cast<std::uint32_t>(MaterialModel::Lambert) == MODEL_LAMBERT &&
              static_cast<std::uint32_t>(MaterialModel::MetallicRoughness) == MODEL_METALLIC_ROUGHNESS &&
              static_cast<std::uint32_t>(MaterialModel::Mirror) == MODEL_MIRROR &&
              static_cast<std::uint32_t>(MaterialModel::Dielectric) == MODEL_DIELECTRIC &&
              static_cast<std::uint32_t>(MaterialModel::ThinGlass) == MODEL_THIN_GLASS);

std::uint32_t modelOf(MaterialModel model) {
    return static_cast<std::uint32_t>(model);
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
