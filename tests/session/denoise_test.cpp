// Denoising from the command line, by a library in place of Open Image Denoise whose results are known
// (tests/denoise/fake_oidn): c / 2 + (albedo + 1/8) + normal / 2.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "core/file.h"
#include "image/exr/exr.h"
#include "test_files.h"

namespace aureole {

namespace {

constexpr std::array<const char*, 3> kColours = {"R", "G", "B"};
constexpr std::array<const char*, 3> kAlbedo = {"albedo.R", "albedo.G", "albedo.B"};
constexpr std::array<const char*, 3> kNormal = {"N.X", "N.Y", "N.Z"};

class DenoiseTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        nlohmann::json scene = parseJson(shadedScene());
        scene["environment"]["lightGroup"] = "sky";
        scene["lights"] = {{"lamp", {{"type", "point"}, {"position", {1, 2, 3}}, {"intensity", 4}}}};
        scene_ = write("scene.json", scene.dump());
    }

    Outcome ran(const Arguments& arguments) const { return expectDone(arguments, oidn_); }

    /// Renders 4 samples by the backend that needs no device.
    Image rendered(const std::string& name, const Arguments& options) const {
        Arguments arguments = {"render", scene_, "-o", path(name), "--backend", "reference", "--no-bloom"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        if (std::none_of(options.begin(), options.end(),
                         [](const std::string& o) { return o == "--samples" || o == "--spp"; })) {
            arguments.insert(arguments.end(), {"--spp", "4"});
        }
        ran(arguments);
        return readExr(path(name));
    }

    Image denoised(const std::string& from, const std::string& to, const Arguments& options = {}) const {
        Arguments arguments = {"denoise", path(from), "-o", path(to)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        ran(arguments);
        return readExr(path(to));
    }

    std::string scene_;
    Variables oidn_ = {{"AUREOLE_OIDN", testFile(FAKE_OIDN) + "/good"}};
};

std::vector<std::string> channelNames(const Image& image) {
    std::vector<std::string> names;
    for (const Channel& channel : image.channels) {
        names.push_back(channel.name);
    }
    return names;
}

/// Expects of `image` what the fake makes of `raw`, an image with albedo and normals.
void expectFake(const Image& image, const Image& raw) {
    ASSERT_EQ(image.pixelCount(), raw.pixelCount());
    for (std::size_t c = 0; c < 3; ++c) {
        const auto values = [&](const Image& of, const char* name) { return of.find(name)->values; };
        const std::vector<float> colour = values(raw, kColours.at(c));
        const std::vector<float> albedo = values(raw, kAlbedo.at(c));
        const std::vector<float> normal = values(raw, kNormal.at(c));
        const std::vector<float> found = values(image, kColours.at(c));
        for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_NEAR(found[i], colour[i] / 2.0F + albedo[i] + 0.125F + normal[i] / 2.0F, 1e-5) << i;
        }
    }
}

TEST_F(DenoiseTest, QualityComesFromTheOptionOrTheScene) {
    const Image high = rendered("high.exr", {"--denoise"});
    const auto expectLighter = [&](const Image& image, float by, const std::string& quality) {
        for (std::size_t i = 0; i < high.pixelCount(); ++i) {
            ASSERT_NEAR(image.find("G")->values[i], high.find("G")->values[i] + by, 1e-4) << i;
        }
        EXPECT_NE(image.attributes.at("aureole.denoise").find(quality + " quality, by albedo"), std::string::npos);
    };
    // Each of the three filters adds 16 or 32.
    expectLighter(rendered("fast.exr", {"--denoise", "--denoise-quality", "fast"}), 3.0F * 32.0F, "fast");
    expectLighter(rendered("scene.exr", {"--denoise", "--set", R"(/film/denoiseQuality="balanced")"}), 3.0F * 16.0F,
                  "balanced");
    rendered("raw.exr", {"--aov", "albedo,normal,depth,emission,halves", "--denoise-rays", "3"});
    expectLighter(denoised("raw.exr", "later.exr", {"--denoise-quality", "balanced"}), 3.0F * 16.0F, "balanced");
    const auto refused = [&](const Arguments& arguments, const std::string& found) {
        expectFailure(kUsage, arguments,
                      {"--denoise-quality: found it " + found + ", expected it with Open Image Denoise"}, oidn_);
    };
    const Arguments render = {"render", scene_, "-o", path("no.exr"), "--denoise-quality", "fast"};
    refused(render, "without --denoise");
    Arguments builtin = render;
    builtin.insert(builtin.end(), {"--denoise", "builtin"});
    refused(builtin, "with the denoiser 'builtin'");
    const Arguments later = {"denoise", path("raw.exr"), "-o", path("no.exr"), "--denoise-quality", "fast"};
    Arguments frames = later;
    frames.insert(frames.end(), {"--frames", "0:1"});
    refused(frames, "with --frames, which builtin denoises");
    Arguments own = later;
    own.insert(own.end(), {"--denoiser", "builtin"});
    refused(own, "with --denoiser builtin");
}

/// A library that has no memory for the picture costs its noise, not the picture.
TEST_F(DenoiseTest, WhereItFailsThePictureIsWrittenNoisy) {
    const Image raw = rendered("raw.exr", {});
    Variables full = oidn_;
    full.emplace("AUREOLE_TEST_OIDN", "memory");
    const Outcome outcome = expectDone({"render", scene_, "-o", path("noisy.exr"), "--backend", "reference",
                                        "--no-bloom", "--spp", "4", "--denoise", "--stats-json", path("stats.json")},
                                       full);
    EXPECT_NE(outcome.err.find("noisy.exr stays noisy"), std::string::npos) << outcome.err;
    const Image noisy = readExr(path("noisy.exr"));
    EXPECT_EQ(channelNames(noisy), channelNames(raw));
    for (const char* const name : kColours) {
        EXPECT_EQ(noisy.find(name)->values, raw.find(name)->values);
    }
    EXPECT_FALSE(noisy.attributes.contains("aureole.denoise"));
    const nlohmann::json stats = readJson(path("stats.json"));
    EXPECT_TRUE(stats.at("denoiser").is_null());
    EXPECT_TRUE(stats.at("denoise_milliseconds").is_null());
}

TEST_F(DenoiseTest, TakesLayersThatWereNotAskedFor) {
    const Image raw = rendered("raw.exr", {"--aov", "albedo,normal,depth,emission,halves"});
    const Image plain = rendered("plain.exr", {"--denoise", "--denoise-rays", "0"});
    expectFake(plain, raw);
    EXPECT_EQ(channelNames(plain), (std::vector<std::string>{"B", "G", "R"}));
    EXPECT_FALSE(plain.attributes.contains("aureole.aovs"));
    EXPECT_FALSE(plain.attributes.contains("aureole.samples"));
    EXPECT_EQ(
        plain.attributes.at("aureole.denoise"),
        "R, G, B: Open Image Denoise 2.3.4 on the CPU, high quality, by albedo, normal, emission; of samples 0:4");
    const Image kept =
        rendered("kept.exr", {"--denoise", "oidn", "--denoise-rays", "0", "--aov", "depth", "--denoise-keep-noisy"});
    EXPECT_EQ(channelNames(kept),
              (std::vector<std::string>{"B", "G", "R", "depth.Z", "noisy.B", "noisy.G", "noisy.R"}));
    EXPECT_EQ(kept.attributes.at("aureole.aovs"), "depth");
    EXPECT_EQ(kept.find("noisy.G")->values, raw.find("G")->values);
    EXPECT_EQ(largestDifference(kept, plain), 0.0);
    // The command does the same with a picture that has the layers, and keeps them.
    const Image later = denoised("raw.exr", "later.exr", {"--denoise-keep-noisy"});
    EXPECT_EQ(largestDifference(later, plain), 0.0);
    EXPECT_EQ(later.find("noisy.R")->values, raw.find("R")->values);
    EXPECT_EQ(later.find("halfB.G")->values, raw.find("halfB.G")->values);
    EXPECT_EQ(later.attributes.at("aureole.denoise"), plain.attributes.at("aureole.denoise"));
}

TEST_F(DenoiseTest, OfAGpuAndAFrameIsTheSame) {
    const Outcome outcome = ran({"render",
                                 scene_,
                                 "-o",
                                 path("f#.exr"),
                                 "--allow-cpu",
                                 "--no-bloom",
                                 "--spp",
                                 "4",
                                 "--set",
                                 R"(/animation={"camera": "front", "turntable": {"frames": 4}})",
                                 "--frames",
                                 "0:1",
                                 "--aov",
                                 "albedo,normal",
                                 "--denoise",
                                 "--denoise-rays",
                                 "0",
                                 "--denoise-keep-noisy",
                                 "--stats-json",
                                 path("stats.json")});
    const Image clean = readExr(path("f0.exr"));
    Image raw = clean;
    for (const char* name : kColours) {
        raw.find(name)->values = clean.find(std::string("noisy.") + name)->values;
    }
    expectFake(clean, raw);
    EXPECT_NE(outcome.err.find("denoise  Open Image Denoise 2.3.4 on the CPU, high quality in "), std::string::npos)
        << outcome.err;
    const nlohmann::json stats = readJson(path("stats.json"));
    EXPECT_EQ(stats.at("denoiser"), "Open Image Denoise 2.3.4 on the CPU, high quality");
    EXPECT_GT(stats.at("denoise_milliseconds"), 0.0);
    EXPECT_LT(stats.at("denoise_milliseconds").get<double>(), 1e3 * stats.at("seconds").at("denoise").get<double>());
}

/// Three camera rays beside each sample tell what it sees of edges: the picture is that of its light and their layers.
TEST_F(DenoiseTest, CameraRaysTellMoreThanTheSamplesDo) {
    const Arguments layers = {"--aov", "albedo,normal,emission", "--spp"};
    const auto of = [&](const std::string& name, const Arguments& more) {
        Arguments options = layers;
        options.insert(options.end(), more.begin(), more.end());
        return rendered(name, options);
    };
    Image raw = of("raw.exr", {"8", "--denoise-rays", "3"});
    const Image seen = of("seen.exr", {"32"});
    const Image clean = rendered("clean.exr", {"--spp", "8", "--denoise"});
    EXPECT_NE(clean.attributes.at("aureole.denoise").find("emission, of 24 camera rays more;"), std::string::npos)
        << clean.attributes.at("aureole.denoise");
    std::size_t unlike = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::string layer = std::string(".") + kColours.at(c);
        for (std::size_t i = 0; i < raw.pixelCount(); ++i) {
            const auto at = [&](const Image& image, const char* name) { return image.find(name + layer)->values[i]; };
            float& light = raw.find(kColours.at(c))->values[i];
            const float scale = (at(seen, "albedo") + 0.05F) / (at(raw, "albedo") + 0.05F);
            const float direct =
                at(raw, "emission") > 0.0F ? at(seen, "emission") : std::min(at(seen, "emission"), light);
            light = std::max(light - at(raw, "emission"), 0.0F) * scale + direct;
            unlike += scale < 0.9F || scale > 1.1F ? 1 : 0;
        }
        raw.find(kAlbedo.at(c))->values = seen.find(kAlbedo.at(c))->values;
        raw.find(kNormal.at(c))->values = seen.find(kNormal.at(c))->values;
    }
    EXPECT_GT(unlike, 10U); // at edges
    expectFake(clean, raw);
    // An EXR keeps what they tell, so that it is denoised to the same picture later.
    EXPECT_EQ(raw.attributes.at("aureole.seen_rays"), "24");
    EXPECT_EQ(raw.find("seen.albedo.G")->values, seen.find("albedo.G")->values);
    EXPECT_EQ(largestDifference(denoised("raw.exr", "later.exr"), clean), 0.0);
    raw.attributes["aureole.seen_rays"] = "2x";
    writeExr(path("bad.exr"), raw);
    expectFailure(kBadInput, {"denoise", path("bad.exr"), "-o", path("none.exr")},
                  {"bad.exr", "aureole.seen_rays \"2x\"", "seen.*"}, oidn_);
    expectFailure(kUsage, {"render", scene_, "-o", path("part.exr"), "--samples", "0:4", "--denoise-rays", "3"},
                  {"--denoise-rays", "found it with --samples"});
}

