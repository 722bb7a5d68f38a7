#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "merged_parts.h"
#include "settings/aov.h"

namespace aureole {

namespace {

class CliLayers : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", std::regex_replace(shadedScene(), std::regex("grey"), "gr\\ney"));
    }

    Image render(const std::string& output, const Arguments& options) const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--no-bloom"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path(output));
    }

    std::string scene_;
};

TEST_F(CliLayers, AreChannelsInAlphabeticalOrder) {
    const Image image = render("a.exr", {"--aov", "all", "--transparent", "--backend", "reference"});
    std::vector<std::string> names;
    for (const Channel& channel : image.channels) {
        names.push_back(channel.name);
    }
    const std::vector<std::string> expected = {"A",
                                               "B",
                                               "G",
                                               "N.X",
                                               "N.Y",
                                               "N.Z",
                                               "P.X",
                                               "P.Y",
                                               "P.Z",
                                               "R",
                                               "albedo.B",
                                               "albedo.G",
                                               "albedo.R",
                                               "alpha.Y",
                                               "asset.Y",
                                               "depth.Z",
                                               "direct.B",
                                               "direct.G",
                                               "direct.R",
                                               "emission.B",
                                               "emission.G",
                                               "emission.R",
                                               "group.default.B",
                                               "group.default.G",
                                               "group.default.R",
                                               "halfA.B",
                                               "halfA.G",
                                               "halfA.R",
                                               "halfB.B",
                                               "halfB.G",
                                               "halfB.R",
                                               "id.Y",
                                               "indirect.B",
                                               "indirect.G",
                                               "indirect.R",
                                               "instance.Y",
                                               "samples.Y",
                                               "variance.B",
                                               "variance.G",
                                               "variance.R"};
    EXPECT_EQ(names, expected);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_EQ(image.attributes.at("aureole.aovs"), AovSet::all().text());
    EXPECT_EQ(image.attributes.at("aureole.light_sampling"), "mis");
    EXPECT_EQ(image.attributes.at("aureole.sampler"), "sobol");
    EXPECT_NE(image.attributes.at("aureole.ids").find("1 gr\\x0aey\n"), std::string::npos) << "a name forges no line";
    EXPECT_EQ(image.attributes.at("aureole.instances"), "1 scene");
    EXPECT_FALSE(image.attributes.contains("aureole.clamp"));
    EXPECT_FALSE(image.attributes.contains("aureole.noise"));

    const nlohmann::json layers = info(path("a.exr")).at("layers");
    const std::vector<std::string> shown = {"",      "N",        "P",        "albedo",        "alpha",   "asset",
                                            "depth", "direct",   "emission", "group.default", "halfA",   "halfB",
                                            "id",    "indirect", "instance", "samples",       "variance"};
    EXPECT_EQ(layers.get<std::vector<std::string>>(), shown);
}

/// The box's front face is 2.5 m away.
TEST_F(CliLayers, AreThoseOfTheScene) {
    for (const std::string backend : {"gpu", "reference"}) {
        const Image image = render("a.exr", {"--aov", "depth,normal,alpha", "--backend", backend});
        EXPECT_EQ(image.channels.size(), 8U);
        EXPECT_EQ(image.find("albedo.R"), nullptr);
        const std::size_t middle = 12 * 32 + 16;
        EXPECT_NEAR(image.find("depth.Z")->values[middle], 2.5, 1e-5);
        EXPECT_NEAR(image.find("N.Z")->values[middle], 1.0, 1e-6);
        EXPECT_EQ(image.find("alpha.Y")->values[middle], 1.0F);
        EXPECT_EQ(image.find("depth.Z")->values[0], 0.0F);
        EXPECT_EQ(image.find("alpha.Y")->values[0], 0.0F);
        EXPECT_GT(image.find("R")->values[0], 0.0F);
    }
}

TEST_F(CliLayers, ComeFromTheSceneToo) {
    const Image image = render("a.exr", {"--set", R"(/film/aovs=["depth"])", "--backend", "reference"});
    EXPECT_NE(image.find("depth.Z"), nullptr);
    EXPECT_EQ(image.channels.size(), 4U);
    // A PNG has none.
    expectDone({"render", scene_, "-o", path("a.png"), "--set", R"(/film/aovs=["depth"])", "--backend", "reference"});
}

TEST_F(CliLayers, OfPartsMergeIntoThoseOfTheWhole) {
    const Arguments all = {"--backend", "reference", "--aov", "all"};
    const auto part = [&](const char* name, const char* option, const char* samples) {
        Arguments arguments = {option, samples};
        arguments.insert(arguments.end(), all.begin(), all.end());
        return render(name, arguments);
    };
    const Image whole = part("whole.exr", "--spp", "12");
    part("a.exr", "--samples", "0:5");
    part("b.exr", "--samples", "5:12");
    expectDone({"merge", path("b.exr"), path("a.exr"), "-o", path("merged.exr")});
    expectMergedIsWhole(readExr(path("merged.exr")), whole);
    render("c.exr", {"--samples", "5:12", "--backend", "reference", "--aov", "depth"});
    expectFailure(kBadInput, {"merge", path("a.exr"), path("c.exr"), "-o", path("out.exr")},
                  {"c.exr", "found no channel", "a.exr"});
    expectFailure(kBadInput, {"merge", path("c.exr"), path("a.exr"), "-o", path("out.exr")},
                  {"c.exr", "found no channel", "a.exr"});
}

