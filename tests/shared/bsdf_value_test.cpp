// Values of BSDFs against published ones, against an evaluation of their own here, and at the edges of what is allowed.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bsdf_cases.h"

namespace aureole {
namespace {

/// Hecht, "Optics", chapter 4: glass of index 1.5 reflects 4 % at normal incidence; at Brewster's angle half of what
/// reflects s alone, ((n^2 - 1) / (n^2 + 1))^2; from inside all of it beyond 41.8 degrees.
TEST(Fresnel, HasThePublishedValues) {
    EXPECT_NEAR(shared::fresnelDielectric(1.0F, 1.5F), 0.04, 1e-6);
    EXPECT_NEAR(shared::fresnelDielectric(1.0F, 1.0F / 1.5F), 0.04, 1e-6);
    EXPECT_NEAR(shared::fresnelDielectric(1.0F, 2.417F), 0.17197, 1e-4); // diamond
    EXPECT_NEAR(shared::fresnelDielectric(1.0F, 1.333F), 0.02037, 1e-5); // water
    const double brewster = std::cos(std::atan(1.5));
    EXPECT_NEAR(shared::fresnelDielectric(static_cast<float>(brewster), 1.5F), 0.5 * std::pow(1.25 / 3.25, 2.0), 1e-6);
    EXPECT_NEAR(shared::fresnelDielectric(static_cast<float>(std::cos(std::numbers::pi / 3.0)), 1.5F), 0.0892, 1e-4);
    EXPECT_EQ(shared::fresnelDielectric(0.0F, 1.5F), 1.0F);
    EXPECT_LT(shared::fresnelDielectric(0.3F, 1.0F), 1e-12F);
    const double critical = std::asin(1.0 / 1.5);
    EXPECT_LT(shared::fresnelDielectric(static_cast<float>(std::cos(critical - 0.01)), 1.0F / 1.5F), 0.8F);
    EXPECT_EQ(shared::fresnelDielectric(static_cast<float>(std::cos(critical + 1e-4)), 1.0F / 1.5F), 1.0F);
}

TEST(Fresnel, RefractionObeysSnell) {
    for (const float eta : {1.5F, 1.0F / 1.5F, 2.4F}) {
        for (const double cosine : {1.0, 0.9, 0.78}) {
            const glm::vec3 o = directionOf(cosine);
            const float ahead = shared::refractedCosine(o.z, eta);
            const glm::vec3 i = shared::refractAbout(o, glm::vec3(0.0F, 0.0F, 1.0F), eta, ahead);
            EXPECT_NEAR(glm::length(glm::vec2(i)) * eta, glm::length(glm::vec2(o)), 1e-6);
            EXPECT_NEAR(glm::length(glm::vec2(o) + eta * glm::vec2(i)), 0.0, 1e-6);
            EXPECT_LT(i.z, 0.0F);
        }
    }
}

/// GGX as Walter et al. 2007 write it, in angles and in double precision.
struct Walter {
    double alpha;