TEST_F(DenoiseTest, PartsAreDenoisedOnceTheyAreMerged) {
    const Image whole = rendered("whole.exr", {"--denoise", "--denoise-rays", "0"});
    rendered("a.exr", {"--denoise", "--samples", "0:3"});
    const Image part = rendered("b.exr", {"--denoise", "--samples", "3:4"});
    EXPECT_EQ(part.attributes.at("aureole.aovs"), "albedo,normal,depth,emission,halves");
    ran({"merge", path("a.exr"), path("b.exr"), "-o", path("merged.exr")});
    EXPECT_LT(largestDifference(denoised("merged.exr", "clean.exr"), whole), 1e-5);
    expectFailure(kBadInput, {"merge", path("clean.exr"), "-o", path("again.exr")},
                  {"clean.exr", "is denoised", "aureole.denoise", "come after merging"});
    expectFailure(kBadInput, {"denoise", path("clean.exr"), "-o", path("again.exr")},
                  {"clean.exr", "is denoised (aureole.denoise: ", "and once"}, oidn_);
    // The built-in filter takes the second half of a part from its sums; it finds two of unlike noise, or nothing.
    const Image builtin =
        denoised("merged.exr", "builtin.exr", {"--denoiser", "builtin", "--device", "0", "--allow-cpu"});
    EXPECT_NE(builtin.attributes.at("aureole.denoise").find("own filter, by halves, albedo, normal, depth, emission;"),
              std::string::npos);
    expectFailure(kBadInput, {"denoise", path("b.exr"), "-o", path("none.exr"), "--denoiser", "builtin"},
                  {"b.exr", "found no two halves", "halfA and halfB"});
}

