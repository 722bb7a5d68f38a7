#pragma once

#include <string>
#include <vector>

#include "shared/bsdf/bsdf.h"

namespace aureole {

/// A material, as seen from one of its sides: what the functions of bsdf.h take.
struct BsdfCase {
    std::string name;
    shared::Scatterer surface; ///< with +Z as its normal
    std::vector<glm::vec2> tableData;

    std::uint64_t tables() const { return reinterpret_cast<std::uint64_t>(tableData.data()); }
};

BsdfCase lambertCase(float albedo);
BsdfCase mirrorCase(float albedo);
BsdfCase paneCase(float albedo, float ior);
BsdfCase metallicCase(float albedo, float roughness, float metalness, float ior = 1.5F);
/// Seen from outside, or from inside.
BsdfCase dielectricCase(float roughness, float ior, bool inside, float albedo = 1.0F);

/// A metallicCase under a clear coat.
BsdfCase clearcoatCase(float clearcoat, float clearcoatRoughness, float albedo, float roughness, float metalness,
                       float ior = 1.5F);
/// Glass of index 1.5 for a share of the light only: a solid or a pane.
BsdfCase partialSolidCase(float transmission, float albedo, float roughness, float metalness, bool inside);
BsdfCase partialPaneCase(float transmission, float albedo, float roughness, float metalness);

/// A unit vector above the surface; the cosine is that to the normal.
glm::vec3 directionOf(double cosine, double azimuth = 0.3);

/// Point `index` of a sequence that fills the unit cube evenly: Roberts's additive recurrence R3.
glm::vec3 evenPoint(std::uint32_t index);

/// The share of power that goes on from `outgoing`, by `samples` even samples: weights, without the change of radiance
/// that refraction brings. All samples are moved by `shift`, round the unit cube.
double directionalAlbedo(const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples,
                         const glm::vec3& shift = glm::vec3(0.0F));

/// directionalAlbedo by the values of bsdfEvaluate, for rough surfaces: directions are drawn here, as microfacets of
/// Walter et al. 2007 and diffuse surfaces scatter, masking and tables left out.
double albedoOfValues(const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples, const glm::vec3& shift);

struct Estimate {
    double mean;
    double error; ///< standard error of the mean
};

using AlbedoOf = double (*)(const BsdfCase&, const glm::vec3& outgoing, std::uint32_t samples, const glm::vec3& shift);

/// The mean of one of the albedos above by 16 random shifts, whose spread tells how good it is; `samples` in all.
Estimate estimateAlbedo(AlbedoOf albedo, const BsdfCase& bsdf, const glm::vec3& outgoing, std::uint32_t samples);

} // namespace aureole
