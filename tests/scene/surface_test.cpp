#include "scene/surface.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/blended_material.h"
#include "shared/bsdf/material.h"

namespace aureole::test {
namespace {

/// A scene of one triangle in the plane z = 0, u to the right and v downwards, with a plain material.
Scene triangleScene() {
    Scene scene;
    scene.materials.emplace_back();
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.uvs[0] = {{0, 1}, {1, 1}, {0, 0}};
    mesh.triangles = {{0, 1, 2}};
    scene.meshes.push_back(mesh);
    scene.meshInstances.push_back({0, glm::dmat4(1.0), kNone});
    return scene;
}

/// Adds a texture of one colour and returns a slot for it.
TextureSlot addTexture(Scene& scene, const std::array<std::uint8_t, 4>& rgba, bool srgb = false) {
    Texture texture;
    texture.width = 1;
    texture.height = 1;
    texture.rgba.assign(rgba.begin(), rgba.end());
    scene.textures.push_back(texture);
    TextureSlot slot;
    slot.texture = static_cast<std::uint32_t>(scene.textures.size() - 1);
    slot.srgb = srgb;
    return slot;
}

SurfacePoint evaluate(const Scene& scene, float u = 0.25F, float v = 0.25F) {
    return evaluateSurface(scene, scene.meshInstances.at(0), 0, u, v);
}

void expectNear(const glm::vec3& found, const glm::vec3& expected, float tolerance = 1e-5F) {
    EXPECT_NEAR(found.x, expected.x, tolerance);
    EXPECT_NEAR(found.y, expected.y, tolerance);
    EXPECT_NEAR(found.z, expected.z, tolerance);
}

TEST(Surface, InterpolatesVertexColours) {
    Scene scene = triangleScene();
    scene.materials[0].albedo = {0.5F, 1.0F, 1.0F};
    scene.meshes[0].colours = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    expectNear(evaluate(scene, 0.25F, 0.125F).albedo, {0.5F * 0.625F, 0.25F, 0.125F}); // (1 - u - v, u, v)
}

/// `metalness` of a masked material is the share that is neither glass nor metal.
TEST(Surface, AMaskWithoutCoordinatesHidesNothing) {
    Scene scene = triangleScene();
    Material& material = scene.materials[0];
    material.metallicRoughnessTexture = addTexture(scene, {0, 255, 51, 255});
    material.metalness = 1.0F;
    material.masked = METALNESS_IS_MASK;
    EXPECT_NEAR(evaluate(scene).metalness, 0.2F, 1e-6F);
    scene.meshes[0].uvs[0].clear();
    EXPECT_EQ(evaluate(scene).metalness, 0.0F);
    material.masked = 0;
    EXPECT_EQ(evaluate(scene).metalness, 1.0F);
}

TEST(Surface, MultipliesFactorsTexturesAndColours) {
    Scene scene = triangleScene();
    Material& material = scene.materials[0];
    material.albedo = {1.0F, 0.5F, 0.25F};
    material.roughness = 0.5F;
    material.metalness = 0.25F;
    material.emission = {10, 20, 30};
    scene.meshes[0].colours.assign(3, {0.5F, 0.5F, 0.5F, 1.0F});
    material.albedoTexture = addTexture(scene, {255, 128, 0, 255}, true);
    material.metallicRoughnessTexture = addTexture(scene, {9, 51, 102, 9});
    material.emissionTexture = addTexture(scene, {255, 0, 128, 255}, true);
    const SurfacePoint point = evaluate(scene);
    const auto half = static_cast<float>(std::pow((128.0 / 255.0 + 0.055) / 1.055, 2.4));
    expectNear(point.albedo, {0.5F, 0.25F * half, 0.0F});
    EXPECT_NEAR(point.roughness, 0.5F * 0.2F, 1e-6);
    EXPECT_NEAR(point.metalness, 0.25F * 0.4F, 1e-6);
    expectNear(point.emission, {10.0F, 0.0F, 30.0F * half}, 1e-4F);
}

TEST(Surface, TransformsTextureCoordinatesOfEitherSet) {
    Scene scene = triangleScene();
    Texture texture;
    texture.width = 2;
    texture.height = 2;
    for (const int value : {0, 51, 102, 255}) {
        texture.rgba.insert(texture.rgba.end(), 4, static_cast<std::uint8_t>(value));
    }
    scene.textures.push_back(texture);
    TextureSlot& slot = scene.materials[0].albedoTexture;
    scene.materials[0].albedo = glm::vec3(1.0F);
    slot.texture = 0;
    slot.nearest = true;
    // At (u, v) = (0.25, 0.25) the point is (0.25, 0.25), its coordinates (0.25, 0.75): bottom left.
    EXPECT_NEAR(evaluate(scene).albedo.x, 102.0F / 255.0F, 1e-6);
    slot.transform = glm::mat3(1, 0, 0, 0, 1, 0, 0.5F, -0.5F, 1); // moved by half a picture: top right
    EXPECT_NEAR(evaluate(scene).albedo.x, 51.0F / 255.0F, 1e-6);
    slot.uvSet = 1;
    scene.meshes[0].uvs[1].assign(3, {0.75F, 0.75F}); // moved: beyond the right edge, repeated: top left
    EXPECT_NEAR(evaluate(scene).albedo.x, 0.0F, 1e-6);
    scene.meshes[0].uvs[1].clear(); // no such coordinates: the factor alone
    EXPECT_NEAR(evaluate(scene).albedo.x, 1.0F, 1e-6);
}

TEST(Surface, CutsByAlpha) {
    Scene scene = triangleScene();
    Material& material = scene.materials[0];
    material.albedoTexture = addTexture(scene, {255, 255, 255, 102}); // 0.4
    EXPECT_TRUE(evaluate(scene).opaque);
    material.alphaMode = AlphaMode::Mask;
    EXPECT_FALSE(evaluate(scene).opaque); // below one half
    material.alphaCutoff = 0.3F;
    EXPECT_TRUE(evaluate(scene).opaque);
    scene.meshes[0].colours.assign(3, {1, 1, 1, 0.5F});
    EXPECT_FALSE(evaluate(scene).opaque);
    scene.meshes[0].colours.clear();
    material.alpha = 0.5F;
    EXPECT_FALSE(evaluate(scene).opaque);
    material.alphaMode = AlphaMode::Blend;
    material.alpha = 1.0F;
    EXPECT_FALSE(evaluate(scene).opaque);
    material.albedoTexture = {};
    EXPECT_TRUE(evaluate(scene).opaque);
}

/// The opacity of what is blended stands in metalness's place, and dims what it emits.
TEST(Surface, BlendsByAlpha) {
    Scene scene = triangleScene();
    Material& material = scene.materials[0];
    material.albedoTexture = addTexture(scene, {255, 255, 255, 102}); // 0.4
    material.alphaMode = AlphaMode::Blend;
    material.alpha = 0.5F;
    material.emission = glm::vec3(2.0F);
    blendOver(material, scene.textures, false);
    SurfacePoint point = evaluate(scene);
    EXPECT_TRUE(point.opaque);
    EXPECT_NEAR(point.metalness, 0.2F, 1e-6F);
    expectNear(point.emission, glm::vec3(0.4F));
    scene.meshes[0].colours.assign(3, {1, 1, 1, 0.5F});
    EXPECT_NEAR(evaluate(scene).metalness, 0.1F, 1e-6F);
    scene.meshes[0].colours.assign(3, {1, 1, 1, 0.1F}); // 0.02: nothing is there
    EXPECT_FALSE(evaluate(scene).opaque);
    scene.meshes[0].colours.clear();
    material = Material();
    material.alphaMode = AlphaMode::Blend;
    material.alpha = 0.25F;
    material.emission = glm::vec3(2.0F);
    blendOver(material, scene.textures, false);
    point = evaluate(scene);
    EXPECT_TRUE(point.opaque);
    EXPECT_EQ(point.metalness, 0.0F);
    EXPECT_EQ(material.transmission, 0.75F) << "to the bit: 15 steps of metalness are for what varies";
    expectNear(point.emission, glm::vec3(0.5F));
}

TEST(Surface, OverridesTheMaterial) {
    Scene scene = triangleScene();
    scene.materials.emplace_back().albedo = {0.25F, 0.5F, 0.75F};
    scene.meshInstances[0].material = 1;
    expectNear(evaluate(scene).albedo, {0.25F, 0.5F, 0.75F});
    EXPECT_EQ(&materialOf(scene, scene.meshInstances[0]), &scene.materials[1]);
}

TEST(Surface, InterpolatesNormalsAndFallsBackToTheTriangles) {
    Scene scene = triangleScene();
    expectNear(evaluate(scene).normal, {0, 0, 1});
    scene.meshes[0].normals = {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}};
    const float third = 1.0F / 3.0F;
    expectNear(evaluate(scene, third, third).normal, glm::normalize(glm::vec3(1, 1, -1)));
    scene.meshes[0].normals = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    expectNear(evaluate(scene).normal, {0, 0, 1});
    scene.meshes[0].normals = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}}; // the side the vertex normals face
    expectNear(evaluate(scene).normal, {0, 0, -1});
    scene.meshes[0].normals.clear();
    for (glm::vec3& position : scene.meshes[0].positions) {
        position *= 1e-20F; // squares underflow in single precision
    }
    expectNear(evaluate(scene).normal, {0, 0, 1});
}