TEST_F(DenoiseTest, ACropAndAResumedRenderAreTheWhole) {
    const Image whole = rendered("whole.exr", {"--denoise", "--transparent"});
    const Image crop = rendered("crop.exr", {"--denoise", "--transparent", "--crop", "8,6,24,20"});
    ASSERT_EQ(crop.width, 16U);
    for (std::uint32_t x = 0; x < crop.width; ++x) {
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(pixel(crop, x, 5)[c], pixel(whole, x + 8, 11)[c], 1e-6);
        }
    }
    // Alpha stays as it is.
    EXPECT_EQ(whole.find("A")->values, rendered("raw.exr", {"--transparent"}).find("A")->values);
    const Arguments base = {"render",        scene_,         "-o",          path("r.exr"),
                            "--backend",     "reference",    "--no-bloom",  "--denoise",
                            "--transparent", "--checkpoint", path("r.ckpt")};
    Arguments first = base;
    first.insert(first.end(), {"--spp", "8"});
    ran(first);
    Arguments second = base;
    second.insert(second.end(), {"--spp", "16", "--resume", path("r.ckpt")});
    ran(second);
    ran({"render", scene_, "-o", path("one.exr"), "--backend", "reference", "--no-bloom", "--denoise", "--transparent",
         "--spp", "16"});
    EXPECT_LT(largestDifference(readExr(path("r.exr")), readExr(path("one.exr"))), 1e-6);
}

