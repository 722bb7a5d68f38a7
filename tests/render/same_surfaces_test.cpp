// Every material on every surface against the reference backend, where planes and fields are exact: on wide plates,
// whose edges alone voxels round, and these are not in view.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "glass_scenes.h"
#include "gpu_test/gpu_test.h"
#include "model/blended_material.h"
#include "model/primitives.h"
#include "renders.h"
#include "settings/surface_kind.h"
#include "statistics.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

constexpr std::uint32_t kTexels = 8; ///< along each side of a plate, each as wide as 12 voxels

/// A texture of which texel i has the i-th of `texels`, and so on from the first.
Texture textureOf(const std::vector<std::array<std::uint8_t, 3>>& texels) {
    Texture texture;
    texture.width = texture.height = kTexels;
    for (std::size_t i = 0; i < std::size_t{kTexels} * kTexels; ++i) {
        const std::array<std::uint8_t, 3>& texel = texels[i % texels.size()];
        texture.rgba.insert(texture.rgba.end(), {texel[0], texel[1], texel[2], 255});
    }
    return texture;
}

TextureSlot slotOf(std::uint32_t texture) {
    TextureSlot slot;
    slot.texture = texture;
    slot.nearest = true;
    return slot;
}

/// Between a floor and a ceiling that shines, a plate that the camera sees alone: it is of the material to try.
class SameSurfaces : public gpu::GpuTest {
protected:
    struct Tried {
        const char* name;
        Material material;
        std::uint32_t samples; ///< of a pixel, so many that light of one percent more is seen
    };

    static constexpr std::uint32_t kResolution = 96;
    static constexpr std::uint32_t kPlate = 2; ///< its material

    void SetUp() override {
        GpuTest::SetUp();
        scene.file = "scene.json";
        scene.materials.resize(3);
        scene.materials[0].albedo = {0.7F, 0.5F, 0.4F};
        scene.materials[0].emission = {0.25F, 0.375F, 0.5F};
        scene.materials[1].albedo = {0.4F, 0.5F, 0.6F};
        scene.materials[1].emission = {1.0F, 0.875F, 0.75F};
        scene.materials[1].emissionTexture = slotOf(3);
        keepRadiance(scene.materials[0]);
        keepRadiance(scene.materials[1]);
        scene.meshes = {makeBox({-3.0, 0.0, -3.0}, {3.0, 0.25, 3.0}), makeBox({-3.0, 1.5, -3.0}, {3.0, 1.75, 3.0}),
                        makeBox({-3.0, 0.625, -3.0}, {3.0, 1.125, 3.0})};
        scene.meshInstances.resize(3);
        for (std::uint32_t i = 0; i < 3; ++i) {
            scene.meshInstances[i].mesh = i;
            scene.meshes[i].material = i;
        }
        // Metals and plastics, smooth and rough; then what glows. Voxels keep five bits of roughness, nine of emission.
        scene.textures = {textureOf({{240, 190, 90}, {200, 200, 210}, {180, 40, 30}, {90, 160, 60}, {120, 120, 200}}),
                          textureOf({{0, 74, 255}, {0, 206, 255}, {0, 49, 0}, {0, 123, 0}, {0, 156, 255}}),
                          textureOf({{255, 255, 0}, {0, 0, 0}, {0, 0, 255}}),
                          textureOf({{255, 255, 255}, {255, 255, 0}, {0, 255, 255}})};
        scene.environment.type = EnvironmentType::Gradient;
        scene.environment.horizon = {0.8F, 0.7F, 0.6F};
        scene.environment.zenith = {0.3F, 0.4F, 0.7F};
        scene.environment.ground = {0.3F, 0.25F, 0.2F};
        Camera camera;
        camera.position = {0.3, 1.45, 0.2};
        camera.target = {0.24, 1.125, 0.15};
        camera.up = {0.0, 0.0, 1.0};
        camera.verticalFov = 60.0;
        scene.cameras = {camera};
        scene.film.width = 24;
        scene.film.height = 16;
        scene.film.filter = PixelFilter::Box;
        scene.film.filterRadius = 0.5;
        scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
        scene.integrator.maxDepth = 5;
    }

