#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test_scene.h"
#include "voxel/build/brick.h"
#include "voxel/build/build.h"
#include "voxel/build/grid.h"
#include "voxel/build/ordered_work.h"
#include "voxel/build/stored_bytes.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

/// A folder of this test's own, which must be empty at its end.
class EmptyFolder {
public:
    EmptyFolder() {
        std::string name = (fs::temp_directory_path() / "aureole-memory-XXXXXX").string();
        EXPECT_NE(mkdtemp(name.data()), nullptr);
        path_ = name;
    }
    ~EmptyFolder() {
        EXPECT_TRUE(fs::is_empty(path_)) << path_;
        fs::remove_all(path_);
    }
    EmptyFolder(const EmptyFolder&) = delete;
    EmptyFolder& operator=(const EmptyFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

TEST(StoredBytes, HoldWhatWasAppendedInMemoryAndOnDisk) {
    const EmptyFolder folder;
    std::mt19937 random(1);
    std::vector<std::uint32_t> expected(3'000'000);
    for (std::uint32_t& value : expected) {
        value = static_cast<std::uint32_t>(random());
    }
    const std::uint64_t everything = expected.size() * 4;
    for (const std::uint64_t limit :
         {std::uint64_t{0}, std::uint64_t{1} << 20U, std::uint64_t{5} << 20U, 2 * everything}) {
        MemoryBudget budget(limit, folder.path());
        StoredArray<std::uint32_t> array(budget);
        std::size_t done = 0;
        while (done < expected.size()) {
            const std::size_t next = std::min<std::size_t>(expected.size() - done, random() % 700'000);
            array.append(std::span(expected).subspan(done, next));
            done += next;
        }
        ASSERT_EQ(array.size(), expected.size());
        Array<std::uint32_t> whole = array.take();
        EXPECT_EQ(whole.isFile(), limit < everything) << limit;
        EXPECT_TRUE(std::equal(whole.begin(), whole.end(), expected.begin(), expected.end())) << limit;
        whole[7] = 1; // what was on disk can be changed in memory
        EXPECT_EQ(whole[7], 1U);
    }
}

TEST(StoredBytes, AFewBytesTakeAPage) {
    MemoryBudget budget;
    StoredBytes bytes(budget);
    const std::vector<std::byte> few(100);
    bytes.append(few);
    const StoredBytes::Mapping mapping = bytes.take();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> inMemory((std::size_t{4} << 20U) / page); // the array has room for 16 MiB
    ASSERT_EQ(mincore(mapping.bytes.data(), inMemory.size() * page, inMemory.data()), 0);
    EXPECT_EQ(std::count_if(inMemory.begin(), inMemory.end(), [](unsigned char is) { return (is & 1U) != 0; }), 1);
}

TEST(StoredBytes, ShareOneBudget) {
    const EmptyFolder folder;
    MemoryBudget budget(std::uint64_t{4} << 20U, folder.path());
    const std::vector<std::byte> three(std::size_t{3} << 20U);
    StoredBytes first(budget);
    StoredBytes second(budget);
    first.append(three);
    second.append(three);
    EXPECT_FALSE(first.spilled());
    EXPECT_TRUE(second.spilled());
    { const StoredBytes gone = std::move(first); }
    StoredBytes third(budget);
    third.append(three);
    EXPECT_FALSE(third.spilled());
}

TEST(StoredBytes, AFolderThatIsNotThereIsNamed) {
    MemoryBudget budget(0, "/nowhere/at/all");
    StoredBytes bytes(budget);
    const std::vector<std::byte> one(1);
    const Caught caught = errorOf([&] { bytes.append(one); });
    EXPECT_EQ(caught.code, ExitCode::CannotWrite);
    EXPECT_NE(caught.message.find("/nowhere/at/all"), std::string::npos) << caught.message;
}

struct Numbered {
    std::uint64_t number = 0;
    std::uint64_t bytes = 10;
    std::uint64_t byteCount() const { return bytes; }
};

TEST(OrderedWork, ConsumesInOrderWithinItsLimit) {
    const int threads = omp_get_max_threads();
    omp_set_num_threads(4);
    for (const std::uint64_t limit : {0U, 25U, 1000U}) {
        std::vector<std::uint64_t> order;
        std::atomic<int> produced{0};
        std::atomic<int> most{0};
        forEachInOrder(
            200, limit,
            [&](std::uint64_t i) {
                std::this_thread::sleep_for(std::chrono::microseconds(i % 7 == 0 ? 900 : 10));
                ++produced;
                return Numbered{i * i};
            },
            [&](std::uint64_t i, Numbered&& result) {
                EXPECT_EQ(result.number, i * i);
                most = std::max(most.load(), produced.load() - static_cast<int>(order.size()));
                order.push_back(i);
            });
        std::vector<std::uint64_t> expected(200);
        std::iota(expected.begin(), expected.end(), 0U);
        EXPECT_EQ(order, expected);
        EXPECT_LE(most.load(), static_cast<int>(limit / 10) + 5); // waiting, one a thread, and the one consumed
    }
    omp_set_num_threads(threads);
}

TEST(OrderedWork, FailuresOfEitherSideComeThrough) {
    const int threads = omp_get_max_threads();
    omp_set_num_threads(4);
    for (const bool producer : {false, true}) {
        const Caught caught = errorOf([&] {
            forEachInOrder(
                100, 20,
                [&](std::uint64_t i) {
                    if (producer && i == 31) {
                        fail(ExitCode::Interrupted, "stop");
                    }
                    return Numbered{i};
                },
                [&](std::uint64_t i, Numbered&&) {
                    if (!producer && i == 31) {
                        fail(ExitCode::Interrupted, "stop");
                    }
                });
        });
        EXPECT_EQ(caught.code, ExitCode::Interrupted);
    }
    omp_set_num_threads(threads);
}

Scene bumpyScene() {
    std::vector<LatticeTriangle> triangles =
        closedSurface({31.3, 29.7, 27.1}, 24, 40, [](const glm::dvec3& d) { return 22.0 + 3.0 * std::sin(9.0 * d.y); });
    return latticeScene({64, 60, 56}, triangles);
}

TEST(VoxelizeMemory, AnyAmountGivesTheSameBytesAndLeavesNoFile) {
    const EmptyFolder folder;
    const Scene scene = bumpyScene();
    const Octree inMemory = voxelizeScene(scene, 700);
    ASSERT_GT(inMemory.bytes(), 15'000'000U);
    VoxelizeOptions options;
    options.resolution = 700;
    options.spillFolder = folder.path();
    bool spilled = false;
    for (const std::uint64_t mebibytes : {34U, 400U}) {
        options.memory = mebibytes << 20U;
        const Octree octree = voxelizeScene(scene, options);
        spilled = spilled || octree.attributes.isFile();
        EXPECT_TRUE(identical(octree, inMemory)) << mebibytes << " MiB";
    }
    EXPECT_TRUE(spilled);
}

template <typename T>
bool sameBytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

TEST(VoxelizeMemory, BricksInPartsAreTheSameAsInOne) {
    Scene scene = bumpyScene();
    scene.materials[0].emission = {1.0F, 2.0F, 3.0F};
    const VoxelGrid grid = fitGrid(scene, 300);
    const Primitives primitives(scene, grid, false);
    const BrickList bricks(primitives, octreeLevels(grid.size));
    std::size_t voxels = 0;
    for (std::size_t i = 0; i < bricks.bricks().size(); i += 7) {
        const Brick& brick = bricks.bricks()[i];
        const BrickVoxels whole = voxelizeBrick(primitives, bricks, brick);
        for (const std::size_t atOnce : {0U, 40U, 1000U}) {
            const BrickVoxels parts = voxelizeBrick(primitives, bricks, brick, atOnce);
            EXPECT_TRUE(parts.blocks == whole.blocks && sameBytes(parts.voxels, whole.voxels))
                << i << " in parts of " << atOnce;
        }
        voxels += whole.voxels.size();
    }
    EXPECT_GT(voxels, 10'000U);
}

TEST(VoxelizeMemory, TheListOfTrianglesCounts) {
    const Scene scene = bumpyScene();
    const VoxelGrid grid = fitGrid(scene, 4096);
    const Primitives primitives(scene, grid, false);
    const std::uint64_t entries = BrickList(primitives, octreeLevels(grid.size)).entryCount();
    EXPECT_EQ(BrickList(primitives, octreeLevels(grid.size), 16 * entries).entryCount(), entries);
    const Caught caught = errorOf([&] { BrickList(primitives, octreeLevels(grid.size), 16 * entries - 1); });
    EXPECT_EQ(caught.code, ExitCode::OutOfMemory);
    EXPECT_NE(caught.message.find("sort triangles"), std::string::npos) << caught.message;
}

TEST(VoxelizeMemory, TooLittleIsAnError) {
    VoxelizeOptions options;
    options.resolution = 64;
    options.memory = std::uint64_t{1} << 20U;
    const Caught caught = errorOf([&] { voxelizeScene(bumpyScene(), options); });
    EXPECT_EQ(caught.code, ExitCode::OutOfMemory);
    EXPECT_NE(caught.message.find("found 1 MiB"), std::string::npos) << caught.message;
    EXPECT_NE(caught.message.find("expected at least 3"), std::string::npos) << caught.message;
}

} // namespace
} // namespace aureole::test