    double distribution(double cosine) const {
        const double tan2 = (1.0 - cosine * cosine) / (cosine * cosine);
        return alpha * alpha /
               (std::numbers::pi * std::pow(cosine, 4.0) * (alpha * alpha + tan2) * (alpha * alpha + tan2));
    }
    double lambda(double cosine) const {
        const double tan2 = (1.0 - cosine * cosine) / (cosine * cosine);
        return 0.5 * (std::sqrt(1.0 + alpha * alpha * tan2) - 1.0);
    }
};

/// Sums over the hemisphere of microfacet normals.
template <typename Term>
double overHemisphere(const Term& term) {
    constexpr int kZ = 400;
    constexpr int kAngle = 200;
    double sum = 0.0;
    for (int i = 0; i < kZ; ++i) {
        const double t = (i + 0.5) / kZ;
        const double z = 1.0 - t * t; // dense about the normal
        for (int j = 0; j < kAngle; ++j) {
            sum += term(directionOf(z, 2.0 * std::numbers::pi * (j + 0.5) / kAngle)) * 2.0 * t;
        }
    }
    return sum * 2.0 * std::numbers::pi / (kZ * kAngle);
}

/// Microfacets cover the surface once, and what is seen of them has the surface's projected area (Heitz 2014).
TEST(Ggx, MicrofacetsCoverTheSurface) {
    for (const float alpha : {0.1F, 0.5F, 1.0F}) {
        EXPECT_NEAR(overHemisphere([&](const glm::vec3& h) {
                        return static_cast<double>(shared::ggxDistribution(h, alpha) * h.z);
                    }),
                    1.0, 2e-3);
        for (const double cosine : {1.0, 0.6, 0.2}) {
            const glm::vec3 w = directionOf(cosine);
            const double seen = overHemisphere([&](const glm::vec3& h) {
                return static_cast<double>(shared::ggxMaskingOverCosine(w, alpha) * shared::ggxDistribution(h, alpha) *
                                           std::max(glm::dot(w, h), 0.0F));
            });
            EXPECT_NEAR(seen, 1.0, 4e-3) << alpha << " " << cosine;
            const Walter walter{static_cast<double>(alpha)};
            EXPECT_NEAR(shared::ggxMaskingOverCosine(w, alpha) * w.z, 1.0 / (1.0 + walter.lambda(cosine)), 1e-5);
        }
    }
}

TEST(Ggx, MetalsHaveTheSmithModelsValues) {
    const double albedo = 0.6;
    for (const float roughness : {0.3F, 0.7F, 1.0F}) {
        const BsdfCase bsdf = metallicCase(static_cast<float>(albedo), roughness, 1.0F);
        const Walter walter{static_cast<double>(roughness) * static_cast<double>(roughness)};
        const glm::vec3 o = directionOf(0.7, 0.0);
        // What single scattering reflects in all, of white microfacets.
        double whole = 0.0;
        const auto single = [&](const glm::vec3& i) {
            const glm::dvec3 h = glm::normalize(glm::dvec3(o) + glm::dvec3(i));
            const double g2 =
                1.0 / (1.0 + walter.lambda(static_cast<double>(o.z)) + walter.lambda(static_cast<double>(i.z)));
            return walter.distribution(h.z) * g2 / (4.0 * static_cast<double>(o.z));
        };
        constexpr int kSteps = 400;
        for (int i = 0; i < kSteps; ++i) {
            for (int j = 0; j < kSteps; ++j) {
                whole += single(directionOf((i + 0.5) / kSteps, 2.0 * std::numbers::pi * (j + 0.5) / kSteps)) * 2.0 *
                         std::numbers::pi / (kSteps * kSteps);
            }
        }
        for (const auto& [cosine, azimuth] : {std::pair(0.7, 3.14), std::pair(0.9, 2.0), std::pair(0.2, 3.5)}) {
            const glm::vec3 i = directionOf(cosine, azimuth);
            const double half = glm::dot(glm::dvec3(o), glm::normalize(glm::dvec3(o) + glm::dvec3(i)));
            const double fresnel = albedo + (1.0 - albedo) * std::pow(1.0 - half, 5.0);
            const double expected = fresnel * single(i) * (1.0 + albedo * (1.0 / whole - 1.0));
            const shared::BsdfValue found = shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, o, i);
            EXPECT_NEAR(found.value.x, expected, 0.005 * expected) << roughness << " " << cosine;
        }
    }
}

/// Equations 20 and 21 of Walter et al. 2007, with the radiance's 1 / eta^2, before compensation: values by their ratio
/// to each other.
TEST(Ggx, RoughGlassHasWaltersValues) {
    const double eta = 1.5;
    const BsdfCase bsdf = dielectricCase(0.6F, 1.5F, false);
    const Walter walter{0.36};
    const glm::vec3 o = directionOf(0.8, 0.0);
    const auto g1 = [&](double cosine) { return 1.0 / (1.0 + walter.lambda(cosine)); };
    double scale = 0.0;
    for (const auto& [cosine, azimuth] : {std::pair(0.8, 3.1), std::pair(0.4, 2.5), std::pair(-0.9, 3.1),
                                          std::pair(-0.7, 2.0), std::pair(-0.95, 2.0)}) {
        const glm::vec3 i = directionOf(cosine, azimuth);
        const glm::dvec3 d(o);
        const glm::dvec3 e(i);
        double expected = 0.0;
        if (cosine > 0.0) {
            const glm::dvec3 h = glm::normalize(d + e);
            const auto fresnel = static_cast<double>(
                shared::fresnelDielectric(static_cast<float>(glm::dot(d, h)), static_cast<float>(eta)));
            const double g2 = 1.0 / (1.0 + walter.lambda(d.z) + walter.lambda(e.z));
            expected = fresnel * walter.distribution(h.z) * g2 / (4.0 * d.z);
        } else {
            const glm::dvec3 h = -glm::normalize(d + eta * e);
            const double behind = glm::dot(d, h);
            const double ahead = glm::dot(e, h);
            const auto fresnel =
                static_cast<double>(shared::fresnelDielectric(static_cast<float>(behind), static_cast<float>(eta)));
            expected = std::abs(behind * ahead) / d.z * (1.0 - fresnel) * g1(d.z) * g1(std::abs(e.z)) *
                       walter.distribution(h.z) / std::pow(behind + eta * ahead, 2.0);
        }
        ASSERT_GT(expected, 0.0);
        const double ratio =
            static_cast<double>(shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, o, i).value.x) / expected;
        scale = scale == 0.0 ? ratio : scale;
        EXPECT_NEAR(ratio, scale, 1e-3 * scale) << cosine;
    }
    EXPECT_GT(scale, 1.0); // what single scattering loses
    EXPECT_LT(scale, 1.1);
}