TEST_F(DenoiseTest, LightGroupsAreDenoisedEachAndAddUp) {
    const Image raw = rendered("raw.exr", {"--aov", "groups,albedo,normal"});
    const Image clean = rendered("clean.exr", {"--denoise", "--denoise-rays", "0", "--aov", "groups"});
    expectFake(clean, raw); // as without groups
    EXPECT_NE(clean.attributes.at("aureole.denoise").find("with 2 light groups"), std::string::npos);
    const auto value = [](const Image& image, const char* name, std::size_t i) { return image.find(name)->values[i]; };
    for (std::size_t i = 0; i < raw.pixelCount(); ++i) {
        const auto byItself = [&](const char* group) {
            return value(raw, group, i) / 2.0F + value(raw, "albedo.G", i) + 0.125F + value(raw, "N.Y", i) / 2.0F;
        };
        const float share = byItself("group.default.G") / (byItself("group.default.G") + byItself("group.sky.G"));
        EXPECT_NEAR(value(clean, "group.default.G", i), share * value(clean, "G", i), 1e-5);
        EXPECT_NEAR(value(clean, "group.default.G", i) + value(clean, "group.sky.G", i), value(clean, "G", i), 1e-5);
    }
    // The built-in filter too adds up to the picture.
    const Image builtin =
        rendered("builtin.exr", {"--denoise", "builtin", "--aov", "groups", "--stats-json", path("stats.json")});
    EXPECT_GT(readJson(path("stats.json")).at("denoise_milliseconds"), 0.0);
    for (std::size_t i = 0; i < raw.pixelCount(); ++i) {
        EXPECT_NEAR(value(builtin, "group.default.G", i) + value(builtin, "group.sky.G", i), value(builtin, "G", i),
                    1e-5);
    }
    // Groups that are not those of the picture leave it alone.
    Image other = raw;
    other.find("group.sky.R")->values[7] += 1.0F;
    writeExr(path("other.exr"), other);
    expectFake(denoised("other.exr", "apart.exr"), raw);
}

