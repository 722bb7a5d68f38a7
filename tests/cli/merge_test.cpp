// Any number of parts, in time and in space, become the picture that one render gives.

#include <algorithm>

#include <sys/resource.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "cli_test.h"
#include "core/file.h"
#include "film/film.h"
#include "film/picture.h"
#include "image/exr/exr.h"
#include "merged_parts.h"

namespace aureole {

namespace {

class MergeTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", shadedScene());
    }

    std::string render(const std::string& output, const Arguments& options) const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return path(output);
    }

    Outcome merge(const Arguments& parts, const std::string& output = "merged.exr") const {
        Arguments arguments = {"merge"};
        arguments.insert(arguments.end(), parts.begin(), parts.end());
        arguments.insert(arguments.end(), {"-o", path(output)});
        return expectDone(arguments);
    }

    std::string scene_;
};

TEST_F(MergeTest, OneTwoThreeAndSevenPartsEqualTheWhole) {
    const Arguments layers = {"--aov", "depth,id,variance"};
    const auto range = [&](std::uint32_t first, std::uint32_t end) {
        Arguments options = layers;
        options.insert(options.end(), {"--samples", fmt::format("{}:{}", first, end)});
        return options;
    };
    const Image whole = readExr(render("whole.exr", range(0, 35)));
    for (const std::uint32_t count : {1U, 2U, 3U, 7U}) {
        Arguments parts;
        for (std::uint32_t i = count; i-- > 0;) {
            parts.push_back(render(fmt::format("{}.exr", i), range(35 * i / count, 35 * (i + 1) / count)));
        }
        const Outcome outcome = merge(parts);
        EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
        const Image merged = readExr(path("merged.exr"));
        expectMergedIsWhole(merged, whole);
        EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:35");
    }
}

TEST_F(MergeTest, TheOrderOfThePartsChangesNoByte) {
    Arguments parts;
    for (const std::uint32_t first : {0U, 3U, 5U, 9U}) {
        parts.push_back(render(fmt::format("{}.exr", first), {"--samples", fmt::format("{}:{}", first, first + 2),
                                                              "--crop", first == 3 ? "0,0,20,24" : "0,0,32,24"}));
    }
    Image elsewhere = readExr(parts.back());
    elsewhere.attributes["aureole.device"] = "another";
    writeExr(parts.back(), elsewhere);
    merge(parts);
    const std::vector<std::byte> merged = readFile(path("merged.exr"), 1U << 20U);
    std::reverse(parts.begin(), parts.end());
    merge(parts);
    EXPECT_EQ(readFile(path("merged.exr"), 1U << 20U), merged);
    std::swap(parts[1], parts[3]);
    merge(parts);
    EXPECT_EQ(readFile(path("merged.exr"), 1U << 20U), merged);
}

