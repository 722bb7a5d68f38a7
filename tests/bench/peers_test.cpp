#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/bloom_lights.h"
#include "bench/traverse/peers/nanovdb/nanovdb_peer.h"
#include "bench/traverse/traverse_check.h"
#include "bench/traverse/traverse_peers.h"
#include "cli_test.h"
#include "gpu/device.h"

namespace aureole::bench {

namespace {

class BenchPeersTest : public CliTest {
protected:
    /// The JSON of a run against all peers that there are here.
    nlohmann::json bench(Arguments arguments) const {
        const std::string file = path("peers.json");
        arguments.insert(arguments.begin(), {"bench", "traverse", "--allow-cpu", "--repeats", "1", "--json", file,
                                             "--against", "all", "--strategy", "thread"});
        expectDone(arguments, {{"PATH", path("none")}});
        return readJson(file);
    }
    /// How many these are: two everywhere, two with NanoVDB, two with ray-tracing pipelines; none by nvcc.
    static std::size_t peers() { return 2 + (hasNanoVdb() ? 2 : 0) + (hasRayTracing() ? 2 : 0); }
    static bool hasRayTracing() { return gpu::Device::open({.allowCpu = true}).info().hasRayTracing; }

    /// An environment with an nvcc whose programs are this script.
    Variables fakeCuda(const std::string& script) const {
        std::filesystem::create_directories(path("cuda"));
        write("cuda/program", "#!/bin/sh\n" + script + "\n");
        // As nvcc -std=... -O3 -arch=native -o PROGRAM SOURCE.
        const std::string compiler = write("cuda/nvcc", "#!/bin/sh\ncp \"$(dirname \"$0\")/program\" \"$5\"\n"
                                                        "chmod 700 \"$5\"\n");
        std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
        return {{"PATH", path("cuda") + ":" + std::getenv("PATH")}};
    }
};

nlohmann::json rowsOf(const nlohmann::json& document, const std::string& title) {
    for (const nlohmann::json& table : document.at("tables")) {
        if (table.at("title").get<std::string>().starts_with(title)) {
            return table.at("rows");
        }
    }
    return nlohmann::json::array();
}

TEST_F(BenchPeersTest, PeersHitTheSameVoxels) {
    // Rays of a reach, rays from faces of either side, and tiles that stick out.
    const nlohmann::json document = bench({"--gyroid", "64", "--size", "61x35", "--rays", "primary,ambient,bounce2"});
    const std::string notes = document.at("tables").at(0).at("notes").dump();
    EXPECT_NE(notes.find("tree64-cuda: none: --against: found 'tree64-cuda'"), std::string::npos) << notes;
    EXPECT_EQ(notes.find("rt-boxes4: none: --against: found 'rt-boxes4'") == std::string::npos, hasRayTracing());
    const nlohmann::json rows = rowsOf(document, "Peers: the same rays");
    ASSERT_EQ(rows.size(), 3 * (2 * peers() - 1)) << "Embree has no queue";
    EXPECT_EQ(rows[0].at(""), "tree64, thread");
    EXPECT_EQ(rows[1].at(""), "tree64, compacted");
    for (const nlohmann::json& row : rows) {
        EXPECT_GT(row.at("same voxel"), 0.995) << row.dump();
        EXPECT_LE(row.at("same voxel"), 1.0);
        EXPECT_NEAR(row.at("times").get<double>() * row.at("Mray/s").get<double>(), row.at("aureole"), 1e-9);
    }
    const nlohmann::json memory = rowsOf(document, "Peers: memory");
    ASSERT_EQ(memory.size(), 1 + peers());
    EXPECT_GT(memory[0].at("MB"), memory[1].at("MB")) << "less what tells where attributes are";
    if (hasNanoVdb()) {
        // A head, a root with one tile, an upper and a lower node, and 8^3 leaves of which the gyroid leaves few empty.
        const double others = 672 + 64 + 64 + 32 + 270400 + 33856;
        const double leaves = (memory[2].at("MB").get<double>() * 1e6 - others) / 2144;
        EXPECT_NEAR(leaves, std::round(leaves), 1e-6);
        EXPECT_LE(leaves, 512);
        EXPECT_GT(leaves, 400);
        EXPECT_NEAR(memory[3].at("MB").get<double>() * 1e6, others + 32 + 96 * leaves, 1e-3);
    }
}

/// Insides of solids are nodes without leaves in aureole, and some leaves are in other lower nodes of NanoVDB.
TEST_F(BenchPeersTest, PeersTraceSolidsAndLargeGrids) {
    const std::string file = path("solid.avo");
    expectDone({"voxelize", write("scene.json", boxScene()), "-o", file, "--resolution", "70", "--mode", "solid"});
    const nlohmann::json rows =
        rowsOf(bench({file, "--size", "32x24", "--rays", "primary,bounce1"}), "Peers: the same");
    EXPECT_EQ(rows.size(), 2 * (2 * peers() - 1));
    const nlohmann::json none = rowsOf(bench({file, "--size", "8x8", "--rays", "bounce2"}), "Peers: ");
    EXPECT_TRUE(none.empty()) << "a box has no second bounce";
}

TEST_F(BenchPeersTest, PeersTakeTreesOfCubesAlone) {
    const nlohmann::json document = bench({"--gyroid", "64", "--dag", "--size", "8x8", "--rays", "primary"});
    const nlohmann::json& notes = document.at("tables").at(0).at("notes");
    ASSERT_EQ(notes.size(), peerNames().size());
    EXPECT_EQ(notes[0], "tree64: none, as it takes cubes as a tree");
    expectFailure(kUsage, {"bench", "traverse", "--against", "nanovdb"}, {"--against", "'nanovdb'", "nanovdb-float"});
    expectFailure(kUsage, {"bench", "traverse", "--against", "embree,all"}, {"--against", "'all'", "alone"});
    if (!hasNanoVdb()) {
        expectFailure(kUsage, {"bench", "traverse", "--against", "nanovdb-index"}, {"nanovdb-index", "libnanovdb-dev"});
    }
}

TEST_F(BenchPeersTest, PeersOfOtherDevicesAreRefused) {
    const auto against = [](const std::string& peer) {
        return Arguments{"bench", "traverse", "--allow-cpu", "--gyroid",   "64",     "--size",    "8x8", "--repeats",
                         "1",     "--rays",   "primary",     "--strategy", "thread", "--against", peer};
    };
    if (!hasRayTracing()) {
        expectFailure(kUsage, against("rt-boxes8"), {"--against", "'rt-boxes8'", "ray-tracing pipelines"});
    }
    // Hits of voxels that are empty, from a program that says nothing of it.
    expectFailure(static_cast<int>(ExitCode::Internal), against("tree64-cuda"), {"tree64-cuda", "(0, 0, 0)", "empty"},
                  fakeCuda(R"(head -c $(( $(wc -c <"$7") / 2 )) /dev/zero >"$8"; echo '{"us": [1]}')"));
}

TEST_F(BenchPeersTest, PeersBloomTheSamePlanesOrNearly) {
    const std::string file = path("bloom.json");
    expectDone({"bench", "bloom", "--allow-cpu", "--repeats", "1", "--json", file, "--size", "33x21", "--kernel-size",
                "18", "--symmetric", "--against", "all"},
               fakeCuda("echo no driver >&2; exit 3"));
    const nlohmann::json document = readJson(file);
    EXPECT_NE(
        document.dump().find("vkfft: none: --against: found 'vkfft', which does not run on this device: no driver"),
        std::string::npos);
    const nlohmann::json rows = rowsOf(document, "peers: the same convolutions");
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const nlohmann::json& row = rows[i];
        EXPECT_EQ(row.at("by").get<std::string>().starts_with(i % 2 == 0 ? "aureole" : "FFTW 3."), true) << row.dump();
        EXPECT_LT(row.at("error"), 1e-5);
        EXPECT_GT(row.at("whole us"), 0.0);
        EXPECT_NEAR(row.at("times").get<double>() * rows[i - i % 2].at("whole us").get<double>(), row.at("whole us"),
                    1e-6 * row.at("whole us").get<double>());
    }
    const nlohmann::json near = rowsOf(document, "peers that come near");
    ASSERT_EQ(near.size(), 9U) << "three kernels, of the general task alone";
    for (std::size_t i = 0; i < near.size(); ++i) {
        const std::vector<std::string> names = {"aureole", "boxes, ", "pyramid, 3 levels"};
        EXPECT_TRUE(near[i].at("by").get<std::string>().starts_with(names[i % 3])) << near[i].dump();
        EXPECT_EQ(near[i].at("error") == 0.0, i % 3 == 0) << near[i].dump();
        EXPECT_LT(near[i].at("error"), 0.35) << near[i].dump();
        EXPECT_GT(near[i].at("whole us"), 0.0);
    }
    EXPECT_EQ(near[6].at(""), "33x21, 18 star");
}

TEST_F(BenchPeersTest, CubStandsBesideSumsAndSorts) {
    const std::string file = path("scan.json");
    const Variables fake =
        fakeCuda(R"(echo "{\"version\": \"CUB 3\", \"device\": \"$1\", \"rows\": [)"
                 R"({\"items\": $5, \"reduce\": 2, \"inclusive\": 4, \"keys\": 5, \"pairs\": 8}]}")");
    expectDone(
        {"bench", "scan", "--allow-cpu", "--repeats", "1", "--json", file, "--items", "4096", "--against", "cub"},
        fake);
    const nlohmann::json document = readJson(file);
    const nlohmann::json& sums = document.at("tables").at(0).at("rows");
    ASSERT_EQ(sums.size(), 5U);
    EXPECT_EQ(sums[3].at(""), "CUB reduce");
    EXPECT_EQ(sums[3].at("GB/s"), 4 * 4096 / 2.0 / 1e3);
    EXPECT_EQ(sums[4].at(""), "CUB inclusive");
    EXPECT_EQ(sums[4].at("GB/s"), 8 * 4096 / 4.0 / 1e3);
    const nlohmann::json& sorts = document.at("tables").at(2).at("rows");
    ASSERT_EQ(sorts.size(), 4U);
    EXPECT_EQ(sorts[2].at(""), "CUB, pairs");
    EXPECT_EQ(sorts[2].at("Gkeys/s"), 4096 / 8.0 / 1e3);
    EXPECT_EQ(sorts[3].at(""), "CUB, keys alone");
    const std::string note = document.at("tables").at(2).at("notes").at(0);
    EXPECT_EQ(note.find("CUB 3 on "), 0U);
    EXPECT_EQ(note.size(), 9U + 32) << "the UUID of the device";
}

TEST_F(BenchPeersTest, SumsAreMeasuredWhereCubCompilesButDoesNotRun) {
    const std::string file = path("scan.json");
    expectDone(
        {"bench", "scan", "--allow-cpu", "--repeats", "1", "--json", file, "--items", "4096", "--against", "all"},
        fakeCuda("echo no driver >&2; exit 3"));
    const nlohmann::json document = readJson(file);
    const nlohmann::json& sums = document.at("tables").at(0);
    EXPECT_EQ(sums.at("rows").size(), 3U);
    EXPECT_NE(sums.at("notes").at(0).get<std::string>().find("cub: none: "), std::string::npos);
}

TEST_F(BenchPeersTest, WhatAPeerIsWithoutIsNamed) {
    const Arguments bloom = {"bench", "bloom", "--allow-cpu", "--size", "9x9", "--kernel-size", "3", "--against"};
    const auto refused = [&](const std::string& peer, const std::vector<std::string>& fragments,
                             const Variables& variables) {
        Arguments arguments = bloom;
        arguments.push_back(peer);
        expectFailure(kUsage, arguments, fragments, variables);
    };
    refused("fft", {"--against", "'fft'", "'fftw'"}, {});
    refused("fftw", {"--against", "'fftw'", "no c++ in PATH", "libfftw3-dev"}, {{"PATH", path("none")}});
    std::filesystem::create_directory(path("fake"));
    write("fake/fftw3.h", "#error no FFTW here\n");
    refused("fftw", {"'fftw'", "does not compile", "libfftw3-dev", "no FFTW here"},
            {{"CPLUS_INCLUDE_PATH", path("fake")}});
    refused("vkfft", {"--against", "'vkfft'", "does not run on this device", "no driver"},
            fakeCuda("echo no driver >&2; exit 3"));
    expectFailure(static_cast<int>(ExitCode::Internal),
                  {"bench", "scan", "--allow-cpu", "--items", "64", "--against", "cub"}, {"cub", "status 1", "a bug"},
                  fakeCuda("echo a bug >&2; exit 1"));
}

TEST(TwoLightsTest, NoWrongFilterPasses) {
    const BloomTask task{20, 10, 5, false};
    BloomKernel kernel{5, 5, {}};
    for (std::vector<float>& plane : kernel.planes) {
        plane.assign(25, 0.5F);
    }
    const TwoLights lights(task);
    const auto check = [&](double wrong) {
        return lights.check("peer", kernel, 1e-3, [&](std::size_t colour, glm::uvec2 pixel) {
            return lights.bloomed(kernel, colour, pixel) + (colour == 2 ? wrong : 0.0);
        });
    };
    EXPECT_EQ(check(0.0), 0.0);
    EXPECT_NEAR(check(8e-4), 1e-4, 1e-9);
    EXPECT_THROW(check(9e-3), Error);
    EXPECT_THROW(check(std::numeric_limits<double>::quiet_NaN()), Error);
}

/// The comparison that all of this rests on.
class ComparePeerTest : public testing::Test {
protected:
    ComparePeerTest()
        : device_(gpu::Device::open({.allowCpu = true}))
        , scene_(makeGyroidScene(64, sizeOf()))
        , arena_(device_, scene_, scene_, false) {
        arena_.make(RaySet::Primary);
        expected_ = arena_.expectedHits();
        while (!isVoxelHit(expected_[pixel_])) {
            ++pixel_;
        }
    }

    static TraverseSceneOptions sizeOf() {
        TraverseSceneOptions options;
        options.size = {16, 16};
        return options;
    }

    std::string refusalOf(const glm::uvec3& voxel, float distance) const {
        std::vector<shared::HitRecord> found = expected_;
        shared::VoxelHit hit{};
        hit.voxel = voxel;
        hit.distance = distance;
        found[pixel_] = shared::packHit(hit);
        return refusalOf(found);
    }
    std::string refusalOf(const std::vector<shared::HitRecord>& found) const {
        try {
            comparePeer("peer", arena_, raysByPixel(arena_), expected_, found);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    gpu::Device device_;
    TraverseScene scene_;
    TraverseArena arena_;
    std::vector<shared::HitRecord> expected_;
    std::size_t pixel_ = 0;
};

TEST_F(ComparePeerTest, RefusesWhatRoundingDoesNotExplain) {
    const PeerAgreement same = comparePeer("peer", arena_, raysByPixel(arena_), expected_, expected_);
    EXPECT_EQ(same.same, arena_.live());
    EXPECT_EQ(same.atEdges, 0U);
    const glm::uvec3 voxel = shared::hitVoxel(expected_[pixel_]);
    const float distance = shared::hitDistance(expected_[pixel_]);
    EXPECT_EQ(refusalOf(voxel, distance), "");
    EXPECT_NE(refusalOf(voxel, distance + 0.1F).find("where the ray is from"), std::string::npos);
    EXPECT_NE(refusalOf({0, 0, 0}, distance).find("which is empty"), std::string::npos);
    std::vector<shared::HitRecord> found = expected_;
    found[pixel_] = shared::packMiss();
    EXPECT_NE(refusalOf(found).find("though the ray goes through"), std::string::npos);
    found[pixel_] = {glm::uvec4(TraverseArena::kNoHit)};
    EXPECT_NE(refusalOf(found).find("where one has no ray"), std::string::npos);
}

} // namespace

} // namespace aureole::bench
