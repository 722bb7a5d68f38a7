#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "shared/octree/attributes.h"

namespace aureole::shared {
namespace {

constexpr double kDegrees = 180.0 / 3.14159265358979323846;

/// Between unit vectors, in double: acos of a dot product near 1 has no digits left.
double degreesBetween(const vec3& a, const vec3& b) {
    const glm::dvec3 da(a);
    const glm::dvec3 db(b);
    return std::atan2(glm::length(glm::cross(da, db)), glm::dot(da, db)) * kDegrees;
}

vec3 randomDirection(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return vec3(glm::normalize(glm::dvec3(normal(random), normal(random), normal(random))));
}

TEST(Albedo, IsExactForThreeDecimals) {
    for (int i = 0; i <= 1000; ++i) {
        // As a scene file has it: read as double, then narrowed.
        const auto value =
            static_cast<float>(std::stod(std::to_string(i / 1000) + "." + std::to_string(1000 + i % 1000).substr(1)));
        const vec3 albedo = unpackAlbedo(packAlbedo(vec3(value, value, value)));
        ASSERT_EQ(albedo.x, value);
        ASSERT_EQ(albedo.y, value);
        ASSERT_EQ(albedo.z, value);
    }
}

TEST(Albedo, KeepsItsErrorBoundsAndChannelsApart) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    constexpr double kRounding = 1e-6; // of the float arithmetic itself
    for (int i = 0; i < 200000; ++i) {
        const vec3 in(uniform(random), uniform(random), uniform(random));
        const vec3 out = unpackAlbedo(packAlbedo(in));
        ASSERT_NEAR(in.x, out.x, 1.0 / 2000.0 + kRounding);
        ASSERT_NEAR(in.y, out.y, 1.0 / 2000.0 + kRounding);
        ASSERT_NEAR(in.z, out.z, 1.0 / 2000.0 + kRounding);
    }
}

TEST(Albedo, OutsideItsRangeIsClamped) {
    EXPECT_EQ(unpackAlbedo(packAlbedo(vec3(-1.0F, 2.0F, 1e30F))), vec3(0.0F, 1.0F, 1.0F));
}

TEST(Normal, KeepsItsErrorBound) {
    std::mt19937 random(2);
    double worst = 0.0;
    for (int i = 0; i < 1000000; ++i) {
        const vec3 in = randomDirection(random);
        const uint bits = packNormal(in);
        ASSERT_LT(bits, 1U << 24U);
        const vec3 out = unpackNormal(bits);
        ASSERT_NEAR(glm::length(glm::dvec3(out)), 1.0, 1e-6);
        worst = std::max(worst, degreesBetween(in, out));
    }
    EXPECT_LE(worst, 0.07);
    EXPECT_GE(worst, 0.03); // 24 bits over the sphere cannot do better: the test sees the error
}

TEST(Normal, AxesAreExact) {
    for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {-1.0F, 1.0F}) {
            vec3 in(0.0F);
            in[axis] = sign;
            EXPECT_EQ(unpackNormal(packNormal(in)), in) << axis << " " << sign;
        }
    }
}

TEST(Normal, NearTheFoldsAndNegativeZeroStayClose) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> tiny(-1e-4F, 1e-4F);
    for (int i = 0; i < 100000; ++i) {
        vec3 in = randomDirection(random);
        in[i % 3] = i % 5 == 0 ? -0.0F : tiny(random);
        in = vec3(glm::normalize(glm::dvec3(in)));
        ASSERT_LE(degreesBetween(in, unpackNormal(packNormal(in))), 0.07) << in.x << " " << in.y << " " << in.z;
    }
}

TEST(ShadingNormal, KeepsItsErrorBoundsByItsAngleToTheGeometricNormal) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    double worstNear = 0.0;
    double worst = 0.0;
    for (int i = 0; i < 1000000; ++i) {
        const vec3 geometric = unpackNormal(packNormal(randomDirection(random)));
        const double angle = (i % 2 == 0 ? 10.0 : 90.0) * uniform(random) / kDegrees;
        const glm::dvec3 g(geometric);
        const glm::dvec3 side = glm::normalize(glm::cross(g, glm::dvec3(randomDirection(random))));
        const vec3 in(glm::normalize(g * std::cos(angle) + side * std::sin(angle)));
        const uint bits = packShadingNormal(in, geometric);
        ASSERT_LT(bits, 1U << 18U);
        const vec3 out = unpackShadingNormal(bits, geometric);
        ASSERT_NEAR(glm::length(glm::dvec3(out)), 1.0, 1e-6);
        (i % 2 == 0 ? worstNear : worst) = std::max(i % 2 == 0 ? worstNear : worst, degreesBetween(in, out));
    }
    EXPECT_LE(worstNear, 0.12);
    EXPECT_LE(worst, 0.5);
    EXPECT_GE(worstNear, 0.02); // the test sees the error
    EXPECT_GE(worst, 0.1);
}

