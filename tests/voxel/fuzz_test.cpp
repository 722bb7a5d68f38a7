// Whatever the loader of octree files lets through can be used without leaving its arrays. Under the sanitizers, which
// see an index that leads astray, every array is copied to memory of its own first. AUREOLE_FULL=1 tries many more.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <omp.h>

#include "avo_mutator.h"
#include "core/file.h"
#include "shared/traversal.h"
#include "test_surfaces.h"
#include "voxel/build.h"
#include "voxel/dag.h"
#include "voxel/octree_file.h"
#include "voxel/surface_sum.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

bool fullSweep() {
    const char* value = std::getenv("AUREOLE_FULL"); // NOLINT(concurrency-mt-unsafe): tests set none while others read
    return value != nullptr && std::string(value) == "1";
}

struct Sample {
    std::string name;
    Octree octree;
};

/// Tiles in a row, each with a radiance of its own: more than one run of emissions.
Octree manyRuns() {
    Scene scene = pinnedScene(16);
    scene.meshes[0].positions = {{0, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0}, {300, 8, 8}, {299.9F, 8, 8}, {300, 7.9F, 8}};
    for (int i = 0; i < 280; ++i) {
        Material lamp;
        lamp.emission = {1.0F + static_cast<float>(i), 0.25F, 3.0F};
        addRectangle(scene, {static_cast<float>(i + 10) + 0.2F, 2.5F, 2.2F}, {0.5F, 0, 0}, {0, 0, 0.5F}, lamp);
    }
    return voxelizeScene(scene, 300);
}

std::vector<Sample> sampleFiles() {
    std::vector<Sample> samples;
    std::vector<LatticeTriangle> lump =
        closedSurface({15.3, 14.7, 16.1}, 10, 14, [](const glm::dvec3& d) { return 11.0 + 2.0 * d.y; });
    Scene scene = latticeScene({32, 30, 33}, lump);
    VoxelizeOptions options;
    options.resolution = 33;
    samples.push_back({"conservative", voxelizeScene(scene, options)});
    options.coverage = Coverage::Thin;
    samples.push_back({"thin", voxelizeScene(scene, options)});
    scene.materials[0].emission = {1.0F, 2.0F, 3.0F};
    options.coverage = Coverage::Solid;
    samples.push_back({"solid and emissive", voxelizeScene(scene, options)});
    samples.push_back({"many runs", manyRuns()});
    samples.push_back({"dag", toDag(voxelizeScene(scene, options))});
    samples.push_back({"dag of many runs", toDag(manyRuns())});
    const shared::VoxelAttributes plain{};
    samples.push_back({"one voxel", buildOctree({glm::dvec3(0.0), 1.0, glm::uvec3(1)}, {{0, 1}}, {plain})});
    return samples;
}

void expectSane(const shared::VoxelAttributes& attributes) {
    const shared::VoxelSurface surface = shared::unpackAttributes(attributes);
    ASSERT_TRUE(std::isfinite(surface.normal.x + surface.normal.y + surface.normal.z));
    ASSERT_TRUE(surface.albedo.x >= 0.0F && surface.albedo.x <= 1.0F);
}

/// Reads attributes as a renderer does at a hit.
void useAttributes(const Octree& octree, std::uint64_t view, std::uint64_t index) {
    const shared::VoxelAttributes attributes = shared::octreeAttributes(view, index);
    expectSane(attributes);
    if (index != OCTREE_NO_ATTRIBUTES) {
        const std::uint32_t number = shared::unpackAttributes(attributes).material;
        ASSERT_LT(shared::octreePaletteIndex(view, index, number), octree.palette.size());
    }
}

void castRay(const Octree& octree, std::uint64_t view, const glm::vec3& origin, const glm::vec3& towards) {
    const glm::vec3 direction = shared::traversalDirection(towards);
    shared::Traversal state{};
    const auto side = static_cast<float>(1U << (2 * octree.levels));
    const glm::uvec3 cell(glm::clamp((origin - 1.0F) * side, glm::vec3(0.0F), glm::vec3(side - 1.0F)));
    shared::traversalBegin(view, origin, direction, 1.0F / direction, cell, state);
    for (int hits = 0; hits < 8; ++hits) { // on through what is solid
        std::uint32_t steps = 200'000;
        const std::uint32_t result = shared::traversalRun(view, state, steps);
        ASSERT_NE(result, std::uint32_t{TRAVERSAL_RUNNING});
        if (result == TRAVERSAL_MISS) {
            return;
        }
        const shared::VoxelHit hit = shared::traversalHit(view, state);
        useAttributes(octree, view, shared::hitAttributeIndex(view, hit));
        if (shared::traversalSkip(view, state) == TRAVERSAL_MISS) {
            return;
        }
    }
}

