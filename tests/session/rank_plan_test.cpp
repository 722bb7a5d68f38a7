#include "session/ranks/rank_plan.h"

#include <filesystem>
#include <map>

#include "cli_test.h"
#include "core/error.h"

namespace aureole::cli {

namespace {

using Ranges = std::vector<IndexRange>;

/// The units, after looking that they cover the samples without gap or overlap, by cuts at whole batches.
std::vector<RankUnit> plan(IndexRange samples, const std::vector<Ranges>& found) {
    std::vector<RankUnit> units = planUnits(samples, found, "out.parts");
    std::uint32_t end = samples.first;
    for (const RankUnit& unit : units) {
        EXPECT_EQ(unit.samples.first, end);
        EXPECT_LT(unit.samples.first, unit.samples.second);
        end = unit.samples.second;
        EXPECT_TRUE(end % 8 == 0 || end == samples.second) << end;
        EXPECT_GE(unit.rank, 0);
        EXPECT_LT(unit.rank, static_cast<int>(found.size()));
    }
    EXPECT_EQ(end, samples.second);
    return units;
}

/// Samples of each rank.
std::map<int, std::uint32_t> loads(const std::vector<RankUnit>& units) {
    std::map<int, std::uint32_t> load;
    for (const RankUnit& unit : units) {
        load[unit.rank] += unit.samples.second - unit.samples.first;
    }
    return load;
}

TEST(RankPlan, RanksGetRangesOfTheSameLength) {
    for (const std::size_t ranks : {1U, 2U, 3U, 7U, 64U}) {
        for (const IndexRange& samples : {IndexRange{0, 4096}, IndexRange{0, 4093}, IndexRange{13, 999}}) {
            const std::vector<RankUnit> units = plan(samples, std::vector<Ranges>(ranks));
            ASSERT_EQ(units.size(), ranks);
            const double fair = 1.0 * (samples.second - samples.first) / static_cast<double>(ranks);
            for (std::size_t i = 0; i < ranks; ++i) {
                EXPECT_EQ(units[i].rank, static_cast<int>(i));
                EXPECT_NEAR(units[i].samples.second - units[i].samples.first, fair, 16.0);
            }
        }
    }
    EXPECT_EQ(plan({0, 12}, std::vector<Ranges>(5)).size(), 2U);
    EXPECT_EQ(plan({0, 1}, std::vector<Ranges>(5)).size(), 1U);
    EXPECT_EQ(plan({0, 4294967295}, std::vector<Ranges>(3)).size(), 3U);
}

TEST(RankPlan, PartsThatAreThereStayAsTheyAre) {
    // All ranks see the folder.
    const Ranges parts = {{0, 40}, {80, 120}};
    std::vector<RankUnit> units = plan({0, 160}, {parts, parts, parts, parts});
    ASSERT_EQ(units.size(), 4U);
    EXPECT_EQ(units[0].samples, (IndexRange{0, 40}));
    EXPECT_EQ(units[2].samples, (IndexRange{80, 120}));
    EXPECT_EQ(loads(units), (std::map<int, std::uint32_t>{{0, 40}, {1, 40}, {2, 40}, {3, 40}}));
    // Fewer ranks: what is missing is cut for them.
    units = plan({0, 160}, {parts, parts});
    EXPECT_EQ(units.size(), 4U);
    EXPECT_EQ(loads(units), (std::map<int, std::uint32_t>{{0, 80}, {1, 80}}));
    // More of them than parts.
    units = plan({0, 160}, std::vector<Ranges>(8, parts));
    EXPECT_EQ(units.size(), 6U);
}

TEST(RankPlan, PartsGoToRanksThatSeeThem) {
    const std::vector<RankUnit> units = plan({0, 64}, {{}, {{16, 32}, {0, 16}}, {{32, 48}}, {}});
    ASSERT_EQ(units.size(), 4U);
    EXPECT_EQ(units[0].rank, 1);
    EXPECT_EQ(units[1].rank, 1);
    EXPECT_EQ(units[2].rank, 2);
    EXPECT_EQ(units[3].rank, 0); // has nothing else to do
}

TEST(RankPlan, PartsThatOverlapOrLieOutsideAreNotMixed) {
    const std::vector<RankUnit> units = plan({0, 64}, {{{0, 32}}, {{16, 32}, {32, 48}}});
    ASSERT_EQ(units.size(), 3U);
    EXPECT_EQ(units[0].samples, (IndexRange{0, 32}));
    EXPECT_EQ(units[1].samples, (IndexRange{32, 48}));
    EXPECT_THROW(planUnits({0, 64}, {{{48, 72}}}, "out.parts"), Error);
    EXPECT_THROW(planUnits({8, 64}, {{{0, 16}}}, "out.parts"), Error);
}

TEST(RankPlan, DevicesAreDealtOutToTheRanksOfAHost) {
    using Indices = std::vector<std::uint32_t>;
    const Indices four = {4, 5, 6, 7};
    EXPECT_EQ(dealDevices(four, 1, 4, false), (Indices{5}));
    EXPECT_EQ(dealDevices(four, 6, 8, false), (Indices{6}));
    EXPECT_EQ(dealDevices(four, 1, 2, false), (Indices{5, 7}));
    EXPECT_EQ(dealDevices(four, 0, 3, false), (Indices{4, 7}));
    EXPECT_EQ(dealDevices(four, 0, 1, false), four);
    EXPECT_EQ(dealDevices({0, 0}, 0, 1, false), (Indices{0, 0}));
    // Without --device, one each.
    EXPECT_EQ(dealDevices(four, 0, 1, true), (Indices{4}));
    EXPECT_EQ(dealDevices(four, 5, 8, true), (Indices{5}));
}

class RankPartsTest : public CliTest {};

// With MPI: tests/mpi.
TEST_F(RankPartsTest, ProcessesThatCannotFindEachOtherAreRefusedUnlessTheyRenderByThemselves) {
    const Arguments command = {
        "render", write("scene.json", boxScene()), "-o", path("out.exr"), "--backend", "reference", "--spp", "4"};
    const Variables slurm = {{"SLURM_STEP_NUM_TASKS", "2"}};
    expectFailure(kUsage, command, {"2 processes of srun", "--mpi=pmix", "--ranks off"}, slurm);
    EXPECT_FALSE(std::filesystem::exists(path("out.exr")));
    Arguments alone = command;
    alone.insert(alone.end(), {"--ranks", "off"});
    expectDone(alone, slurm);
    alone.back() = "auto";
    expectDone(alone);
    expectFailure(kUsage, {"convert", path("out.exr"), "-o", path("out.png")},
                  {"2 processes of mpirun (OMPI_COMM_WORLD_SIZE)", "only 'aureole render'", "'convert'"},
                  {{"OMPI_COMM_WORLD_SIZE", "2"}});
    expectFailure(kUsage, {"compare", path("out.exr"), path("out.exr"), "--diff", path("diff.exr")}, {"'compare'"},
                  {{"OMPI_COMM_WORLD_SIZE", "2"}});
    expectDone({"compare", path("out.exr"), path("out.exr")}, {{"OMPI_COMM_WORLD_SIZE", "2"}});
    expectDone({"info", path("out.exr")}, {{"OMPI_COMM_WORLD_SIZE", "2"}});
}

TEST_F(RankPartsTest, AreFoundByTheirNames) {
    const std::filesystem::path folder = partsFolder(path("out.exr"));
    EXPECT_EQ(folder, path("out.exr.parts"));
    EXPECT_TRUE(findParts(folder).empty());
    std::filesystem::create_directory(folder);
    EXPECT_EQ(partFile(folder, {8, 16}), folder / "samples.8-16.ckpt");
    for (const char* const name : {"samples.8-16.ckpt", "samples.100-4294967295.ckpt", "samples.16-24.ckpt"}) {
        write(std::string("out.exr.parts/") + name, "");
    }
    for (const char* const name : {"samples.16-8.ckpt", "samples.1-2.ckpt.7", "samples.-1-2.ckpt", "samples.08-16.ckpt",
                                   "samples.8-16.exr", "samples.1-99999999999.ckpt", "other"}) {
        write(std::string("out.exr.parts/") + name, "");
    }
    EXPECT_EQ(findParts(folder), (Ranges{{8, 16}, {16, 24}, {100, 4294967295}}));
}

TEST_F(RankPartsTest, GoWithWhatKilledRanksLeft) {
    const std::filesystem::path folder = partsFolder(path("out.exr"));
    std::filesystem::create_directory(folder);
    const auto fill = [&](std::initializer_list<const char*> names) {
        for (const char* const name : names) {
            write(std::string("out.exr.parts/") + name, "");
        }
    };
    fill({"samples.0-8.ckpt", "samples.8-16.ckpt", "samples.8-16.ckpt.part77", "samples.0-16.ckpt.part78", "mine.part7",
          "samples.0-40.ckpt"});
    removeParts(folder, {{{0, 8}, 0}, {{8, 16}, 1}, {{16, 24}, 2}});
    EXPECT_EQ(findParts(folder), (Ranges{{0, 40}})); // that of another render
    EXPECT_TRUE(std::filesystem::remove(folder / "samples.0-40.ckpt"));
    EXPECT_TRUE(std::filesystem::remove(folder / "mine.part7"));
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    fill({"samples.0-8.ckpt", "samples.0-8.ckpt.part1"});
    removeParts(folder, {{{0, 8}, 0}});
    EXPECT_FALSE(std::filesystem::exists(folder));
    removeParts(folder, {{{0, 8}, 0}}); // by another rank
}

} // namespace

} // namespace aureole::cli