TEST_F(MergeTest, CropsJoin) {
    const Image whole = readExr(render("whole.exr", {"--samples", "0:6"}));
    const std::string left = render("left.exr", {"--samples", "0:6", "--crop", "0,0,20,24"});
    const std::string top = render("top.exr", {"--samples", "0:6", "--crop", "20,0,32,9"});
    const std::string first = render("first.exr", {"--samples", "0:4", "--crop", "20,9,32,24"});
    const std::string last = render("last.exr", {"--samples", "4:6", "--crop", "20,9,32,24"});
    EXPECT_EQ(merge({last, left, top, first}).err.find("warning"), std::string::npos);
    const Image merged = readExr(path("merged.exr"));
    expectMergedIsWhole(merged, whole);
    EXPECT_EQ(merged.attributes.at("aureole.crop"), "0,0,32,24");

    const Outcome outcome = merge({left, top, first}, "holes.exr");
    EXPECT_NE(outcome.err.find("warning: crop 20,9,32,24 lacks samples 4:6: other pixels have them\n"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("warning: the result cannot be merged further"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("holes.exr: 3 parts, 32x24, samples per pixel: 4 to 6, mean 5.53125\n"),
              std::string::npos)
        << outcome.err;
    expectFailure(kBadInput, {"merge", path("holes.exr"), "-o", path("out.exr")},
                  {"holes.exr: found pixels with different numbers of samples", "4 to 6, mean", "merge of parts"});
    const Outcome hole = merge({left, top}, "holes.exr");
    EXPECT_NE(hole.err.find("warning: no part has 180 pixels, black in the result: crop 20,9,32,24\n"),
              std::string::npos)
        << hole.err;
    const Outcome half = merge({top, last}, "half.exr");
    EXPECT_NE(half.err.find("lie within crop 20,0,32,24 of the picture of 32x24"), std::string::npos) << half.err;
    expectFailure(kBadInput, {"merge", left, render("over.exr", {"--samples", "5:9"}), "-o", path("out.exr")},
                  {"over.exr: found samples 5:9 of crop 0,0,20,24, which overlap samples 0:6 of ", "left.exr there"});
    EXPECT_FALSE(std::filesystem::exists(path("out.exr")));
}

TEST_F(MergeTest, MissingSamplesAreNamed) {
    const std::string a = render("a.exr", {"--samples", "0:2"});
    const std::string b = render("b.exr", {"--samples", "5:6"});
    const std::string c = render("c.exr", {"--samples", "8:9"});
    EXPECT_NE(merge({c, a, b}).err.find("warning: no part has samples 2:5,6:8: found samples 0:2,5:6,8:9\n"),
              std::string::npos);
}

TEST_F(MergeTest, CropsOfOtherSamplesJoinWithTheWholeFrame) {
    const std::string whole = render("whole.exr", {"--samples", "0:2"});
    const std::string left = render("left.exr", {"--samples", "2:4", "--crop", "0,0,11,24"});
    const std::string right = render("right.exr", {"--samples", "2:4", "--crop", "11,0,32,24"});
    const Outcome outcome = merge({left, whole, right});
    EXPECT_EQ(outcome.err, path("merged.exr") + ": 3 parts, 32x24, samples 0:4\n");
    const Image expected = readExr(render("expected.exr", {"--samples", "0:4"}));
    expectMergedIsWhole(readExr(path("merged.exr")), expected);
    merge({path("merged.exr"), render("more.exr", {"--samples", "4:5"})}, "further.exr");
    EXPECT_EQ(readExr(path("further.exr")).attributes.at("aureole.samples"), "0:5");
    EXPECT_EQ(merge({whole}).err, path("merged.exr") + ": 1 part, 32x24, samples 0:2\n");
}

/// Of parts of another version the samples may be others.
TEST_F(MergeTest, PartsOfAnotherVersionAreRefused) {
    const std::string a = render("a.exr", {"--samples", "0:2"});
    Image other = readExr(render("b.exr", {"--samples", "2:4"}));
    other.attributes["aureole.version"] = "0.0.7";
    writeExr(path("b.exr"), other);
    expectFailure(kBadInput, {"merge", a, path("b.exr"), "-o", path("out.exr")},
                  {"b.exr: found aureole.version '0.0.7', expected '" AUREOLE_VERSION "' as in ", a});
}

TEST_F(MergeTest, AllDifferencesAreTold) {
    const std::string a = render("a.exr", {"--samples", "0:2"});
    const std::string b = render("b.exr", {"--samples", "2:4", "--camera", "back", "--seed", "9"});
    const std::string c = render("c.exr", {"--samples", "2:4", "--set", "/environment/zenith=[1,1,1]"});
    const std::string d = render("d.exr", {"--samples", "2:4", "--set", "/film/exposure=1.5"});
    expectFailure(kBadInput, {"merge", a, b, "-o", path("out.exr")},
                  {"b.exr: found aureole.camera 'back', expected 'front'; aureole.seed '9', expected '1' as in ", a});
    expectFailure(kBadInput, {"merge", a, c, "-o", path("out.exr")}, {"c.exr: found aureole.scene_hash"});
    expectFailure(kBadInput, {"merge", a, d, "-o", path("out.exr")},
                  {"d.exr: found aureole.exposure '1.5', expected '0' as in ", a});
}

/// The most memory in bytes that merging `count` parts of 512 x 512 pixels takes.
class MergeMemoryTest : public MergeTest {
protected:
    std::uint64_t peakOf(std::uint32_t count) const {
        FilmSums film;
        film.width = 512;
        film.height = 512;
        film.radiance.assign(3 * film.pixelCount(), 1.0);
        film.squared.assign(3 * film.pixelCount(), 1.0);
        Arguments arguments = {"merge", "-o", path("merged.exr")};
        for (std::uint32_t i = 0; i < count; ++i) {
            film.samples = {{i, i + 1}};
            arguments.push_back(path(fmt::format("{}.exr", i)));
            writeExr(arguments.back(), filmImage(film, true), {ExrCompression::Rle, ExrPixelType::Float});
        }
        const pid_t process = start(arguments);
        int status = 0;
        rusage used{};
        EXPECT_EQ(::wait4(process, &status, 0, &used), process);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << errorsSoFar();
        return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
    }
};

TEST_F(MergeMemoryTest, DoesNotGrowWithTheNumberOfParts) {
    // The pixels of a part are 6 MiB, so the others would be 288. Twelve are more than are read at a time; how much
    // the allocator keeps for each of many threads varies.
    EXPECT_LT(peakOf(60), peakOf(12) + (std::uint64_t{72} << 20U));
}

} // namespace

} // namespace aureole