TEST_F(DenoiseTest, WhatIsNotFiniteBecomesSo) {
    Image image = makeImage(3, 3, {"R", "G", "B", "A"});
    for (std::size_t i = 0; i < 9; ++i) {
        for (const char* name : kColours) {
            image.find(name)->values[i] = static_cast<float>(i);
        }
    }
    image.find("R")->values[4] = std::numeric_limits<float>::infinity();
    image.find("G")->values[0] = std::numeric_limits<float>::quiet_NaN();
    image.find("A")->values[1] = 0.5F;
    writeExr(path("in.exr"), image);
    const Outcome outcome = ran({"denoise", path("in.exr"), "-o", path("out.exr")});
    EXPECT_NE(outcome.err.find("found 2 pixels that are infinite or no number"), std::string::npos) << outcome.err;
    const Image out = readExr(path("out.exr"));
    EXPECT_EQ(pixel(out, 2, 2)[0], 4.0F); // of 8, without layers
    EXPECT_EQ(pixel(out, 1, 1)[1], (1.0F + 2.0F + 3.0F + 5.0F + 6.0F + 7.0F + 8.0F) / 7.0F / 2.0F);
    EXPECT_EQ(pixel(out, 0, 0)[0], (1.0F + 3.0F) / 2.0F / 2.0F);
    EXPECT_EQ(out.find("A")->values[1], 0.5F);
}

/// The network would get the sun wrong: what is beyond 64 times the geometric mean of the luminance passes it by.
TEST_F(DenoiseTest, LampsThatDazzleKeepTheirLight) {
    Image image = makeImage(16, 16, {"R", "G", "B", "emission.R", "emission.G", "emission.B"});
    for (std::size_t c = 0; c < 3; ++c) {
        std::fill(image.channels[c].values.begin(), image.channels[c].values.end(), 1.0F);
        image.channels[c].values[40] = 1e6F;
        image.channels[c].values[41] = 1e6F; // a firefly is no lamp
        image.channels[3 + c].values[40] = 1e6F;
    }
    writeExr(path("in.exr"), image);
    const Image out = denoised("in.exr", "out.exr");
    const double most = 64.0 * std::exp(2.0 * std::log(1e6) / 256.0);
    EXPECT_NEAR(pixel(out, 8, 2)[1], 1e6 - most / 2.0, 0.2);
    EXPECT_EQ(pixel(out, 9, 2)[1], 5e5F);
    EXPECT_EQ(pixel(out, 0, 0)[1], 0.5F);
}