/// f(o, i) = f(i, o) for what has no compensation of its own: coats over diffuse surfaces. Metals have it once they are
/// divided by theirs.
TEST(Bsdf, IsReciprocal) {
    for (const auto& [metalness, coat] : {std::pair(0.0F, 0.0F), std::pair(1.0F, 0.0F), std::pair(0.0F, 0.8F)}) {
        for (const float roughness : {0.0F, 0.2F, 0.6F, 1.0F}) {
            const BsdfCase bsdf = clearcoatCase(coat, 0.3F, 0.7F, roughness, metalness);
            const bool isMetal = metalness > 0.0F;
            const auto compensation = [&](const glm::vec3& w) {
                const float whole = shared::coatAlbedo(bsdf.tables(), roughness, w.z).whole;
                return isMetal ? 1.0 + 0.7 * (1.0 / static_cast<double>(whole) - 1.0) : 1.0;
            };
            const auto value = [&](const glm::vec3& o, const glm::vec3& i) {
                return static_cast<double>(shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, o, i).value.x / i.z) /
                       compensation(o);
            };
            for (std::uint32_t k = 0; k < 200; ++k) {
                const glm::vec3 u = evenPoint(k);
                const glm::vec3 a = directionOf(0.02 + 0.98 * static_cast<double>(u.x), 6.0 * static_cast<double>(u.y));
                const glm::vec3 b = directionOf(0.02 + 0.98 * static_cast<double>(u.z), 1.0);
                const double there = value(a, b);
                EXPECT_NEAR(there, value(b, a), 1e-3 * there + 1e-6) << bsdf.name;
            }
        }
    }
}

