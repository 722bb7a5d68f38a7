#include <cstring>

#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "scene/view.h"

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

/// Whether kernels that look no traits up (mattTraits) would take the material for another.
bool hasTraits(const Material& material) {
    shared::MaterialTraits matt = shared::mattTraits();
    matt.lightGroup = material.lightGroup;
    const shared::MaterialTraits traits = makeMaterialTraits({&material, 1}, Space{}).front();
    static_assert(alignof(shared::MaterialTraits) == sizeof(float),
                  "nothing lies between members of four bytes, so their bytes are compared");
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): another sign of a 0 only costs time
    return std::memcmp(&matt, &traits, sizeof(traits)) != 0;
}

shared::MaterialTraits traitsOf(const MaterialConstants& constants, std::uint32_t table, const Space& space) {
    shared::MaterialTraits traits{};
    traits.model = modelOf(constants.model);
    traits.ior = constants.ior;
    traits.absorption = constants.absorption / static_cast<float>(space.scale);
    traits.scattering = constants.scattering / static_cast<float>(space.scale);
    traits.lightGroup = constants.lightGroup;
    traits.table = table;
#define AUREOLE_COPIED(type, name, usual) traits.name = constants.name;
    MATERIAL_CONSTANTS(AUREOLE_COPIED)
#undef AUREOLE_COPIED
    return traits;
}

/// The traits of fog, or of a volume.
template <typename Medium>
shared::MaterialTraits traitsOf(const Medium& medium, const Space& space) {
    shared::MaterialTraits traits = shared::mattTraits();
    traits.absorption = medium.absorption / static_cast<float>(space.scale);
    traits.scattering = medium.scattering / static_cast<float>(space.scale);
    traits.anisotropy = medium.anisotropy;
    return traits;
}

constexpr std::uint32_t kMedium = (1U << MODEL_MEDIUM) | (1U << MODEL_TRAITS);

} // namespace

std::vector<shared::MaterialTraits> makeMaterialTraits(std::span<const Material> materials, const Space& space,
                                                       const std::optional<Fog>& fog, std::span<const Volume> volumes) {
    const std::vector<std::uint32_t> tables = bsdfTablesOf(materials);
    std::vector<shared::MaterialTraits> traits;
    traits.reserve(materials.size());
    for (std::size_t i = 0; i < materials.size(); ++i) {
        traits.push_back(traitsOf(ofItsModel(materials[i]), tables[i], space));
    }
    if (fog) {
        traits.push_back(traitsOf(*fog, space));
    }
    for (const Volume& volume : volumes) {
        traits.push_back(traitsOf(volume, space));
    }
    return traits;
}

std::uint32_t modelsOf(std::span<const Material> materials, const std::optional<Fog>& fog) {
    const std::vector<std::uint32_t> tables = bsdfTablesOf(materials);
    std::uint32_t models = fog ? kMedium : 0U;
    std::size_t dielectrics = 0;
    for (std::size_t i = 0; i < materials.size(); ++i) {
        const MaterialConstants constants = ofItsModel(materials[i]);
        models |= 1U << modelOf(materials[i].model);
        models |= isPartialGlass(constants) ? (1U << MODEL_PARTIAL_GLASS) | (1U << MODEL_METALLIC_ROUGHNESS) : 0U;
        models |= constants.clearcoat > 0.0F ? 1U << MODEL_CLEARCOAT : 0U;
        models |= tables[i] != 0 ? 1U << MODEL_ROUGH_DIELECTRIC : 0U;
        const bool isUnbent = shared::bendsNothing(modelOf(constants.model), constants.ior);
        models |= isUnbent ? 1U << MODEL_THIN_GLASS : 0U; // connections go on through both alike
        const glm::vec3 acts = constants.scattering + (isUnbent ? constants.absorption : glm::vec3(0.0F));
        models |= acts != glm::vec3(0.0F) ? kMedium : 0U;
        models |= hasTraits(materials[i]) ? 1U << MODEL_TRAITS : 0U;
        dielectrics += materials[i].model == MaterialModel::Dielectric ? 1 : 0;
    }
    models |= dielectrics > 1 ? 1U << MODEL_TWO_DIELECTRICS : 0U;
    return models;
}

std::uint32_t modelsOf(std::span<const Material> materials, const Scene& scene) {
    const std::uint32_t models = modelsOf(materials, scene.environment.fog);
    return scene.volumeInstances.empty() ? models : models | kMedium | (1U << MODEL_VOLUME);
}

} // namespace aureole
