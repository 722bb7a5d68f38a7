// Scenes at the edges of what the format allows, on the device: finite pictures, and an end.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "edge_scenes.h"
#include "film/film.h"
#include "film/picture.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "model/primitives.h"
#include "reference/reference_renderer.h"
#include "renders.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

class SceneValues : public gpu::GpuTest {};

Octree edgeOctree(const Scene& scene, SurfaceKind surface) {
    VoxelizeOptions options;
    options.resolution = 24;
    options.surface = surface;
    options.mayBeEmpty = true;
    return voxelizeScene(scene, options);
}

bool isGlass(const Material& material) {
    return material.model == MaterialModel::Dielectric || material.model == MaterialModel::ThinGlass;
}

/// Adds a small box of each other material, far from what is seen: pipelines are made for the materials that there are,
/// so that scenes which differ in one material then share theirs.
void addOtherMaterials(Scene& scene) {
    std::vector<MaterialModel> models = {MaterialModel::Lambert, MaterialModel::MetallicRoughness,
                                         MaterialModel::Mirror};
    if (std::any_of(scene.materials.begin(), scene.materials.end(), isGlass)) {
        models.insert(models.end(), {MaterialModel::Dielectric, MaterialModel::ThinGlass});
    }
    for (const MaterialModel model : models) {
        Material material;
        material.model = model;
        material.roughness = 0.5F;
        const auto number = static_cast<std::uint32_t>(scene.materials.size());
        const double x = 0.8 * number - 4.0;
        scene.meshInstances.push_back({static_cast<std::uint32_t>(scene.meshes.size()), glm::dmat4(1.0), number});
        scene.materials.push_back(material);
        scene.meshes.push_back(makeBox({x, 0.0, -4.0}, {x + 0.4, 0.4, -3.6}));
    }
}

void expectFinite(const FilmSums& film, const std::string& name) {
    for (std::size_t i = 0; i < film.radiance.size(); ++i) {
        ASSERT_TRUE(std::isfinite(film.radiance[i]) && film.radiance[i] >= 0.0) << name << ": " << film.radiance[i];
        ASSERT_TRUE(std::isfinite(film.varianceOfMean(i / 3, i % 3))) << name;
    }
    for (const FilmPlane& plane : film.planes) {
        for (const double value : plane.values) {
            ASSERT_TRUE(std::isfinite(value)) << name << ": " << plane.channel << ' ' << value;
        }
    }
}

TEST_F(SceneValues, PicturesStayFinite) {
    constexpr std::array kStrategies = {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf};
    constexpr std::array kSurfaces = {SurfaceKind::Cubes, SurfaceKind::Planes, SurfaceKind::Field};
    // Kinds and strategies take turns. Where time is short, all scenes have the default strategy, which evaluates what
    // the others do, and the same materials: most of the time goes into pipelines.
    std::size_t number = 0;
    for (const auto& [name, change] : edgeChanges()) {
        Scene scene = plainScene();
        change(scene);
        if (!fullSweep()) {
            scene.integrator.sampler = SamplerKind::Independent; // the pipelines of other tests
            if (!scene.meshInstances.empty()) {
                addOtherMaterials(scene);
            }
        }
        scene.integrator.lightSampling = kStrategies[fullSweep() ? number / 3 % 3 : 0];
        const Octree octree = edgeOctree(scene, kSurfaces[number % 3]);
        const FilmSums film = renderOnDevice(device(), scene, octree, 4);
        EXPECT_EQ(film.sampleCount(), 4U) << name;
        expectFinite(film, name);
        ++number;
    }
}

/// The brightest pixels of a layer by its mean, the brightest first.
std::vector<float> brightest(const Image& image, const std::string& layer) {
    std::vector<float> values = image.find(layer + ".G")->values;
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    std::sort(values.begin(), values.end(), std::greater<>());
    for (float& value : values) {
        value *= static_cast<float>(static_cast<double>(values.size()) / sum);
    }
    return values;
}

/// Fireflies would be pixels that are much brighter, by the mean, than any of the triangles. What is seen to emit is
/// left out. Of planes, edges of a lamp stick out a little, and a path that finds the lamp may find it once more there:
/// one such speck is let pass.
TEST_F(SceneValues, LampsMakeNoFirefliesThatTrianglesLack) {
    constexpr std::array kSurfaces = {SurfaceKind::Cubes, SurfaceKind::Planes, SurfaceKind::Field};
    const std::uint32_t samples = quickOrFull(16U, 64U);
    std::size_t number = 0;
    const std::vector<SceneChange> all = lampChanges();
    for (const auto& [name, change] : std::span(all).first(fullSweep() ? all.size() : 2)) {
        Scene scene = plainScene();
        change(scene);
        scene.film.width = fullSweep() ? 48 : 24;
        scene.film.height = fullSweep() ? 36 : 18;
        scene.film.aovs.add(Aov::Direct);
        scene.film.aovs.add(Aov::Indirect);
        ReferenceRenderer renderer(scene, defaultView(scene));
        renderer.render(0, samples, [](double) { return true; });
        const Image triangles = filmImage(renderer.film(), false);
        for (const SurfaceKind surface : kSurfaces) {
            if (!fullSweep() && surface != kSurfaces[number % kSurfaces.size()]) {
                continue;
            }
            VoxelizeOptions options;
            options.resolution = 96;
            options.surface = surface;
            const Image voxels =
                filmImage(renderOnDevice(device(), scene, voxelizeScene(scene, options), samples), false);
            const std::size_t specks = surface == SurfaceKind::Planes ? 1 : 0;
            for (const char* layer : {"direct", "indirect"}) {
                EXPECT_LT(brightest(voxels, layer)[specks], 2.0F * brightest(triangles, layer)[0])
                    << name << ", " << surfaceKindNames()[static_cast<std::size_t>(surface)] << ", " << layer;
            }
        }
        ++number;
    }
}