/// A smooth clear coat reflects Schlick's share of index 1.5 and, by what it lets through on either side, dims what is
/// under it; a rough one has the Smith model's lobe.
TEST(Clearcoat, HasItsClosedForms) {
    const auto through = [](double cosine, double coat) {
        return 1.0 - coat * (0.04 + 0.96 * std::pow(1.0 - cosine, 5.0));
    };
    for (const double coat : {0.4, 1.0}) {
        const auto strength = static_cast<float>(coat);
        const BsdfCase matt = clearcoatCase(strength, 0.0F, 0.7F, 0.0F, 0.0F);
        const BsdfCase metal = clearcoatCase(strength, 0.0F, 0.7F, 0.6F, 1.0F);
        const BsdfCase rough = clearcoatCase(strength, 0.5F, 0.0F, 0.6F, 1.0F);
        for (const double in : {0.95, 0.4, 0.1}) {
            const glm::vec3 o = directionOf(0.6, 0.0);
            const glm::vec3 i = directionOf(in, 2.5);
            const auto value = [&](const BsdfCase& bsdf) {
                return static_cast<double>(shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, o, i).value.x);
            };
            const double both =
                through(0.6, coat) * through(in, coat) / (1.0 - coat * (0.04 + 0.96 / 21.0 - CLEARCOAT_OVERLAP));
            EXPECT_NEAR(value(matt), both * value(metallicCase(0.7F, 0.0F, 0.0F)), 1e-5);
            const double less = std::min(through(0.6, coat), through(in, coat));
            EXPECT_NEAR(value(metal), less * value(metallicCase(0.7F, 0.6F, 1.0F)), 1e-5);
            const glm::dvec3 h = glm::normalize(glm::dvec3(o) + glm::dvec3(i));
            const Walter walter{0.25};
            const double lobe =
                walter.distribution(h.z) /
                (1.0 + walter.lambda(static_cast<double>(o.z)) + walter.lambda(static_cast<double>(i.z))) /
                (4.0 * static_cast<double>(o.z));
            const double fresnel = 0.04 + 0.96 * std::pow(1.0 - glm::dot(glm::dvec3(o), h), 5.0);
            const auto under = [&](const glm::vec3& w) {
                return shared::throughClearcoat(rough.surface, shared::coatAlbedo(rough.tables(), 0.5F, w.z));
            };
            const double dimmed =
                static_cast<double>(std::min(under(o), under(i))) * value(metallicCase(0.0F, 0.6F, 1.0F));
            EXPECT_NEAR(value(rough), coat * fresnel * lobe + dimmed, 2e-3 * value(rough) + 1e-6) << in;
        }
        // What it reflects alone, of a surface that scatters elsewhere.
        const BsdfCase shiny = clearcoatCase(strength, 0.0F, 0.0F, 1.0F, 1.0F);
        double reflected = 0.0;
        for (std::uint32_t k = 0; k < 4096; ++k) {
            const shared::BsdfSample s =
                shared::bsdfSample(shiny.tables(), shiny.surface, directionOf(0.3), evenPoint(k));
            reflected += s.isDelta != 0 ? static_cast<double>(s.weight.x) / 4096 : 0.0;
        }
        EXPECT_NEAR(reflected, 1.0 - through(0.3, coat), 2e-3);
    }
}

/// glTF's mixture: a share of transmission (1 - metalness) of glass, the rest of it as without, metal as before.
TEST(PartialGlass, IsAMixture) {
    const glm::vec3 o = directionOf(0.6, 0.0);
    for (const float metalness : {0.0F, 0.3F, 1.0F}) {
        const float share = 0.4F * (1.0F - metalness);
        const BsdfCase mixed = partialSolidCase(0.4F, 0.7F, 0.5F, metalness, false);
        const BsdfCase glass = dielectricCase(0.5F, 1.5F, false, 0.7F);
        const BsdfCase opaque = metallicCase(0.7F, 0.5F, metalness / (1.0F - share));
        for (const double cosine : {0.9, 0.2, -0.9}) {
            const glm::vec3 i = directionOf(cosine, 3.0);
            const auto value = [&](const BsdfCase& bsdf) {
                return shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, o, i);
            };
            EXPECT_NEAR(value(mixed).value.x, share * value(glass).value.x + (1.0F - share) * value(opaque).value.x,
                        1e-5);
            EXPECT_NEAR(value(mixed).pdf, share * value(glass).pdf + (1.0F - share) * value(opaque).pdf, 1e-5);
        }
        BsdfCase masked = mixed;
        masked.surface.masked = 1;
        const BsdfCase plastic = metallicCase(0.7F, 0.5F, 0.0F);
        const glm::vec3 up = directionOf(0.8, 2.0);
        const auto at = [&](const BsdfCase& bsdf) {
            return shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, o, up).value.x;
        };
        EXPECT_NEAR(at(masked), share * at(glass) + (1.0F - share) * at(plastic), 1e-5);
        // A pane's light goes straight on, tinted, as often as both say.
        const BsdfCase pane = partialPaneCase(0.4F, 0.7F, 0.5F, metalness);
        double straight = 0.0;
        for (std::uint32_t k = 0; k < 4096; ++k) {
            const shared::BsdfSample s = shared::bsdfSample(pane.tables(), pane.surface, o, evenPoint(k));
            straight += s.transmitted != 0 ? static_cast<double>(s.weight.x) / 4096 : 0.0;
        }
        const float reflectance = shared::paneReflectance(0.6F, 1.5F);
        EXPECT_NEAR(straight, 0.7F * share * (1.0F - reflectance), 1e-3);
    }
}

