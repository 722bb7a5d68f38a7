#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "core/hash.h"
#include "test_scene.h"
#include "voxel/file/octree_cache.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

/// A scene with everything in it that voxels come from, made of numbers that are exact in binary.
Scene variedScene() {
    Scene scene = pinnedScene(32.0F);
    Material plain;
    plain.albedo = {0.25F, 0.5F, 0.75F};
    plain.roughness = 0.5F;
    addRectangle(scene, {4, 5, 6}, {20, 3, 0}, {0, 4, 18}, plain);
    Material glowing = plain;
    glowing.emission = {2.0F, 1.0F, 0.5F};
    addRectangle(scene, {6, 20, 8}, {12, 0, 5}, {-3, 0, 15}, glowing);
    return scene;
}

class OctreeCacheTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "aureole-cache-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_;
};

TEST_F(OctreeCacheTest, GivesBackTheSameOctree) {
    const OctreeCache cache(folder_);
    const Octree octree = voxelizeScene(variedScene(), 32);
    EXPECT_FALSE(cache.find("0123456789abcdef"));
    cache.store("0123456789abcdef", octree);
    const std::optional<Octree> found = cache.find("0123456789abcdef");
    ASSERT_TRUE(found);
    EXPECT_TRUE(identical(*found, octree));
    EXPECT_EQ(found->grid.origin, octree.grid.origin);
    EXPECT_EQ(found->grid.voxelSize, octree.grid.voxelSize);
}

// Lamps that are still being made when storing begins come into the file as those of the octree do.
TEST_F(OctreeCacheTest, WaitsForLamps) {
    const OctreeCache cache(folder_);
    VoxelizeOptions options;
    options.resolution = 32;
    VoxelizedScene made = voxelizeSurfaces(variedScene(), options);
    ASSERT_FALSE(made.octree.lamps);
    ASSERT_FALSE(made.emissive.empty());
    std::promise<void> begun;
    const ComingLamps lamps = std::async(std::launch::async, [&] {
                                  begun.get_future().wait();
                                  return makeEmitterBoxes(made.octree, made.emissive);
                              }).share();
    std::future<bool> stored = std::async(std::launch::async, [&] { return cache.store("k", made.octree, lamps); });
    begun.set_value();
    EXPECT_TRUE(stored.get());
    const std::optional<Octree> found = cache.find("k");
    ASSERT_TRUE(found);
    const Octree octree = voxelizeScene(variedScene(), 32);
    ASSERT_TRUE(octree.lamps);
    EXPECT_TRUE(identical(*found, octree));
}

TEST_F(OctreeCacheTest, KeepsTheWarningAboutOpenGlass) {
    const OctreeCache cache(folder_);
    Scene scene = variedScene();
    scene.materials[scene.meshes.back().material].model = MaterialModel::Dielectric;
    VoxelizeOptions options;
    options.resolution = 32;
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        options.surface = surface;
        cache.store("k", voxelizeScene(scene, options));
        const std::optional<Octree> found = cache.find("k");
        ASSERT_TRUE(found);
        ASSERT_TRUE(found->metadata.contains(kWarningKey));
        EXPECT_NE(found->metadata.at(kWarningKey).find("is of glass and not closed: "), std::string::npos);
        EXPECT_FALSE(voxelizeScene(variedScene(), options).metadata.contains(kWarningKey));
    }
}

TEST_F(OctreeCacheTest, DamagedEntriesAreRemovedAndDoNoHarm) {
    const OctreeCache cache(folder_);
    const Octree octree = voxelizeScene(variedScene(), 32);
    const fs::path file = folder_ / "k.avo";
    cache.store("k", octree);
    const std::uintmax_t size = fs::file_size(file);
    fs::resize_file(file, size / 2);
    EXPECT_FALSE(cache.find("k"));
    EXPECT_FALSE(fs::exists(file));
    cache.store("k", octree);
    std::fstream(file, std::ios::binary | std::ios::in | std::ios::out).seekp(5000).put('x');
    EXPECT_FALSE(cache.find("k"));
    std::ofstream(file) << "";
    EXPECT_FALSE(cache.find("k"));
    cache.store("k", octree);
    EXPECT_TRUE(cache.find("k"));
}

TEST_F(OctreeCacheTest, AnEntryThatIsReplacedOrRemovedStaysWithItsUsers) {
    const OctreeCache cache(folder_);
    const Octree octree = voxelizeScene(variedScene(), 32);
    cache.store("k", octree);
    const std::optional<Octree> found = cache.find("k");
    cache.store("k", voxelizeScene(variedScene(), 16));
    fs::remove(folder_ / "k.avo");
    ASSERT_TRUE(found);
    EXPECT_TRUE(identical(*found, octree));
}

TEST_F(OctreeCacheTest, ManyAtOnceGetWholeOctrees) {
    const OctreeCache cache(folder_);
    const Octree octree = voxelizeScene(variedScene(), 16);
    std::vector<std::thread> readers;
    std::atomic<int> different{0};
    std::atomic<bool> done{false};
    for (int i = 0; i < 2; ++i) {
        readers.emplace_back([&] {
            while (!done) {
                const std::optional<Octree> found = cache.find("k");
                different += found && !identical(*found, octree) ? 1 : 0;
            }
        });
    }
    for (int i = 0; i < 50; ++i) {
        cache.store("k", octree);
    }
    done = true;
    for (std::thread& reader : readers) {
        reader.join();
    }
    EXPECT_EQ(different, 0);
    EXPECT_TRUE(cache.find("k"));
}

TEST(OctreeKey, TellsApartWhatVoxelsDependOn) {
    Scene scene = variedScene();
    scene.surfaceHash = "one scene";
    VoxelizeOptions options;
    std::set<std::string> keys = {octreeKey(scene, options, "")};
    options.memory = 1000; // gives the same octree
    scene.hash = "another camera";
    EXPECT_TRUE(keys.contains(octreeKey(scene, options, "")));
    options.resolution = 513;
    keys.insert(octreeKey(scene, options, ""));
    options.coverage = Coverage::Solid;
    keys.insert(octreeKey(scene, options, ""));
    scene.surfaceHash = "another scene";
    keys.insert(octreeKey(scene, options, ""));
    options.surface = SurfaceKind::Field;
    keys.insert(octreeKey(scene, options, ""));
    options.surface = SurfaceKind::Planes;
    keys.insert(octreeKey(scene, options, ""));
    options.error = 0.5;
    keys.insert(octreeKey(scene, options, ""));
    keys.insert(octreeKey(scene, options, "a device"));
    keys.insert(octreeKey(scene, options, "another device"));
    EXPECT_EQ(keys.size(), 9U);
}

/// Where this fails and the octree is as it should be: raise kBuilderVersion, or users keep getting their old octrees,
/// and pin what is found now.
TEST(OctreeKey, TheBuilderVersionStandsForTheseBytes) {
    const Octree octree = voxelizeScene(variedScene(), 32);
    Hasher hasher;
    const auto add = [&](const auto& values) { hasher.add(values.data(), values.size() * sizeof(*values.data())); };
    const auto& tree = std::get<TreeEncoding>(octree.encoding);
    add(tree.nodes);
    add(tree.leaves);
    add(octree.attributes);
    add(octree.leafAverages);
    add(octree.nodeAverages);
    add(octree.leafMaterials);
    add(octree.nodeMaterials);
    add(octree.palette);
    add(octree.materials);
    EXPECT_EQ(kBuilderVersion, 21U);
    EXPECT_EQ(hasher.hex(), "b3995e89481cd142");
}

} // namespace
} // namespace aureole::test