/// So does the filter's, which would spread it: its noise is more than all that the pixels beside it have. A pixel at
/// its edge, which a few samples of one half met, is far less bright, and keeps its light too.
TEST_F(DenoiseTest, TheSunStaysInItsPixels) {
    Image image = makeImage(16, 16, {"R", "G", "B"});
    for (const char* const layer :
         {"emission.R", "emission.G", "emission.B", "halfA.R", "halfA.G", "halfA.B", "halfB.R", "halfB.G", "halfB.B"}) {
        image.add(layer);
    }
    const auto fill = [&](std::size_t c, std::size_t i, float half, float otherHalf) {
        image.channels[c].values[i] = 0.5F * (half + otherHalf);
        image.channels[6 + c].values[i] = half;
        image.channels[9 + c].values[i] = otherHalf;
    };
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            const bool isSun = i == 119 || i == 120;
            const bool isEdge = i == 121;
            const float half = isSun ? 3e5F : isEdge ? 181.0F : i % 2 == 0 ? 0.9F : 1.1F;
            fill(c, i, half, isSun ? 1e5F : i % 3 == 0 ? 0.9F : 1.1F);
            image.channels[3 + c].values[i] = isSun ? 2e5F : isEdge ? 90.0F : 0.0F;
        }
    }
    writeExr(path("in.exr"), image);
    const Image out = denoised("in.exr", "out.exr", {"--denoiser", "builtin"});
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const bool isSun = i == 119 || i == 120;
        const float light = isSun ? 2e5F : i == 121 ? 91.0F : 1.0F;
        EXPECT_NEAR(out.find("G")->values[i], light, isSun ? 2.0F : 0.3F) << i;
    }
}

/// A sample in thousands that meets a lamp is taken for a mistake, and all of them may be most of the light.
TEST_F(DenoiseTest, LightThatIsLostIsTold) {
    Image image = makeImage(24, 24, {"R", "G", "B", "halfA.R", "halfA.G", "halfA.B", "halfB.R", "halfB.G", "halfB.B"});
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const float half = i % 37 == 5 ? 40.0F : i % 2 == 0 ? 0.9F : 1.1F;
            const float otherHalf = i % 3 == 0 ? 0.9F : 1.1F;
            image.channels[c].values[i] = 0.5F * (half + otherHalf);
            image.channels[3 + c].values[i] = half;
            image.channels[6 + c].values[i] = otherHalf;
        }
    }
    writeExr(path("in.exr"), image);
    const Outcome outcome = ran({"denoise", path("in.exr"), "-o", path("out.exr"), "--denoiser", "builtin"});
    EXPECT_NE(outcome.err.find("% of the light, which few samples have"), std::string::npos) << outcome.err;
}

/// Black around a scene tells nothing of how bright it is: a lamp of 20 beside 1 does not dazzle.
TEST_F(DenoiseTest, ALampOnBlackIsDenoised) {
    Image image = makeImage(16, 16, {"R", "G", "B", "emission.R", "emission.G", "emission.B"});
    for (std::size_t c = 0; c < 3; ++c) {
        std::fill_n(image.channels[c].values.begin(), 64, 1.0F);
        image.channels[c].values[40] = 20.0F;
        image.channels[3 + c].values[40] = 20.0F;
    }
    writeExr(path("in.exr"), image);
    EXPECT_NEAR(pixel(denoised("in.exr", "out.exr"), 8, 2)[1], 10.0F, 1e-3);
}