TEST(ShadingNormal, ThatIsTheGeometricOneStaysSo) {
    std::mt19937 random(6);
    for (int i = 0; i < 100000; ++i) {
        const vec3 geometric = unpackNormal(packNormal(randomDirection(random)));
        ASSERT_LE(degreesBetween(unpackShadingNormal(packShadingNormal(geometric, geometric), geometric), geometric),
                  1e-4);
        // Past the horizon it is taken to the horizon.
        const vec3 out = unpackShadingNormal(packShadingNormal(randomDirection(random), geometric), geometric);
        ASSERT_GE(dot(out, geometric), -1e-6F);
    }
}

TEST(Attributes, RoundTripWithinTheStatedErrors) {
    std::mt19937 random(4);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    for (int i = 0; i < 100000; ++i) {
        VoxelSurface in{};
        in.albedo = vec3(uniform(random), uniform(random), uniform(random));
        in.geometricNormal = randomDirection(random);
        in.normal = randomDirection(random);
        in.normal = dot(in.normal, in.geometricNormal) < 0.0F ? -in.normal : in.normal;
        in.roughness = uniform(random);
        in.metalness = uniform(random);
        in.material = static_cast<uint>(random() % (ATTRIBUTE_MAX_MATERIAL + 1));
        in.crease = random() % 2;
        in.doubleSided = random() % 2;
        in.hollow = random() % 4;
        in.spread = uniform(random);
        const VoxelSurface out = unpackAttributes(packAttributes(in));
        ASSERT_NEAR(in.albedo.x, out.albedo.x, 1.0 / 2000.0 + 1e-6);
        ASSERT_LE(degreesBetween(in.normal, out.normal), 0.6);
        ASSERT_NEAR(in.roughness, out.roughness, 1.0 / 62.0 + 1e-6);
        ASSERT_NEAR(in.metalness, out.metalness, 1.0 / 30.0 + 1e-6);
        ASSERT_EQ(in.material, out.material);
        ASSERT_LE(degreesBetween(in.geometricNormal, out.geometricNormal), 0.07);
        ASSERT_EQ(in.crease, out.crease);
        ASSERT_EQ(in.doubleSided, out.doubleSided);
        ASSERT_EQ(in.hollow, out.hollow);
        ASSERT_GE(out.spread, in.spread - 0.001F); // never narrower than it is
        ASSERT_LE(out.spread, in.spread + 0.14F);
    }
}

TEST(Attributes, FlatStaysFlatAndSlightBendsStaySlight) {
    EXPECT_EQ(packSpread(0.0F), 0U);
    EXPECT_EQ(packSpread(SPREAD_FLAT), 0U);
    EXPECT_EQ(packSpread(0.002F), 1U);
    EXPECT_EQ(packSpread(1.0F), 15U);
}

TEST(Attributes, EndsOfTheirRangesAreExact) {
    for (const float end : {0.0F, 1.0F}) {
        VoxelSurface in{};
        in.albedo = vec3(end);
        in.normal = vec3(0.0F, 0.0F, 1.0F);
        in.geometricNormal = in.normal;
        in.roughness = end;
        in.metalness = end;
        in.material = end > 0.0F ? ATTRIBUTE_MAX_MATERIAL : 0;
        const VoxelSurface out = unpackAttributes(packAttributes(in));
        EXPECT_EQ(out.albedo, in.albedo);
        EXPECT_EQ(out.normal, in.normal);
        EXPECT_EQ(out.roughness, in.roughness);
        EXPECT_EQ(out.metalness, in.metalness);
        EXPECT_EQ(out.material, in.material);
    }
}

} // namespace
} // namespace aureole::shared
