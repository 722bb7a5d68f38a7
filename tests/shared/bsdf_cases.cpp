#include "bsdf_cases.h"

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "scene/view.h"

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

BsdfCase clearcoatCase(float clearcoat, float clearcoatRoughness, float albedo, float roughness, float metalness,
                       float ior) {
    Material material = materialOf(MaterialModel::MetallicRoughness, albedo, roughness, ior);
    material.metalness = metalness;
    material.clearcoat = clearcoat;
    material.clearcoatRoughness = clearcoatRoughness;
    return caseOf(fmt::format("clear coat {} of roughness {} on albedo {}, roughness {}, metalness {}", clearcoat,
                              clearcoatRoughness, albedo, roughness, metalness),
                  material, false);
}

BsdfCase partialSolidCase(float transmission, float albedo, float roughness, float metalness, bool inside) {
    Material material = materialOf(MaterialModel::Dielectric, albedo, roughness, 1.5F);
    material.metalness = metalness;
    material.transmission = transmission;
    return caseOf(fmt::format("{} of a solid of transmission {}, roughness {}, metalness {}",
                              inside ? "inside" : "outside", transmission, roughness, metalness),
                  material, inside);
}

BsdfCase partialPaneCase(float transmission, float albedo, float roughness, float metalness) {
    Material material = materialOf(MaterialModel::ThinGlass, albedo, roughness, 1.5F);
    material.metalness = metalness;
    material.transmission = transmission;
    return caseOf(
        fmt::format("pane of transmission {}, roughness {}, metalness {}", transmission, roughness, metalness),
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

namespace {

glm::vec3 shifted(const glm::vec3& point, const glm::vec3& shift) {
    return glm::min(glm::fract(point + shift), glm::vec3(0.99999994F));
}

} // namespace

double directionalAlbedo(const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples,
                         const glm::vec3& shift) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < samples; ++i) {
        const glm::vec3 u = shifted(evenPoint(i), shift);
        const shared::BsdfSample s = shared::bsdfSample(bsdf.tables(), bsdf.surface, outgoing, u);
        const bool refracted = s.transmitted != 0 && bsdf.surface.model == MODEL_DIELECTRIC;
        sum += static_cast<double>(s.weight.x) *
               (refracted ? static_cast<double>(bsdf.surface.eta) * static_cast<double>(bsdf.surface.eta) : 1.0);
    }
    return sum / samples;
}

namespace {

struct Proposal {
    glm::vec3 direction;
    double pdf; ///< 0 where the direction is on the wrong side
};

/// By a visible microfacet, or over the hemisphere.
Proposal proposeReflection(const shared::Scatterer& surface, const glm::vec3& outgoing, const glm::vec3& u) {
    const float alpha = surface.roughness * surface.roughness;
    glm::vec3 h = shared::sampleVisibleNormal(outgoing, alpha, {u.x, u.y});
    glm::vec3 direction = shared::reflectAbout(outgoing, h);
    if (u.z < 0.5F) {
        direction = shared::sampleCosineHemisphere({u.x, u.y});
        h = glm::normalize(outgoing + direction);
    }
    const auto diffuse = static_cast<double>(shared::cosineHemispherePdf(std::max(direction.z, 0.0F)));
    const auto specular =
        static_cast<double>(shared::visibleNormalPdf(outgoing, h, alpha) / (4.0F * glm::dot(outgoing, h)));
    return {direction, 0.5 * (diffuse + specular)};
}

/// By a visible microfacet and Fresnel's equations.
Proposal proposeThroughGlass(const shared::Scatterer& surface, const glm::vec3& outgoing, const glm::vec3& u) {
    const float alpha = surface.roughness * surface.roughness;
    const glm::vec3 h = shared::sampleVisibleNormal(outgoing, alpha, {u.x, u.y});
    const float behind = glm::dot(outgoing, h);
    const float reflectance = shared::fresnelDielectric(behind, surface.eta);
    const auto normals = static_cast<double>(shared::visibleNormalPdf(outgoing, h, alpha));
    if (u.z < reflectance) {
        const glm::vec3 direction = shared::reflectAbout(outgoing, h);
        return {direction, direction.z > 0.0F ? static_cast<double>(reflectance / (4.0F * behind)) * normals : 0.0};
    }
    const float ahead = shared::refractedCosine(behind, surface.eta);
    const auto eta = static_cast<double>(surface.eta);
    const double size = static_cast<double>(behind) - eta * static_cast<double>(ahead);
    const double jacobian = eta * eta * static_cast<double>(ahead) / (size * size);
    const glm::vec3 direction = shared::refractAbout(outgoing, h, surface.eta, ahead);
    return {direction, direction.z < 0.0F ? static_cast<double>(1.0F - reflectance) * jacobian * normals : 0.0};
}

} // namespace

double albedoOfValues(const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples, const glm::vec3& shift) {
    const bool glass = bsdf.surface.model == MODEL_DIELECTRIC;
    const double eta = glass ? static_cast<double>(bsdf.surface.eta) : 1.0;
    double sum = 0.0;
    for (std::uint32_t i = 0; i < samples; ++i) {
        const glm::vec3 u = shifted(evenPoint(i), shift);
        const Proposal proposal =
            glass ? proposeThroughGlass(bsdf.surface, outgoing, u) : proposeReflection(bsdf.surface, outgoing, u);
        const shared::BsdfValue found = shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, outgoing, proposal.direction);
        if (proposal.pdf > 0.0) {
            sum += static_cast<double>(found.value.x) / proposal.pdf * (proposal.direction.z < 0.0F ? eta * eta : 1.0);
        }
    }
    return sum / samples;
}

Estimate estimateAlbedo(AlbedoOf albedo, const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples) {
    constexpr int kShifts = 16;
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < kShifts; ++i) {
        const glm::vec3 shift(uniform(random), uniform(random), uniform(random));
        const double excess = albedo(bsdf, outgoing, samples / kShifts, shift) - 1.0;
        sum += excess;
        squares += excess * excess;
    }
    const double mean = sum / kShifts;
    return {1.0 + mean, std::sqrt(std::max(0.0, squares / kShifts - mean * mean) / (kShifts - 1))};
}

} // namespace aureole
