// Who makes a scene's octree, and which octree of the cache is taken for it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "test_scene.h"
#include "voxel/build/brick_maker.h"
#include "voxel/build/scene_octree.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

/// Makes bricks as the CPU does, under a name of its own.
class NamedMaker : public BrickMaker {
public:
    std::string name() const override { return "a maker"; }
    std::string whyNot(const Scene& scene, const VoxelizeOptions& /*options*/) const override {
        return scene.outlined ? "" : refusal; // outlines do not tell
    }
    void prepare(SurfaceKind /*surface*/) override { ++prepared; }
    void begin(const Primitives& primitives, const BrickList& bricks, const VoxelizeOptions& /*options*/,
               bool /*branches*/) override {
        if (isFull) {
            fail(ExitCode::OutOfMemory, "no memory");
        }
        primitives_ = &primitives;
        bricks_ = &bricks;
    }
    std::vector<BrickVoxels> make(std::size_t first) override {
        ++made;
        if (breaks) {
            fail(ExitCode::Internal, "broken");
        }
        std::vector<BrickVoxels> one;
        one.push_back(voxelizeBrick(*primitives_, *bricks_, bricks_->bricks()[first]));
        return one;
    }

    void end() override { ++ended; }

    std::string refusal;
    bool isFull = false;
    int prepared = 0;
    int made = 0; ///< bricks
    int ended = 0;
    bool breaks = false; ///< at its first brick

private:
    const Primitives* primitives_ = nullptr;
    const BrickList* bricks_ = nullptr;
};

class SceneOctreeTest : public testing::Test {
protected:
    SceneOctreeTest() {
        std::string name = (fs::temp_directory_path() / "aureole-octrees-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        scene_.voxels.resolution = 24;
        scene_.surfaceHash = "a triangle";
    }
    ~SceneOctreeTest() override { fs::remove_all(folder_); }

    /// Takes the octree as a render does, and keeps it.
    OctreeFigures take(BrickMaker* maker) {
        const OctreeCache cache(folder_);
        Scene asKnown = scene_;
        asKnown.outlined = isOutlined_;
        SceneOctree source(asKnown, &cache, maker);
        const Octree octree = source.take(scene_);
        source.store(octree);
        kind_ = octree.encodingKind();
        return source.figures();
    }

    Scene scene_ = sceneOf({{{{0.1F, 0.0F, 0.2F}, {1.0F, 0.1F, 0.0F}, {0.3F, 0.9F, 0.5F}}}});
    bool isOutlined_ = false; ///< the scene is known by its outlines at first
    NamedMaker maker_;
    OctreeEncoding kind_ = OctreeEncoding::Tree; ///< of the octree that was taken last

private:
    fs::path folder_;
};

// Which octree is found hangs on who would make it now, and not on who has made one before.
TEST_F(SceneOctreeTest, IsTakenFromTheCacheForItsMakerAlone) {
    for (const bool outlined : {false, true}) {
        isOutlined_ = outlined;
        scene_.surfaceHash = outlined ? "an outlined triangle" : "a triangle";
        EXPECT_FALSE(take(nullptr).cached);
        const OctreeFigures first = take(&maker_);
        EXPECT_FALSE(first.cached);
        EXPECT_EQ(first.maker, "a maker");
        const OctreeFigures second = take(&maker_);
        EXPECT_TRUE(second.cached);
        EXPECT_EQ(second.maker, "a maker");
        const OctreeFigures third = take(nullptr);
        EXPECT_TRUE(third.cached);
        EXPECT_EQ(third.maker, "");
    }
    EXPECT_GT(maker_.made, 0);
}

// Octrees of other modes and encodings are others, and stay so in the cache.
TEST_F(SceneOctreeTest, HasTheModeAndTheEncodingOfTheScene) {
    const std::uint64_t conservative = take(nullptr).voxels;
    scene_.voxels.encoding = TreeKind::Dag;
    for (const bool cached : {false, true}) {
        const OctreeFigures merged = take(nullptr);
        EXPECT_EQ(merged.cached, cached);
        EXPECT_EQ(merged.voxels, conservative);
        EXPECT_EQ(kind_, OctreeEncoding::Dag);
    }
    scene_.voxels.mode = Coverage::Thin;
    EXPECT_LT(take(nullptr).voxels, conservative);
    scene_.voxels.encoding = TreeKind::Tree;
    EXPECT_FALSE(take(nullptr).cached);
    EXPECT_EQ(kind_, OctreeEncoding::Tree);
}

// It prepares as soon as it is known to make an octree, and not in vain.
TEST_F(SceneOctreeTest, HasItsMakerPrepare) {
    take(nullptr);
    take(&maker_);
    EXPECT_EQ(maker_.prepared, 1);
    take(&maker_); // from the cache
    maker_.refusal = "too fine";
    scene_.surfaceHash = "another triangle";
    take(&maker_);
    maker_.refusal = "";
    isOutlined_ = true;
    scene_.surfaceHash = "an outlined triangle";
    take(&maker_);
    EXPECT_EQ(maker_.prepared, 1);
}

// A maker may work ahead: the bricks are there until it has ended, however its work does.
TEST_F(SceneOctreeTest, HasItsMakerEnd) {
    take(&maker_);
    EXPECT_EQ(maker_.ended, 1);
    maker_.breaks = true;
    scene_.surfaceHash = "another triangle";
    EXPECT_THROW(take(&maker_), Error);
    EXPECT_EQ(maker_.ended, 2);
}

// What the maker cannot make is the CPU's for everyone, also where outlines do not tell.
TEST_F(SceneOctreeTest, IsTheCpusWhereTheMakerCannot) {
    maker_.refusal = "too fine";
    EXPECT_EQ(take(&maker_).maker, "");
    EXPECT_TRUE(take(&maker_).cached);
    EXPECT_TRUE(take(nullptr).cached);
    isOutlined_ = true;
    EXPECT_TRUE(take(&maker_).cached);
    EXPECT_EQ(maker_.made, 0);
}

// Without memory the CPU makes it, and the cache keeps it as the CPU's.
TEST_F(SceneOctreeTest, IsNotKeptAsTheMakersWhereThatHasNoMemory) {
    maker_.isFull = true;
    EXPECT_EQ(take(&maker_).maker, "");
    EXPECT_TRUE(take(nullptr).cached);
    maker_.isFull = false;
    for (const bool outlined : {true, false}) {
        isOutlined_ = outlined;
        const OctreeFigures next = take(&maker_);
        EXPECT_EQ(next.cached, !outlined); // the one of before
        EXPECT_EQ(next.maker, "a maker");
    }
}

} // namespace
} // namespace aureole::test
