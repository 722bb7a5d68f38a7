// Surfaces that absorb nothing give back all light, and none gives back more than it got.

#include <cmath>

#include <gtest/gtest.h>

#include "bsdf_cases.h"
#include "core/threads/parallel.h"
#include "full_sweep.h"

namespace aureole {
namespace {

/// Grazing too; between the nodes of the tables as well as at them.
constexpr double kCosines[] = {1.0, 0.93, 0.7, 0.5, 0.31, 0.18, 0.1, 0.05, 0.02, 0.01, 0.003, 0.0003};
constexpr float kRoughnesses[] = {0.0F, 0.02F, 0.05F, 0.1F, 0.15F, 0.2F, 0.27F, 0.35F, 0.5F, 0.64F, 0.8F, 0.93F, 1.0F};

/// Samples of a direction: the quick count, or a quarter of a million where AUREOLE_FULL is 1.
std::uint32_t sampleCount() {
    return quickOrFull(1U << 13U, 1U << 18U);
}

/// What the tables may be wrong by, beside the noise of the samples. They are made to err to the side of loss.
struct Systematic {
    double loss;
    double gain;
};

/// Whether the values of bsdfEvaluate can be told from the outside. Directions of single precision are as far from each
/// other as lobes are wide where the surface is all but smooth, more so at grazing angles.
bool hasValues(const BsdfCase& bsdf, double cosine) {
    const glm::vec3 u(0.01F);
    return bsdf.surface.roughness >= 0.1F && cosine >= 0.01 &&
           shared::bsdfSample(bsdf.tables(), bsdf.surface, directionOf(cosine), u).isDelta == 0;
}

struct View {
    const BsdfCase* bsdf;
    double cosine;
    Estimate sampled; ///< as paths go on
    Estimate valued;  ///< as light is connected to
};

void expectAllLight(const View& view, const Estimate& found, const Systematic& systematic) {
    SCOPED_TRACE(testing::Message() << view.bsdf->name << ", cosine " << view.cosine);
    const double noise = 5.0 * found.error + 1e-5; // and rounding
    EXPECT_GT(found.mean, 1.0 - systematic.loss - noise);
    EXPECT_LT(found.mean, 1.0 + systematic.gain + noise);
    EXPECT_LT(found.error, 3.0 / std::sqrt(sampleCount())); // so that there is a test at all
}

/// Looks at each surface from a third of the directions, in turn: others at the next roughness.
void expectAllLightBack(const std::vector<BsdfCase>& cases, const Systematic& systematic) {
    std::vector<View> views;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t k = (i + i / 12) % 3; k < std::size(kCosines); k += 3) {
            views.push_back({&cases[i], kCosines[k], {}, {}});
        }
    }
    parallelFor(static_cast<std::int64_t>(views.size()), 1, [&](std::int64_t i) {
        View& view = views[static_cast<std::size_t>(i)];
        const glm::vec3 outgoing = directionOf(view.cosine);
        view.sampled = estimateAlbedo(directionalAlbedo, *view.bsdf, outgoing, sampleCount());
        view.valued = hasValues(*view.bsdf, view.cosine)
                          ? estimateAlbedo(albedoOfValues, *view.bsdf, outgoing, sampleCount())
                          : view.sampled;
    });
    for (const View& view : views) {
        expectAllLight(view, view.sampled, systematic);
        expectAllLight(view, view.valued, systematic);
    }
}

TEST(BsdfEnergy, WhiteSurfacesGiveAllLightBack) {
    std::vector<BsdfCase> cases;
    for (const float roughness : kRoughnesses) {
        for (const float metalness : {0.0F, 0.4F, 1.0F}) {
            for (const float ior : {1.0F, 1.5F, 2.5F, 4.0F}) {
                cases.push_back(metallicCase(1.0F, roughness, metalness, ior));
            }
        }
    }
    expectAllLightBack(cases, {8e-4, 2e-4});
}

TEST(BsdfEnergy, ClearGlassGivesAllLightBack) {
    std::vector<BsdfCase> cases;
    for (const float roughness : kRoughnesses) {
        for (const float ior : {1.0F, 1.00001F, 1.33F, 1.5F, 2.4F, 4.0F}) {
            for (const bool inside : {false, true}) {
                cases.push_back(dielectricCase(roughness, ior, inside));
            }
        }
    }
    expectAllLightBack(cases, {1.3e-3, 1e-4});
}

/// The edge at the angle of total reflection is the steeper the nearer the index is to 1.
TEST(BsdfEnergy, ClearGlassOfLowIndexGivesAllLightBack) {
    std::vector<BsdfCase> cases;
    for (const float roughness : kRoughnesses) {
        for (const bool inside : {false, true}) {
            cases.push_back(dielectricCase(roughness, 1.1F, inside));
        }
    }
    expectAllLightBack(cases, {2e-3, 4e-4});
}

TEST(BsdfEnergy, ClearPanesGiveAllLightBack) {
    std::vector<BsdfCase> cases;
    for (const float ior : {1.0F, 1.1F, 1.5F, 2.4F, 4.0F}) {
        for (int turn = 0; turn < 3; ++turn) {
            cases.push_back(paneCase(1.0F, ior));
        }
    }
    expectAllLightBack(cases, {0.0, 0.0});
}

/// White glass gives all light back, whatever share of it finds glass, and so does what the rest finds.
TEST(BsdfEnergy, ClearGlassForAShareOfTheLightGivesAllLightBack) {
    std::vector<BsdfCase> cases;
    for (const float transmission : {0.0F, 0.3F, 0.99F}) {
        for (const float metalness : {0.0F, 0.4F, 1.0F}) {
            cases.push_back(partialPaneCase(transmission, 1.0F, 0.5F, metalness));
            cases.push_back(partialSolidCase(transmission, 1.0F, 0.0F, metalness, true));
        }
    }
    expectAllLightBack(cases, {1.3e-3, 2e-4});
}

/// Of light that a clear coat lets through, a white surface under it gives back all but what the coat keeps of rough
/// reflections.
TEST(BsdfEnergy, WhiteSurfacesUnderAClearCoatLoseLittle) {
    for (const float roughness : {0.0F, 0.3F, 1.0F}) {
        for (const float metalness : {0.0F, 1.0F}) {
            for (const float coat : {0.0F, 0.3F, 1.0F}) {
                const BsdfCase bsdf = clearcoatCase(1.0F, coat, 1.0F, roughness, metalness);
                for (const double cosine : {1.0, 0.5, 0.1, 0.01}) {
                    const Estimate found = estimateAlbedo(directionalAlbedo, bsdf, directionOf(cosine), sampleCount());
                    SCOPED_TRACE(testing::Message() << bsdf.name << ", cosine " << cosine);
                    EXPECT_LT(found.mean, 1.0 + 5.0 * found.error + 3e-4);
                    EXPECT_GT(found.mean, 0.9 - 5.0 * found.error);
                }
            }
        }
    }
}

} // namespace
} // namespace aureole