TEST(Surface, TransformsNormalsByTheInverseTranspose) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int i = 0; i < 200; ++i) {
        Scene scene = triangleScene();
        Mesh& mesh = scene.meshes[0];
        glm::dmat4& matrix = scene.meshInstances[0].worldFromMesh;
        for (glm::length_t c = 0; c < 3; ++c) {
            mesh.positions[static_cast<std::size_t>(c)] = {uniform(random), uniform(random), uniform(random)};
            matrix[c] = {uniform(random), uniform(random), uniform(random), 0.0};
        }
        const glm::dmat3 linear(matrix);
        if (std::abs(glm::determinant(linear)) < 0.05) {
            continue;
        }
        const glm::dvec3 a(mesh.positions[0]);
        const glm::dvec3 normal = glm::cross(glm::dvec3(mesh.positions[1]) - a, glm::dvec3(mesh.positions[2]) - a);
        const glm::dvec3 expected = glm::normalize(glm::transpose(glm::inverse(linear)) * normal);
        expectNear(evaluate(scene).normal, glm::vec3(expected), 1e-4F);
    }
}

TEST(Surface, AFlatTransformStillHasANormal) {
    Scene scene = triangleScene();
    scene.meshInstances[0].worldFromMesh[2] = glm::dvec4(0.0); // squashed along Z
    expectNear(evaluate(scene).normal, {0, 0, 1});
}