TEST_F(CliLayers, OutliveBloom) {
    const Image plain = render("a.exr", {"--aov", "depth,albedo", "--transparent", "--backend", "reference"});
    expectDone({"bloom", path("a.exr"), "-o", path("b.exr"), "--kernel-size", "9"});
    const Image bloomed = readExr(path("b.exr"));
    EXPECT_GT(largestDifference(plain, bloomed), 0.0);
    for (const char* name : {"A", "depth.Z", "albedo.R", "albedo.G", "albedo.B"}) {
        EXPECT_EQ(plain.find(name)->values, bloomed.find(name)->values) << name;
    }
}

TEST_F(CliLayers, TransparentPicturesAreAssociatedInExrAndNotInPng) {
    Arguments options = {"--spp", "16", "--set", "/film/filter=blackman-harris", "--backend", "reference"};
    const Image opaque = render("opaque.exr", options);
    options.emplace_back("--transparent");
    const Image image = render("a.exr", options);
    options.insert(options.begin(), {"render", scene_, "-o", path("a.png")});
    expectDone(options);
    const Image png = readPng(path("a.png"));
    ASSERT_NE(png.find("A"), nullptr);
    int edges = 0;
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const float alpha = image.find("A")->values[i];
        EXPECT_NEAR(png.find("A")->values[i], alpha, 0.5 / 255.0 + 1e-6);
        if (alpha == 0.0F) {
            EXPECT_EQ(image.find("G")->values[i], 0.0F);
            EXPECT_GT(opaque.find("G")->values[i], 0.0F);
        } else if (alpha == 1.0F) {
            EXPECT_EQ(image.find("G")->values[i], opaque.find("G")->values[i]);
        } else {
            ++edges;
            // The colour by itself, to a step of eight bits of sRGB.
            EXPECT_NEAR(png.find("G")->values[i], image.find("G")->values[i] / alpha, 0.01);
        }
    }
    EXPECT_GT(edges, 10);
    // Convert makes the same bytes of it, and goes back.
    expectDone({"convert", path("a.exr"), "-o", path("b.png"), "--tonemap", "linear"});
    std::ifstream first(path("a.png"), std::ios::binary);
    std::ifstream second(path("b.png"), std::ios::binary);
    EXPECT_TRUE(std::equal(std::istreambuf_iterator<char>(first), {}, std::istreambuf_iterator<char>(second), {}));
    expectDone({"convert", path("a.png"), "-o", path("b.exr")});
    EXPECT_LT(largestDifference(readExr(path("b.exr")), image), 0.01);
}

TEST_F(CliLayers, TheClampIsNoted) {
    const std::string closed = write("closed.json", closedBoxScene());
    const auto brightness = [&](const Arguments& options) {
        Arguments arguments = {"render", closed, "-o", path("c.exr"), "--backend", "reference", "--spp", "8"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path("c.exr"));
    };
    const Image free = brightness({});
    const Image clamped = brightness({"--clamp", "0.125"});
    EXPECT_EQ(clamped.attributes.at("aureole.clamp"), "0.125");
    EXPECT_LT(clamped.find("R")->values[0], free.find("R")->values[0]);
    // Emission and direct light of 1 + 1/2 stay.
    EXPECT_GT(clamped.find("R")->values[0], 1.4F);
    EXPECT_EQ(largestDifference(brightness({"--clamp", "0"}), free), 0.0);
}

TEST_F(CliLayers, NoiseSpendsSamplesWhereTheyAreNeeded) {
    for (const std::string backend : {"gpu", "reference"}) {
        const Arguments options = {"--noise", "0.02",      "--spp", "512",          "--aov",
                                   "samples", "--backend", backend, "--stats-json", path("stats.json")};
        const Image image = render("a.exr", options);
        const std::vector<float>& counts = image.find("samples.Y")->values;
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        EXPECT_EQ(*least, 64.0F);
        EXPECT_GT(*most, 64.0F);
        EXPECT_LE(*most, 512.0F);
        EXPECT_EQ(image.attributes.at("aureole.noise"), "0.02");
        EXPECT_FALSE(image.attributes.contains("aureole.samples"));
        const std::string range = "64 to " + std::to_string(static_cast<int>(*most)) + ", mean ";
        EXPECT_EQ(image.attributes.at("aureole.sample_counts").substr(0, range.size()), range);
        const nlohmann::json stats = readJson(path("stats.json"));
        EXPECT_EQ(stats.at("noise"), 0.02);
        EXPECT_EQ(stats.at("samples"), *most);
        EXPECT_GT(stats.at("mean_samples"), 64.0);
        EXPECT_LT(stats.at("mean_samples"), *most);
        EXPECT_TRUE(stats.at("pixels_left").is_number());
        EXPECT_EQ(render("b.exr", options).find("samples.Y")->values, counts);
        EXPECT_EQ(largestDifference(readExr(path("b.exr")), image), 0.0);
        expectFailure(kBadInput, {"merge", path("a.exr"), "-o", path("out.exr")},
                      {"a.exr", "aureole.sample_counts", "render --noise"});
    }
}

/// Without --spp the noise ends the render; with --time, time does.
TEST_F(CliLayers, NoiseEndsTheRender) {
    const Outcome outcome = expectDone({"render", scene_, "-o", path("a.exr"), "--noise", "0.3", "--no-bloom"});
    EXPECT_NE(outcome.err.find("768 of 768 pixels (100.0 %) reached 0.3"), std::string::npos) << outcome.err;
    const Outcome timed = expectDone(
        {"render", scene_, "-o", path("a.exr"), "--noise", "0.0001", "--time", "1s", "--backend", "reference"});
    EXPECT_NE(timed.err.find("reached 0.0001"), std::string::npos) << timed.err;
}

} // namespace

} // namespace aureole