TEST_F(DenoiseTest, WithoutTheLibraryTheBuiltInFilterDoes) {
    const Arguments render = {"render", scene_, "-o", path("a.exr"), "--backend", "reference", "--no-bloom"};
    const auto with = [&](const Arguments& options) {
        Arguments arguments = render;
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    };
    const Variables empty = {{"AUREOLE_OIDN", testFile(FAKE_OIDN) + "/empty"}};
    const Outcome outcome = expectDone(with({"--denoise", "--spp", "2"}), empty);
    EXPECT_NE(
        outcome.err.find("warning: " + testFile(FAKE_OIDN) + "/empty/lib/libOpenImageDenoise.so.2: found no function"),
        std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("aureole's own filter denoises"), std::string::npos) << outcome.err;
    EXPECT_NE(readExr(path("a.exr")).attributes.at("aureole.denoise").find("own filter, by halves"), std::string::npos);
    expectFailure(kUsage, with({"--denoise", "oidn"}), {"/empty/", "found no function oidnNewDevice"}, empty);
    expectFailure(kUsage, with({"--denoise=builtin", "--sampler", "independent"}),
                  {"--denoise", "found 'builtin' with the sampler 'independent'", "expected 'sobol'"});
    expectFailure(kUsage, with({"--denoise", "--sampler", "independent"}), {"own filter", "'independent'"}, empty);
    const Outcome one = expectDone(with({"--denoise", "builtin", "--spp", "1"}));
    EXPECT_NE(one.err.find("found a single sample per pixel"), std::string::npos) << one.err;
    EXPECT_FALSE(readExr(path("a.exr")).attributes.contains("aureole.denoise"));
}

TEST_F(DenoiseTest, OptionsThatDoNotFitAreRefused) {
    const Arguments render = {"render", scene_, "-o"};
    const auto refused = [&](const Arguments& options, const std::vector<std::string>& fragments) {
        Arguments arguments = render;
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectFailure(kUsage, arguments, fragments, oidn_);
    };
    refused({path("a.png"), "--denoise", "--denoise-keep-noisy"}, {"--denoise-keep-noisy", "a PNG has no layers"});
    refused({path("a.exr"), "--denoise-keep-noisy"}, {"--denoise-keep-noisy", "without --denoise"});
    refused({path("a.exr"), "--denoise", "odin"}, {"found 'odin'"});
    refused({path("a.exr"), "--denoise=odin"}, {"--denoise", "found 'odin'", "did you mean 'oidn'?"});
    // It comes before bloom.
    Image image = makeImage(4, 4, {"R", "G", "B"});
    image.attributes["aureole.bloom"] = "R, G, B: kernel default";
    writeExr(path("bloomed.exr"), image);
    expectFailure(kBadInput, {"denoise", path("bloomed.exr"), "-o", path("a.exr")},
                  {"bloomed.exr", "(aureole.bloom: R, G, B: kernel default)", "denoising comes first"}, oidn_);
    writeExr(path("grey.exr"), makeImage(4, 4, {"Y"}));
    expectFailure(kBadInput, {"denoise", path("grey.exr"), "-o", path("a.exr")},
                  {"grey.exr", "found no channels R, G and B"}, oidn_);
}

TEST_F(DenoiseTest, ASceneAsksForItBeforeItsBloom) {
    nlohmann::json scene = readJson(scene_);
    scene["film"]["denoise"] = "oidn";
    scene["bloom"] = {{"kernel", "default"}, {"kernelSize", 9}};
    const std::string file = write("both.json", scene.dump());
    ran({"render", file, "-o", path("both.exr"), "--spp", "4", "--backend", "reference", "--allow-cpu"});
    ran({"render", file, "-o", path("clean.exr"), "--spp", "4", "--backend", "reference", "--no-bloom"});
    ran({"bloom", path("clean.exr"), "-o", path("bloomed.exr"), "--scene", file, "--allow-cpu"});
    EXPECT_LT(largestDifference(readExr(path("both.exr")), readExr(path("bloomed.exr"))), 1e-5);
    EXPECT_GT(largestDifference(readExr(path("both.exr")), readExr(path("clean.exr"))), 1e-3);
    ran({"render", file, "-o", path("raw.exr"), "--spp", "4", "--backend", "reference", "--no-bloom", "--denoise",
         "none"});
    EXPECT_FALSE(readExr(path("raw.exr")).attributes.contains("aureole.denoise"));
}

} // namespace

} // namespace aureole