/// The normal texture's value whose decoded direction is closest to (x, y, z), and that direction.
std::array<std::uint8_t, 4> encodeNormal(const glm::vec3& direction) {
    const glm::vec3 code = (direction * 0.5F + 0.5F) * 255.0F;
    return {static_cast<std::uint8_t>(std::lround(code.x)), static_cast<std::uint8_t>(std::lround(code.y)),
            static_cast<std::uint8_t>(std::lround(code.z)), 255};
}

constexpr float kCode = 0.006F; // half a code of an 8-bit normal, twice

TEST(Surface, BendsNormalsInTheFrameOfTheTexture) {
    Scene scene = triangleScene();
    const glm::vec3 tilt = glm::normalize(glm::vec3(0.6F, 0.3F, 0.8F));
    scene.materials[0].normalTexture = addTexture(scene, encodeNormal(tilt));
    // The picture's right is +X here and its up is +Y: red bends to +X, green (upwards) to +Y.
    expectNear(evaluate(scene).normal, tilt, kCode);
    scene.materials[0].normalGreenDown = true;
    expectNear(evaluate(scene).normal, {tilt.x, -tilt.y, tilt.z}, kCode);
    scene.materials[0].normalGreenDown = false;
    scene.materials[0].normalScale = 0.5F;
    expectNear(evaluate(scene).normal, glm::normalize(glm::vec3(0.5F * tilt.x, 0.5F * tilt.y, tilt.z)), kCode);
    scene.materials[0].normalScale = 1.0F;
    // A mirrored picture: its right is -X, its up still +Y.
    scene.meshes[0].uvs[0] = {{1, 1}, {0, 1}, {1, 0}};
    expectNear(evaluate(scene).normal, {-tilt.x, tilt.y, tilt.z}, kCode);
    // A picture turned by a quarter: its right is +Y, its up is -X.
    scene.meshes[0].uvs[0] = {{0, 1}, {0, 0}, {1, 1}};
    scene.meshes[0].uvs[0] = {{0, 0}, {0, 1}, {1, 0}};
    expectNear(evaluate(scene).normal, {-tilt.y, tilt.x, tilt.z}, kCode);
}

TEST(Surface, UsesGivenTangents) {
    Scene scene = triangleScene();
    const glm::vec3 tilt = glm::normalize(glm::vec3(0.6F, 0.3F, 0.8F));
    scene.materials[0].normalTexture = addTexture(scene, encodeNormal(tilt));
    scene.meshes[0].normals.assign(3, {0, 0, 1});
    scene.meshes[0].tangents.assign(3, {0, 1, 0, 1}); // bitangent = normal x tangent = -X
    expectNear(evaluate(scene).normal, {-tilt.y, tilt.x, tilt.z}, kCode);
    scene.meshes[0].tangents.assign(3, {0, 1, 0, -1});
    expectNear(evaluate(scene).normal, {tilt.y, tilt.x, tilt.z}, kCode);
    scene.meshes[0].tangents.assign(3, {0, 0, 0, 1}); // none: derived from the coordinates
    expectNear(evaluate(scene).normal, tilt, kCode);
}

TEST(Surface, DegenerateCoordinatesLeaveTheNormalAlone) {
    Scene scene = triangleScene();
    scene.materials[0].normalTexture = addTexture(scene, encodeNormal(glm::normalize(glm::vec3(0.6F, 0.0F, 0.8F))));
    scene.meshes[0].uvs[0].assign(3, {0.5F, 0.5F});
    expectNear(evaluate(scene).normal, {0, 0, 1});
    scene.meshes[0].uvs[0].clear();
    expectNear(evaluate(scene).normal, {0, 0, 1});
}

TEST(Surface, BentNormalsFollowMirroredInstances) {
    Scene scene = triangleScene();
    const glm::vec3 tilt = glm::normalize(glm::vec3(0.6F, 0.3F, 0.8F));
    scene.materials[0].normalTexture = addTexture(scene, encodeNormal(tilt));
    scene.meshInstances[0].worldFromMesh[0] = {-1.0, 0.0, 0.0, 0.0}; // seen in a mirror at x = 0
    expectNear(evaluate(scene).normal, {-tilt.x, tilt.y, tilt.z}, kCode);
}

} // namespace
} // namespace aureole::test
