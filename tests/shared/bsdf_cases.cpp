#include "bsdf_cases.h"

#include <cmath>

#include <fmt/format.h>

#include "scene/bsdf_tables.h"
#include "scene/path_setup.h"

namespace aureole {

namespace {

BsdfCase caseOf(std::string name, const Material& material, bool inside) {
    const std::span<const Material> materials(&material, 1);
    const shared::MaterialTraits traits = makeMaterialTraits(materials, Space{}).front();
    const glm::vec3 up(0.0F, 0.0F, 1.0F);
    BsdfCase result{std::move(name), shared::makeScatterer(traits, inside ? 0 : 1, up, up, up),
                    makeBsdfTables(materials)};
    result.surface.albedo = material.albedo;
    result.surface.roughness = material.roughness;
    result.surface.metalness = material.metalness;
    return result;
}

Material materialOf(MaterialModel model, float albedo, float roughness, float ior) {
    Material material;
    material.model = model;
    material.albedo = glm::vec3(albedo);
    material.roughness = roughness;
    material.ior = ior;
    return material;
}

} // namespace

BsdfCase lambertCase(float albedo) {
    return caseOf("Lambert", materialOf(MaterialModel::Lambert, albedo, 1.0F, 1.5F), false);
}

BsdfCase mirrorCase(float albedo) {
    return caseOf("mirror", materialOf(MaterialModel::Mirror, albedo, 0.0F, 1.5F), false);
}

BsdfCase paneCase(float albedo, float ior) {
    return caseOf(fmt::format("pane of ior {}", ior), materialOf(MaterialModel::ThinGlass, albedo, 0.0F, ior), false);
}

BsdfCase metallicCase(float albedo, float roughness, float metalness, float ior) {
    Material material = materialOf(MaterialModel::MetallicRoughness, albedo, roughness, ior);
    material.metalness = metalness;
    return caseOf(
        fmt::format("albedo {}, roughness {}, metalness {}, coat of ior {}", albedo, roughness, metalness, ior),
        material, false);
}

BsdfCase dielectricCase(float roughness, float ior, bool inside, float albedo) {
    return caseOf(
        fmt::format("{} of a dielectric of ior {}, roughness {}", inside ? "inside" : "outside", ior, roughness),
        materialOf(MaterialModel::Dielectric, albedo, roughness, ior), inside);
}

glm::vec3 directionOf(double cosine, double azimuth) {
    const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
    return glm::normalize(glm::dvec3(sine * std::cos(azimuth), sine * std::sin(azimuth), cosine));
}

glm::vec3 evenPoint(std::uint32_t index) {
    // Powers of the inverse of the root of x^4 = x + 1.
    constexpr double kRoot = 1.2207440846057596;
    const auto at = [&](double step) {
        const double x = 0.5 + step * (index + 1.0);
        return std::min(static_cast<float>(x - std::floor(x)), 0.99999994F);
    };
    return {at(1.0 / kRoot), at(1.0 / (kRoot * kRoot)), at(1.0 / (kRoot * kRoot * kRoot))};
}

double directionalAlbedo(const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < samples; ++i) {
        const shared::BsdfSample s = shared::bsdfSample(bsdf.tables(), bsdf.surface, outgoing, evenPoint(i));
        const bool refracted = s.transmitted != 0 && bsdf.surface.model == MODEL_DIELECTRIC;
        sum += static_cast<double>(s.weight.x) *
               (refracted ? static_cast<double>(bsdf.surface.eta) * static_cast<double>(bsdf.surface.eta) : 1.0);
    }
    return sum / samples;
}

} // namespace aureole
