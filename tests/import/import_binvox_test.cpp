#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "import_files.h"

namespace aureole::test {
namespace {

const std::string kHead = "#binvox 1\ndim 3 3 3\ntranslate 1.0 2.0 3.0\nscale 6.0\ndata\n";

/// As the Python package binvox 0.1.6 writes a grid of 3 x 3 x 3 with the cells (0, 0, 0), (2, 1, 0), (1, 2, 2) and
/// (0, 1, 2).
const std::string kForeign = kHead + std::string("\1\1\0\6\1\1\0\t\1\1\0\1\1\1\0\7", 16);

/// The middles of the solid cells in the world, in tenths.
std::set<std::array<long, 3>> middles(const ImportedModel& model) {
    std::set<std::array<long, 3>> all;
    forEachCell(model, glm::dvec3(0.5), [&](const glm::dvec3& at, std::uint32_t /*material*/) {
        all.insert({std::lround(10 * at.x), std::lround(10 * at.y), std::lround(10 * at.z)});
    });
    return all;
}

TEST(ImportBinvox, CellsStandWhereAnotherWriterPutThem) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.binvox", kForeign);
    const std::set<std::array<long, 3>> expected = {{20, 30, 40}, {60, 50, 40}, {40, 70, 80}, {20, 50, 80}};
    EXPECT_EQ(middles(model), expected);
    ASSERT_EQ(model.materials.size(), 1U);
    EXPECT_EQ(model.voxelModels.at(0).materials[1], 0U);
}

TEST(ImportBinvox, LargeGridsComeInBlocks) {
    // 2 x 600 x 300 cells (x, y, z), of which a run of 300 cells from y = 400 on goes over into the next column.
    std::string text = "#binvox 1\r\nscale 600\r\ndim 2 300 600\r\ndata\r\n";
    const auto run = [&](std::size_t count, char value) {
        for (; count > 0; count -= std::min<std::size_t>(count, 255)) {
            text += {value, static_cast<char>(std::min<std::size_t>(count, 255))};
        }
    };
    const std::size_t first = (1 * 300 + 299 - 1) * 600 + 400;
    run(first, 0);
    run(300, 1);
    run(2 * 300 * 600 - first - 300, 0);
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.binvox", text);
    std::set<std::array<long, 3>> expected;
    for (long y = 400; y < 600; ++y) {
        expected.insert({15, 10 * y + 5, 2985});
    }
    for (long y = 0; y < 100; ++y) {
        expected.insert({15, 10 * y + 5, 2995});
    }
    EXPECT_EQ(middles(model), expected);
    EXPECT_LE(model.voxelModels.size(), 3U) << "empty blocks are left out";
}

TEST(ImportBinvox, EmptyLinesAndRemarksSayNothing) {
    const TemporaryFolder folder;
    std::string text = kForeign;
    text.replace(text.find("dim"), 0, "\n# dim 9 9 9\n  ");
    EXPECT_EQ(middles(folder.import("a.binvox", text)), middles(folder.import("b.binvox", kForeign)));
}

TEST(ImportBinvox, ErrorsNameTheLineOrTheByte) {
    const TemporaryFolder folder;
    const auto messageFor = [&](const std::string& text) {
        return messageOf([&] { folder.import("bad.binvox", text); });
    };
    for (std::size_t size = 0; size < kForeign.size(); ++size) {
        EXPECT_TRUE(containsAll(messageFor(kForeign.substr(0, size)), {"bad.binvox: ", "found", "expected"})) << size;
    }
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = kForeign;
        text.replace(text.find(from), from.size(), to);
        return messageFor(text);
    };
    EXPECT_TRUE(containsAll(with("#binvox 1", "#binvox 2"), {"line 1", "version '2'"}));
    EXPECT_TRUE(containsAll(with("#binvox", "binvox"), {"line 1", "'#binvox 1'"}));
    EXPECT_TRUE(containsAll(with("dim 3 3 3", "dim 3 3"), {"line 2", "found ''"}));
    EXPECT_TRUE(containsAll(with("dim 3 3 3", "dim 3 0 3"), {"line 2", "found 0 cells", "1 to 4096"}));
    EXPECT_TRUE(containsAll(with("dim 3 3 3", "dim 3 4097 3"), {"line 2", "found 4097 cells"}));
    EXPECT_TRUE(containsAll(with("dim 3 3 3", "dim 4096 4096 4096"), {"expected at most 2147483648 in all"}));
    EXPECT_TRUE(containsAll(with("dim 3 3 3", "size 3 3 3"), {"line 2", "found 'size'"}));
    EXPECT_TRUE(containsAll(with("dim 3 3 3\n", ""), {"line 4", "expected a line 'dim X Z Y'"}));
    EXPECT_TRUE(containsAll(with("scale 6.0", "scale -1"), {"line 4", "scale of -1"}));
    EXPECT_TRUE(containsAll(with("scale 6.0", "scale nan"), {"line 4", "found 'nan'"}));
    EXPECT_TRUE(containsAll(messageFor(kHead + std::string("\0\33", 2)), {"holds no voxel"}));
    EXPECT_TRUE(containsAll(messageFor(kHead + std::string("\1\34", 2)), {"run of 28 cells, expected 1 to 27"}));
    EXPECT_TRUE(containsAll(messageFor(kHead + std::string("\1\0", 2)), {"run of 0 cells"}));
}

} // namespace
} // namespace aureole::test