/// What is blended lets the share pass that its opacity leaves, as it is; the rest finds the surface, which is no
/// metal.
TEST(PartialGlass, MayBeBlended) {
    const glm::vec3 o = directionOf(0.2, 0.0); // at which glass reflects
    const glm::vec3 up = directionOf(0.8, 2.0);
    for (const float opacity : {0.0F, 0.3F, 1.0F}) {
        BsdfCase blended = partialPaneCase(0.8F, 0.5F, 0.5F, opacity);
        blended.surface.masked = METALNESS_IS_OPACITY;
        const double share = 0.8 * (1.0 - opacity);
        double straight = 0.0;
        for (std::uint32_t k = 0; k < 4096; ++k) {
            const shared::BsdfSample s = shared::bsdfSample(blended.tables(), blended.surface, o, evenPoint(k));
            straight += s.transmitted != 0 ? static_cast<double>(s.weight.x) / 4096 : 0.0;
            EXPECT_TRUE(s.isDelta == 0 || s.transmitted != 0) << "nothing is mirrored";
        }
        EXPECT_NEAR(straight, share, 1e-3);
        EXPECT_NEAR(shared::paneTransmittance(blended.surface, o).x, share, 1e-6);
        const BsdfCase plastic = metallicCase(0.5F, 0.5F, 0.0F);
        EXPECT_NEAR(shared::bsdfEvaluate(blended.tables(), blended.surface, o, up).value.x,
                    (1.0 - share) * shared::bsdfEvaluate(plastic.tables(), plastic.surface, o, up).value.x, 1e-5);
    }
}

TEST(Bsdf, NothingReflectsMoreThanItGets) {
    for (const float albedo : {0.0F, 0.5F}) {
        for (const float roughness : {0.0F, 0.1F, 0.5F, 1.0F}) {
            for (const double cosine : {1.0, 0.5, 0.1, 0.01}) {
                const glm::vec3 o = directionOf(cosine);
                for (const float metalness : {0.0F, 0.5F, 1.0F}) {
                    EXPECT_LT(directionalAlbedo(metallicCase(albedo, roughness, metalness), o, 4096), 1.002);
                }
                for (const bool inside : {false, true}) {
                    EXPECT_LT(directionalAlbedo(dielectricCase(roughness, 1.5F, inside, albedo), o, 4096), 1.002);
                }
                EXPECT_LT(directionalAlbedo(paneCase(albedo, 1.5F), o, 4096), 1.0 + 1e-5);
                EXPECT_NEAR(directionalAlbedo(mirrorCase(albedo), o, 16), static_cast<double>(albedo), 1e-6);
            }
        }
    }
}

