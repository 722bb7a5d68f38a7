#include <cstring>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "shared/octree/attributes.h"
#include "voxel/build/octree_builder.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

constexpr std::size_t kRays = 20000;

/// A solid: cubes without attributes, one of them a full node, beside blocks with an inside and without.
Octree solid() {
    VoxelGrid grid;
    grid.size = glm::uvec3(64);
    MemoryBudget unlimited;
    OctreeBuilder builder(grid, unlimited, Coverage::Solid);
    builder.addInside(0, 2); // 16^3
    builder.addInside(64, 1);
    builder.addBlock({65, 0xFFFF0000FFFF0000ULL, 0x00FF000000FF0000ULL});
    builder.addBlock({70, 0x123456789ABCDEF0ULL, 0});
    builder.addInside(2, 2);
    builder.addBlock({4000, 0xFFFF0000FFFF0000ULL, 0x00FF000000FF0000ULL});
    std::vector<shared::VoxelAttributes> attributes;
    for (std::uint32_t i = 0; i < 16 + 32 + 16; ++i) {
        attributes.push_back({i, 0, 0});
    }
    builder.addAttributes(attributes);
    return builder.finish({kPlainMaterial}, {}, {MaterialConstants()});
}

/// The samples, a solid, and one of a repeated tile, which merges well.
std::vector<OctreeSample> samples() {
    std::vector<OctreeSample> all = sampleOctrees();
    std::mt19937 random(3);
    std::vector<glm::uvec3> tile(40);
    for (glm::uvec3& v : tile) {
        v = {random() % 16, random() % 16, random() % 16};
    }
    std::vector<glm::uvec3> voxels;
    for (std::uint32_t i = 0; i < 512; ++i) {
        for (const glm::uvec3& v : tile) {
            voxels.push_back(v + 16U * glm::uvec3(i % 8, i / 8 % 8, i / 64));
        }
    }
    all.push_back({"solid", solid(), {{20, 3, 3}, {8, 8, 8}, {8, 20, 8}}});
    all.push_back({"repeated tile", octreeOf(4, voxels), voxels});
    return all;
}

bool sameHits(const std::vector<shared::RayHit>& a, const std::vector<shared::RayHit>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(shared::RayHit)) == 0;
}

/// Where the attributes of what each ray hits stand.
std::vector<std::uint64_t> attributesHit(const Octree& octree, const std::vector<shared::GridRay>& rays) {
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    std::vector<std::uint64_t> indices;
    for (const shared::GridRay& ray : rays) {
        shared::Traversal state{};
        shared::traversalBegin(address, ray.origin, ray.direction, ray.inverse, ray.cell, state);
        std::uint32_t steps = ~0U;
        indices.push_back(shared::traversalRun(address, state, steps) == TRAVERSAL_HIT
                              ? shared::hitAttributeIndex(address, shared::traversalHit(address, state))
                              : OCTREE_NO_ATTRIBUTES);
    }
    return indices;
}

TEST(DagTraversal, RaysHitTheVoxelsAndAttributesOfTheTree) {
    for (OctreeSample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        const std::vector<shared::GridRay> rays = sampleRays(sample, kRays, 23);
        const std::vector<shared::RayHit> hits = castOnCpu(sample.octree, rays);
        const std::vector<std::uint64_t> attributes = attributesHit(sample.octree, rays);
        sample.octree = toDag(std::move(sample.octree));
        EXPECT_TRUE(sameHits(castOnCpu(sample.octree, rays), hits));
        EXPECT_EQ(attributesHit(sample.octree, rays), attributes);
    }
}

class GpuDag : public gpu::GpuTest {};

TEST_F(GpuDag, RaysHitTheVoxelsOfTheTree) {
    const RayCaster caster(device(), OctreeEncoding::Dag);
    for (OctreeSample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        const std::vector<shared::GridRay> rays = sampleRays(sample, kRays, 29);
        const std::vector<shared::RayHit> hits = castOnCpu(sample.octree, rays);
        const Octree dag = toDag(std::move(sample.octree));
        EXPECT_TRUE(sameHits(caster.cast(DeviceOctree(device(), dag), rays), hits));
        EXPECT_TRUE(sameHits(caster.cast(DeviceOctree(device(), dag), rays, 9), hits));
    }
}

/// Voxels of many colours, some of which emit, so that a wrong index shows.
Octree colouredTiles() {
    std::vector<glm::uvec3> voxels;
    for (std::uint32_t i = 0; i < 64; ++i) {
        const glm::uvec3 tile = 16U * glm::uvec3(i % 4, i / 4 % 4, i / 16);
        for (const glm::uvec3& v : {glm::uvec3(3, 3, 3), glm::uvec3(4, 3, 3), glm::uvec3(5, 9, 4), glm::uvec3(8, 8, 8),
                                    glm::uvec3(9, 2, 9), glm::uvec3(12, 12, 5)}) {
            voxels.push_back(tile + v);
        }
    }
    Octree octree = octreeOf(3, voxels);
    octree.palette = emissivePalette({glm::vec3(4.0F, 2.0F, 1.0F), glm::vec3(1.0F, 3.0F, 5.0F)});
    octree.materialRuns = singleRun(3);
    for (std::uint32_t i = 0; i < octree.attributes.size(); ++i) {
        octree.attributes[i].albedo =
            shared::packAlbedo(glm::vec3(i % 7, i % 11, i % 13) / glm::vec3(6.0F, 10.0F, 12.0F));
        octree.attributes[i].shading |= (i % 9 == 0 ? 1 + i % 2 : 0U) << ATTRIBUTE_MATERIAL_SHIFT;
    }
    return octree;
}

FilmSums render(const gpu::Device& device, const Octree& octree) {
    Scene scene;
    Camera camera;
    camera.position = glm::dvec3(100.0, 80.0, 120.0);
    camera.target = glm::dvec3(30.0, 30.0, 30.0);
    camera.verticalFov = 35.0;
    scene.cameras = {camera};
    scene.environment.radiance = glm::vec3(0.3F, 0.4F, 0.6F);
    scene.film.width = 48;
    scene.film.height = 32;
    const DeviceScene onDevice(device, scene, octree);
    PathTracer tracer(device, onDevice, defaultView(scene), {});
    tracer.render(0, 16, [](double) { return true; });
    return tracer.film();
}

TEST_F(GpuDag, PicturesAreThoseOfTheTree) {
    Octree octree = colouredTiles();
    const FilmSums tree = render(device(), octree);
    octree = toDag(std::move(octree));
    ASSERT_LT(dagLayout(std::get<DagEncoding>(octree.encoding)).references, 10U);
    const FilmSums dag = render(device(), octree);
    EXPECT_EQ(dag.radiance, tree.radiance);
    EXPECT_EQ(dag.squared, tree.squared);
}

} // namespace
} // namespace aureole