    /// Else voxels have a radiance that makes up for what they lack of the lamp's area at its rim (lamp_light.h).
    static void keepRadiance(Material& lamp) { lamp.unlit = true; }

    static std::vector<Tried> materials(bool isCpu) {
        Material textured;
        textured.model = MaterialModel::MetallicRoughness;
        textured.albedo = glm::vec3(1.0F);
        textured.metalness = 1.0F;
        textured.albedoTexture = slotOf(0);
        textured.metallicRoughnessTexture = slotOf(1);
        Material lamp;
        lamp.albedo = {0.5F, 0.6F, 0.4F};
        lamp.emission = glm::vec3(1.5F);
        lamp.emissionTexture = slotOf(2);
        keepRadiance(lamp);
        Material mirror;
        mirror.model = MaterialModel::Mirror;
        mirror.albedo = {0.9F, 0.8F, 0.6F};
        Material glass = clearGlass();
        glass.absorption = {0.1F, 0.5F, 1.0F};
        Material roughGlass = glass;
        roughGlass.roughness = 12.0F / 31.0F;
        Material pane = clearGlass();
        pane.model = MaterialModel::ThinGlass;
        pane.albedo = {0.9F, 0.8F, 0.6F};
        std::vector<Tried> all = {{"metals, plastics, textures", textured, 192},
                                  {"lamp", lamp, 96},
                                  {"mirror", mirror, 64},
                                  {"glass", glass, 192},
                                  {"rough glass", roughGlass, 192},
                                  {"thin glass", pane, 384}};
        if (fullSweep() || !isCpu) { // they take kernels of their own, which a software device compiles for a minute
            Material coated = textured;
            coated.clearcoat = 0.8F;
            coated.clearcoatRoughness = 0.3F;
            all.push_back({"clear coat", coated, 192});
            Material blended;
            blended.albedo = {0.9F, 0.4F, 0.2F};
            blended.alphaMode = AlphaMode::Blend;
            blended.alpha = 0.6F;
            blendOver(blended, {}, false);
            all.push_back({"blended", blended, 384});
            Material milky = glass;
            milky.scattering = {1.5F, 1.0F, 0.5F};
            milky.anisotropy = 0.5F;
            all.push_back({"glass that scatters within", milky, 768});
        }
        return all;
    }

    Scene scene;
};

/// The same picture but for noise, and so little noise that light of one percent more would be seen.
TEST_F(SameSurfaces, BackendsAgreeOnEveryMaterial) {
    for (const Tried& tried : materials(device().info().isCpu)) {
        const std::uint32_t samples = tried.samples * samplesOf(1, 16);
        scene.materials[kPlate] = tried.material;
        scene.integrator.seed = 77;
        const FilmSums reference = renderReference(scene, 2 * samples);
        const FilmSums brighter = brightened(reference, 1.01);
        scene.integrator.seed = 0;
        for (const SurfaceKind surface : {SurfaceKind::Planes, SurfaceKind::Field}) {
            if (surface == SurfaceKind::Field && tried.material.alphaMode != AlphaMode::Opaque) {
                continue; // refused: fields have no holes
            }
            SCOPED_TRACE(tried.name + (", " + surfaceKindNames()[static_cast<std::size_t>(surface)]));
            VoxelizeOptions options;
            options.resolution = kResolution;
            options.surface = surface;
            const FilmSums found = renderOnDevice(device(), scene, voxelizeScene(scene, options), samples);
            const ZTest test = zTestOfTwo(found, reference);
            EXPECT_LT(test.worstPixel, test.pixelLimit);
            EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
            EXPECT_GT(std::abs(zTestOfTwo(found, brighter).pictureZ - test.pictureZ), 3.3) << "one percent";
        }
    }
}

} // namespace
} // namespace aureole