void expectSound(const BsdfCase& bsdf, const glm::vec3& outgoing) {
    const auto isSound = [](const glm::vec3& v) {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z) && v.x >= 0.0F && v.y >= 0.0F &&
               v.z >= 0.0F;
    };
    for (std::uint32_t i = 0; i < 64; ++i) {
        glm::vec3 u = evenPoint(i);
        u.x = i % 4 == 1 ? 0.0F : u.x;
        u.y = i % 8 == 2 ? 0.99999994F : i % 8 == 3 ? 0.0F : u.y;
        u.z = i % 16 == 5 ? 0.0F : i % 16 == 6 ? 0.99999994F : u.z;
        const shared::BsdfSample s = shared::bsdfSample(bsdf.tables(), bsdf.surface, outgoing, u);
        EXPECT_TRUE(isSound(s.weight) && std::isfinite(s.pdf) && s.pdf >= 0.0F) << bsdf.name << " " << outgoing.z;
        EXPECT_NEAR(glm::length(s.direction), 1.0F, 1e-4) << bsdf.name << " " << outgoing.z;
        const double z = i % 4 == 0 ? 1e-7 : 2.0 * static_cast<double>(u.x) - 1.0;
        for (const glm::vec3& incoming : {s.direction, directionOf(z, 6.0 * static_cast<double>(u.y)), -outgoing,
                                          outgoing, glm::vec3(1.0F, 0.0F, 0.0F)}) {
            const shared::BsdfValue v = shared::bsdfEvaluate(bsdf.tables(), bsdf.surface, outgoing, incoming);
            EXPECT_TRUE(isSound(v.value) && std::isfinite(v.pdf) && v.pdf >= 0.0F)
                << bsdf.name << " " << outgoing.z << " " << incoming.z;
        }
    }
}

TEST(Bsdf, ValuesAreSoundAtTheEdges) {
    for (const double cosine : {1.0, 0.5, 1e-3, 1e-7, 0.0, -1e-7, -0.5}) {
        const glm::vec3 o = directionOf(cosine);
        for (const float albedo : {0.0F, 1.0F}) {
            expectSound(mirrorCase(albedo), o);
            for (const float ior : {1.0F, 1.000001F, 1.5F, 4.0F}) {
                expectSound(paneCase(albedo, ior), o);
            }
            for (const float roughness : {0.0F, 1e-4F, 0.0101F, 0.5F, 1.0F}) {
                for (const float share : {0.0F, 0.5F, 1.0F}) {
                    expectSound(clearcoatCase(share, roughness, albedo, 0.5F, 0.5F), o);
                    expectSound(partialPaneCase(share, albedo, roughness, 0.5F), o);
                    expectSound(partialSolidCase(share, albedo, roughness, 0.0F, true), o);
                }
                for (const float ior : {1.0F, 4.0F}) {
                    expectSound(metallicCase(albedo, roughness, 0.0F, ior), o);
                    expectSound(metallicCase(albedo, roughness, 0.5F, ior), o);
                    expectSound(metallicCase(albedo, roughness, 1.0F, ior), o);
                }
                for (const float ior : {1.0F, 1.0001F, 1.5F, 2.4F}) {
                    expectSound(dielectricCase(roughness, ior, false, albedo), o);
                    expectSound(dielectricCase(roughness, ior, true, albedo), o);
                }
            }
        }
    }
}

/// The mirror image of the outgoing direction is above the surface afterwards, not in it, and so is that direction
/// above the shading normal's horizon. What was above stays, on a surface with its own normal too.
TEST(Bsdf, ShadingNormalsAreBentUpwards) {
    const glm::vec3 side(0.0F, 0.0F, 1.0F);
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const glm::vec3 u = evenPoint(i);
        const glm::vec3 normal = directionOf(static_cast<double>(u.x), 6.28 * static_cast<double>(u.y));
        const glm::vec3 outgoing = directionOf(static_cast<double>(u.z), 2.0);
        const glm::vec3 bent = shared::bendNormal(normal, side, outgoing);
        EXPECT_NEAR(glm::length(bent), 1.0F, 1e-5);
        EXPECT_GE(glm::dot(bent, outgoing), 0.0F) << i;
        const float least = std::min(0.5F * outgoing.z, BEND_SINE);
        EXPECT_GT(shared::reflectAbout(outgoing, bent).z, 0.5F * least) << i;
        if (shared::reflectAbout(outgoing, normal).z >= least) {
            EXPECT_EQ(bent, normal);
        }
        EXPECT_EQ(shared::bendNormal(side, side, outgoing), side);
    }
}

} // namespace
} // namespace aureole