void useAll(const Octree& loaded, std::mt19937_64& random) {
    const Octree octree = copyOf(loaded); // in memory of its own, behind whose end the sanitizer looks
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    const std::uint64_t side = std::uint64_t{1} << (2 * octree.levels);
    for (int i = 0; i < 200; ++i) {
        const glm::uvec3 voxel(random() % (side + 2), random() % (side + 2), random() % (side + 2));
        if (octree.encoding == OctreeEncoding::Dag && shared::octreeSolid(address, voxel) != 0) {
            useAttributes(octree, address, shared::dagAttributeIndex(address, voxel));
        }
        const std::optional<shared::VoxelAttributes> attributes = attributesAt(octree, glm::ivec3(voxel));
        ASSERT_EQ(shared::octreeSolid(address, voxel) != 0, isSolid(octree, glm::ivec3(voxel)));
        if (attributes) {
            expectSane(*attributes);
        }
    }
    // Leaves of a DAG have no attributes of their own.
    for (std::uint32_t leaf = 0; octree.encoding != OctreeEncoding::Dag && leaf < octree.leaves.size(); ++leaf) {
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            if (shared::maskHasBit(octree.leaves[leaf], bit) != 0) {
                useAttributes(octree, address, shared::octreeAttributeIndex(address, leaf, bit));
            }
        }
    }
    const auto coordinate = [&] { return 1.0F + static_cast<float>(random() % 4097) / 4096.0F; };
    for (int i = 0; i < 30; ++i) {
        const glm::vec3 origin(coordinate(), coordinate(), coordinate());
        castRay(octree, address, origin, glm::vec3(coordinate(), coordinate(), coordinate()) - 1.5F);
    }
    for (const Array<shared::VoxelAttributes>* averages : {&octree.leafAverages, &octree.nodeAverages}) {
        for (const shared::VoxelAttributes& average : *averages) {
            expectSane(average);
        }
    }
    for (const Array<AverageMaterial>* materials : {&octree.leafMaterials, &octree.nodeMaterials}) {
        for (const AverageMaterial& average : *materials) {
            ASSERT_TRUE(std::isfinite(unpackEmission(average.emission).x));
        }
    }
    for (const EmissiveFace& face : collectEmissiveFaces(octree)) {
        ASSERT_LT(face.entry, octree.palette.size());
        ASSERT_LT(std::max({face.voxel.x, face.voxel.y, face.voxel.z}), side);
    }
}

TEST(OctreeFuzz, MutantsAreRefusedOrCanBeUsed) {
    std::string name = (fs::temp_directory_path() / "aureole-fuzz-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    const fs::path file = fs::path(name) / "mutant.avo";
    const int rounds = fullSweep() ? 50'000 : 4000;
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); // files are so small that waking a second one takes most of the time
    for (const Sample& sample : sampleFiles()) {
        SCOPED_TRACE(sample.name);
        writeOctree(file, sample.octree);
        const AvoParts whole = takeApart(readFile(file, std::uint64_t{1} << 30U));
        std::mt19937_64 random(7);
        int used = 0;
        for (int round = 0; round < rounds && !testing::Test::HasFatalFailure(); ++round) {
            SCOPED_TRACE(round);
            const std::vector<std::byte> mutant = round == 0 ? putTogether(whole) : mutated(whole, random);
            fs::remove(file); // some file systems wait for the disk when one is truncated
            std::ofstream(file, std::ios::binary)
                .write(reinterpret_cast<const char*>(mutant.data()), static_cast<std::streamsize>(mutant.size()));
            try {
                const Octree octree = loadOctree(file);
                useAll(octree, random);
                ++used;
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ExitCode::BadInput) << error.what();
                ASSERT_NE(round, 0) << error.what();
            }
        }
        EXPECT_GT(used, rounds / 20); // colours, texts, sections in another order
        EXPECT_LT(used, rounds * 3 / 4);
    }
    omp_set_num_threads(threads);
    fs::remove_all(name);
}

} // namespace
} // namespace aureole::test
