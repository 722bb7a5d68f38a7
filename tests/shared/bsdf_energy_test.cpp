// Surfaces that absorb nothing give back all light, and none gives back more than it got.

#include <cmath>

#include <gtest/gtest.h>

#include "bsdf_cases.h"

namespace aureole {
namespace {

/// Grazing too; between the nodes of the tables as well as at them.
constexpr double kCosines[] = {1.0, 0.93, 0.7, 0.5, 0.31, 0.18, 0.1, 0.05, 0.02, 0.01, 0.003, 0.001};
constexpr float kRoughnesses[] = {0.0F, 0.02F, 0.05F, 0.1F, 0.15F, 0.2F, 0.27F, 0.35F, 0.5F, 0.64F, 0.8F, 0.93F, 1.0F};
constexpr std::uint32_t kSamples = 1U << 13U;

/// What the tables are good for: they are interpolated, and changes at the grazing angles of rough surfaces are steep.
double toleranceAt(double cosine, float roughness) {
    return cosine < 0.05 && roughness > 0.6F ? 0.012 : 0.006;
}

TEST(BsdfEnergy, WhiteSurfacesGiveAllLightBack) {
    for (const float roughness : kRoughnesses) {
        for (const float metalness : {0.0F, 0.4F, 1.0F}) {
            for (const float ior : {1.0F, 1.5F, 2.5F}) {
                const BsdfCase bsdf = metallicCase(1.0F, roughness, metalness, ior);
                for (const double cosine : kCosines) {
                    EXPECT_NEAR(directionalAlbedo(bsdf, directionOf(cosine), kSamples), 1.0,
                                toleranceAt(cosine, roughness))
                        << bsdf.name << ", cosine " << cosine;
                }
            }
        }
    }
}

TEST(BsdfEnergy, ClearGlassGivesAllLightBack) {
    for (const float roughness : kRoughnesses) {
        for (const float ior : {1.0F, 1.00001F, 1.1F, 1.5F, 2.4F}) {
            for (const bool inside : {false, true}) {
                const BsdfCase bsdf = dielectricCase(roughness, ior, inside);
                for (const double cosine : kCosines) {
                    EXPECT_NEAR(directionalAlbedo(bsdf, directionOf(cosine), kSamples), 1.0,
                                2.5 * toleranceAt(cosine, roughness))
                        << bsdf.name << ", cosine " << cosine;
                }
            }
        }
    }
}

} // namespace
} // namespace aureole