/// The mean of planes and fields against the triangles', for a ball of each material; edges, which voxels round, take a
/// hundredth at most. Where time is short, metal stands for all, with the pipelines of PicturesStayFinite.
TEST_F(SceneValues, MeansOfSurfacesAreThoseOfTriangles) {
    std::vector<MaterialModel> models = {MaterialModel::MetallicRoughness};
    if (fullSweep()) {
        models.insert(models.end(), {MaterialModel::Lambert, MaterialModel::Mirror, MaterialModel::Dielectric,
                                     MaterialModel::ThinGlass});
    }
    for (const MaterialModel model : models) {
        Scene scene = plainScene();
        scene.materials[1].model = model;
        scene.materials[1].albedo = {0.9F, 0.6F, 0.3F};
        scene.materials[1].roughness = model == MaterialModel::MetallicRoughness ? 0.3F : 0.0F;
        scene.materials[1].metalness = 1.0F;
        scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
        addOtherMaterials(scene);
        ReferenceRenderer renderer(scene, defaultView(scene));
        renderer.render(0, quickOrFull(1024U, 4096U), [](double) { return true; });
        const PictureMean expected = pictureMean(renderer.film());
        for (const SurfaceKind surface : {SurfaceKind::Planes, SurfaceKind::Field}) {
            VoxelizeOptions options;
            options.resolution = 192;
            options.surface = surface;
            const Octree octree = voxelizeScene(scene, options);
            const PictureMean found = pictureMean(renderOnDevice(device(), scene, octree, quickOrFull(512U, 4096U)));
            EXPECT_NEAR(found.value, expected.value, 0.01 * expected.value + 3.5 * (found.error + expected.error))
                << static_cast<int>(model) << ", " << surfaceKindNames()[static_cast<std::size_t>(surface)];
            EXPECT_LT(found.error, 0.005 * expected.value) << "too noisy to tell";
            RecordProperty(fmt::format("mean_{}_{}", static_cast<int>(model), static_cast<int>(surface)),
                           fmt::format("{} of {}", found.value, expected.value));
        }
    }
}

/// Without a surface, or with one that is cut away, the sky is what there is to see.
TEST_F(SceneValues, EmptyScenesShowTheirEnvironment) {
    Scene without = plainScene();
    without.meshInstances.clear();
    Scene cut = plainScene();
    for (Material& material : cut.materials) {
        material.alpha = 0.0F;
        material.alphaMode = AlphaMode::Mask;
    }
    for (Scene* const scene : {&without, &cut}) {
        scene->environment.radiance = glm::vec3(0.5F, 0.25F, 2.0F);
        scene->film.aovs = AovSet::all();
        scene->voxels.normals = VoxelNormals::Face;
        for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
            if (surface == SurfaceKind::Planes && (scene != &cut || !fullSweep())) {
                continue; // none is as empty as another
            }
            const Octree octree = edgeOctree(*scene, surface);
            EXPECT_EQ(octree.voxelCount(), 0U);
            const FilmSums film = renderOnDevice(device(), *scene, octree, 16);
            expectFinite(film, "empty");
            for (std::size_t i = 0; i < film.radiance.size(); ++i) {
                const double radiance = film.radiance[i] / 16.0;
                EXPECT_NEAR(radiance, scene->environment.radiance[static_cast<int>(i % 3)], 1e-6);
            }
            const Image image = filmImage(film, false);
            for (const float alpha : image.find("alpha.Y")->values) {
                EXPECT_EQ(alpha, 0.0F);
            }
            for (const Channel& channel : image.channels) {
                for (const float value : channel.values) {
                    ASSERT_TRUE(std::isfinite(value)) << channel.name;
                }
            }
        }
    }
}

/// What voxels are wanted of must have some.
TEST_F(SceneValues, NothingToVoxelizeIsAnErrorWhereVoxelsAreWanted) {
    Scene scene = plainScene();
    scene.meshInstances.clear();
    EXPECT_THROW(voxelizeScene(scene, 24), Error);
}

} // namespace
} // namespace aureole
