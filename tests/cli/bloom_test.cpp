#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "cli_test.h"
#include "foreign_exr.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

class BloomTest : public CliTest {
protected:
    /// A black picture with one bright pixel and a channel and an attribute besides.
    std::string spark() const {
        Image image = makeImage(32, 24, {"R", "G", "B", "depth.Z"});
        for (const char* name : {"R", "G", "B"}) {
            image.find(name)->values[12 * 32 + 16] = 100.0F;
        }
        image.find("depth.Z")->values[7] = 3.5F;
        image.attributes["aureole.samples"] = "0:64";
        image.typedAttributes["worldToCamera"] = {"m44f", std::vector<std::byte>(64, std::byte{3})};
        writeExr(path("spark.exr"), image);
        return path("spark.exr");
    }
};

TEST_F(BloomTest, OfABrightPixelIsTheKernel) {
    expectDone({"bloom", spark(), "-o", path("out.exr"), "--kernel-size", "9", "--kernel-out", path("kernel.exr"),
                "--kernel", "default", "--allow-cpu"});
    const Image out = readExr(path("out.exr"));
    const Image kernel = readExr(path("kernel.exr"));
    ASSERT_EQ(kernel.width, 9U);
    ASSERT_EQ(kernel.height, 9U);
    for (std::uint32_t y = 0; y < 24; ++y) {
        for (std::uint32_t x = 0; x < 32; ++x) {
            const bool inside = x >= 12 && x < 21 && y >= 8 && y < 17;
            const std::vector<float> expected =
                inside ? pixel(kernel, x - 12, y - 8) : std::vector<float>{0.0F, 0.0F, 0.0F};
            for (std::size_t c = 0; c < 3; ++c) {
                ASSERT_NEAR(pixel(out, x, y)[c], 100.0F * expected[c], 1e-3F) << x << ", " << y;
            }
        }
    }
    EXPECT_EQ(out.find("depth.Z")->values[7], 3.5F);
    EXPECT_FALSE(out.attributes.contains("aureole.samples"));
    EXPECT_EQ(out.attributes.at("aureole.bloom"),
              "R, G, B: kernel default of 9x9 pixels, sharpen 0, padding zero, exact; of samples 0:64");
    EXPECT_EQ(out.typedAttributes.at("worldToCamera").value, std::vector<std::byte>(64, std::byte{3}));
}

/// Each as alone, also where one has another size than those before it.
TEST_F(BloomTest, OfSeveralImages) {
    const std::string first = spark();
    Image image = readExr(first);
    writeExr(path("f.007.exr"), image);
    image.find("G")->values[100] = 40.0F;
    writeExr(path("f.008.exr"), image);
    Image small = makeImage(20, 16, {"Y"});
    small.channels[0].values[90] = 7.0F;
    writeExr(path("g12.exr"), small);
    const Arguments method = {"--mode", "resampled", "--kernel", "default", "--allow-cpu"};
    const auto bloom = [&](Arguments arguments) {
        arguments.insert(arguments.begin(), "bloom");
        arguments.insert(arguments.end(), method.begin(), method.end());
        return arguments;
    };
    expectDone(bloom({path("f.007.exr"), path("f.008.exr"), path("g12.exr"), "-o", path("o.##.exr")}));
    const std::vector<std::pair<std::string, std::string>> pairs = {
        {"f.007.exr", "o.07.exr"}, {"f.008.exr", "o.08.exr"}, {"g12.exr", "o.12.exr"}};
    for (const auto& [in, out] : pairs) {
        expectDone(bloom({path(in), "-o", path("alone.exr")}));
        EXPECT_EQ(largestDifference(readExr(path("alone.exr")), readExr(path(out))), 0.0) << in;
    }
    EXPECT_GT(largestDifference(readExr(path("o.07.exr")), readExr(path("o.08.exr"))), 1.0);
    expectFailure(kUsage, bloom({first, path("g12.exr"), "-o", path("o.##.exr")}), {"spark.exr", "no number"});
    expectFailure(kUsage, bloom({path("f.007.exr"), path("g12.exr"), "-o", path("o.exr")}), {"--output", "2 images"});
    expectFailure(kUsage, bloom({path("f.007.exr"), path("g12.exr"), "-o", path("f.###.exr")}), {"f.007.exr"});
    expectFailure(kUsage, bloom({path("f.007.exr"), path("g12.exr"), "-o", path("o.##.exr"), "--kernel-out", "k.exr"}),
                  {"--kernel-out", "2 images"});
}

/// The spectrum serves both frames, but each is sharpened as its keys say.
TEST_F(BloomTest, OfSeveralFramesWithAKeyedSharpen) {
    const std::string scene = write("scene.json", boxScene());
    const Arguments settings = {
        "--set", R"(/bloom={"kernel": "gaussians", "kernelSize": 9})", "--set",
        R"(/animation={"camera": "front", "turntable": {"frames": 48}, "values": {"/bloom/sharpen": [[0, 0], [1, 0.9]]}})"};
    const auto with = [&](Arguments arguments) {
        arguments.insert(arguments.end(), settings.begin(), settings.end());
        return arguments;
    };
    expectDone(with({"render", scene, "-o", path("n.#.exr"), "--frames", "0:2", "--size", "24x18", "--spp", "2",
                     "--backend", "reference", "--no-bloom"}));
    expectDone(
        with({"bloom", path("n.0.exr"), path("n.1.exr"), "-o", path("b.#.exr"), "--scene", scene, "--allow-cpu"}));
    expectDone(with({"bloom", path("n.1.exr"), "-o", path("alone.exr"), "--scene", scene, "--allow-cpu"}));
    EXPECT_EQ(largestDifference(readExr(path("b.1.exr")), readExr(path("alone.exr"))), 0.0);
}

TEST_F(BloomTest, TakesAnImageAsKernelAndCanBeSharpened) {
    // A shift by one pixel to the right: the kernel's centre is texel (1, 1).
    Image shift = makeImage(3, 3, {"R", "G", "B"});
    for (Channel& channel : shift.channels) {
        channel.values[1 * 3 + 2] = 4.0F;
    }
    writeExr(path("shift.exr"), shift);
    expectDone(
        {"bloom", spark(), "-o", path("out.exr"), "--kernel", path("shift.exr"), "--sharpen", "0.25", "--device", "0"});
    const Image out = readExr(path("out.exr"));
    EXPECT_NEAR(pixel(out, 17, 12)[0], 75.0F, 1e-3F);
    EXPECT_NEAR(pixel(out, 16, 12)[0], 25.0F, 1e-3F);
    EXPECT_NEAR(pixel(out, 15, 12)[0], 0.0F, 1e-3F);
}

/// What --samples left out is put in after merging, finish included.
TEST_F(BloomTest, OfASceneIsThatOfItsRender) {
    std::string text = bloomScene();
    const std::string plain = R"({"kernel": "default"})";
    text.replace(text.find(plain), plain.size(),
                 R"({"kernel": "gaussians", "padding": "mirror", "sharpen": 0.25, "mode": "resampled"},
                 "finish": {"vignette": 0.5})");
    const std::string scene = write("scene.json", text);
    const auto render = [&](const Arguments& options) {
        Arguments arguments = {"render", scene, "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    };
    expectDone(render({"-o", path("whole.exr")}));
    expectDone(render({"-o", path("part.exr"), "--samples", "0:4"}));
    expectDone({"bloom", path("part.exr"), "-o", path("out.exr"), "--scene", scene, "--allow-cpu"});
    EXPECT_LE(largestDifference(readExr(path("out.exr")), readExr(path("whole.exr"))), 1e-6);
    EXPECT_GT(largestDifference(readExr(path("out.exr")), readExr(path("part.exr"))), 0.1);
    const Arguments changed = {"--set", "/bloom/sharpen=0.75", "--set", "/finish/vignette=0.2"};
    const auto with = [&](Arguments arguments) {
        arguments.insert(arguments.end(), changed.begin(), changed.end());
        return arguments;
    };
    expectDone(with(render({"-o", path("changed.exr")})));
    expectDone(with({"bloom", path("part.exr"), "-o", path("out.exr"), "--scene", scene}));
    EXPECT_LE(largestDifference(readExr(path("out.exr")), readExr(path("changed.exr"))), 1e-6);
    EXPECT_GT(largestDifference(readExr(path("out.exr")), readExr(path("whole.exr"))), 0.01);
    expectFailure(kUsage, with({"bloom", path("part.exr"), "-o", path("out.exr")}),
                  {"--set: found it without --scene"});
    expectDone(render({"-o", path("crop.exr"), "--samples", "0:1", "--crop", "0,0,8,8"}));
    const Outcome crop =
        expectDone({"bloom", path("crop.exr"), "-o", path("out.exr"), "--scene", scene, "--allow-cpu"});
    EXPECT_NE(crop.err.find("a crop of 8x8 pixels"), std::string::npos) << crop.err;
    EXPECT_NE(crop.err.find("--scene takes its middle"), std::string::npos) << crop.err;
    expectFailure(kUsage,
                  {"bloom", path("part.exr"), "-o", path("out.exr"), "--scene", scene, "--sharpen", "0", "--allow-cpu"},
                  {"--sharpen: found it with --scene"});
    expectFailure(kBadInput,
                  {"bloom", path("part.exr"), "-o", path("out.exr"), "--scene", write("none.json", boxScene())},
                  {"none.json: found a scene without bloom"});
}

/// A frame is the picture of a scene that has its numbers, whether it is bloomed by render or later.
TEST_F(BloomTest, NumbersChangeFromFrameToFrame) {
    std::string text = bloomScene();
    const std::string plain = R"({"kernel": "default"})";
    text.replace(text.find(plain), plain.size(),
                 R"({"kernel": "gaussians", "kernelSize": 15}, "finish": {"vignette": 0},
                 "animation": {"camera": "front", "values": {
                   "/bloom/sharpen": [[0, 0], [2, 0.5]], "/bloom/kernelScale": [[0, 1], [2, 3]],
                   "/finish/vignette": [[1, 0], [2, 0.75]]}})");
    const std::string scene = write("scene.json", text);
    const auto render = [&](const std::string& name, const Arguments& options) {
        Arguments arguments = {"render", scene, "-o", path(name), "--spp", "2", "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
    };
    render("frame.#.exr", {"--frames", "0:3"});
    render("plain.#.exr", {"--frames", "0:3", "--no-bloom", "--no-finish"});
    const auto expectSame = [&](const std::string& a, const std::string& b) {
        EXPECT_LE(largestDifference(readExr(path(a)), readExr(path(b))), 1e-6) << a << ' ' << b;
    };
    for (const auto& [frame, sharpen, scale, vignette] :
         {std::tuple{"0", "0", "1", "0"}, std::tuple{"1", "0.25", "2", "0"}, std::tuple{"2", "0.5", "3", "0.75"}}) {
        const std::string name = std::string(frame) + ".exr";
        render("still." + name,
               {"--set", "/animation=null", "--set", std::string("/bloom/sharpen=") + sharpen, "--set",
                std::string("/bloom/kernelScale=") + scale, "--set", std::string("/finish/vignette=") + vignette,
                "--seed", std::to_string(1 + std::stoi(frame))});
        expectSame("frame." + name, "still." + name);
        expectDone({"bloom", path("plain." + name), "-o", path("later." + name), "--scene", scene, "--allow-cpu"});
        expectSame("later." + name, "frame." + name);
    }
    EXPECT_GT(largestDifference(readExr(path("frame.0.exr")), readExr(path("frame.2.exr"))), 0.1);
    expectDone({"bloom", path("plain.2.exr"), "-o", path("options.exr"), "--kernel", "gaussians", "--kernel-size", "15",
                "--kernel-scale", "3", "--sharpen", "0.5", "--vignette", "0.75", "--allow-cpu"});
    expectSame("options.exr", "frame.2.exr");
}

TEST_F(BloomTest, WithMirrorPaddingAnEvenImageStaysAsItIs) {
    Image grey = makeImage(20, 14, {"R", "G", "B"});
    for (Channel& channel : grey.channels) {
        channel.values.assign(grey.pixelCount(), 2.0F);
    }
    writeExr(path("grey.exr"), grey);
    expectDone({"bloom", path("grey.exr"), "-o", path("out.exr"), "--padding", "mirror"});
    expectDone({"bloom", path("grey.exr"), "-o", path("zero.exr")});
    const Image out = readExr(path("out.exr"));
    for (std::uint32_t i = 0; i < 20 * 14; ++i) {
        ASSERT_NEAR(out.channels[0].values[i], 2.0F, 1e-5F) << i;
    }
    EXPECT_LT(readExr(path("zero.exr")).channels[0].values[0], 1.99F);
    expectFailure(2, {"bloom", path("grey.exr"), "-o", path("out.exr"), "--padding", "wrap"},
                  {"--padding", "wrap", "mirror"});
}

TEST_F(BloomTest, ResampledIsTheSamePicture) {
    const auto bloomed = [&](const Arguments& options) {
        Arguments arguments = {"bloom", spark(), "-o", path("out.exr"), "--kernel", "eye", "--kernel-size", "16"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path("out.exr"));
    };
    const Image exact = bloomed({"--mode", "exact"});
    const double kaiser = largestDifference(bloomed({"--mode", "resampled"}), exact);
    const double bilinear = largestDifference(bloomed({"--mode", "resampled", "--resample", "bilinear"}), exact);
    EXPECT_LE(kaiser, 1e-3); // of a pixel of 100
    EXPECT_LE(bilinear, 1.0);
    EXPECT_GT(bilinear, kaiser);
    EXPECT_LE(largestDifference(bloomed({"--mode", "resampled", "--resample", "kaiser"}), exact), 1e-3);
    const auto expectUsage = [&](const Arguments& options, const std::vector<std::string>& fragments) {
        Arguments arguments = {"bloom", spark(), "-o", path("out.exr")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectFailure(2, arguments, fragments);
    };
    expectUsage({"--mode", "resample"}, {"--mode", "'resample'", "did you mean 'resampled'?"});
    expectUsage({"--mode", "resampled", "--resample", "kayser"}, {"--resample", "did you mean 'kaiser'?"});
    expectUsage({"--resample", "kaiser"}, {"--resample", "--mode resampled"});
}

TEST_F(BloomTest, SavesEveryGeneratedKernelWithoutAnImage) {
    Image round = makeImage(8, 8, {"Y"});
    round.channels[0].values.assign(64, 1.0F);
    writeExr(path("iris.exr"), round);
    const std::vector<Arguments> kernels = {
        {"--kernel", "default", "--fov", "1"},
        {"--kernel", "airy", "--fov", "1", "--f-number", "22", "--sensor-height", "16"},
        {"--kernel", "aperture", "--fov", "1", "--aperture", "3", "--blades", "5", "--roundness", "0.5", "--rotation",
         "10", "--dust", "9", "--scratches", "2", "--kernel-seed", "4"},
        {"--kernel", "aperture", "--fov", "1", "--aperture", "3", "--aperture-image", path("iris.exr")},
        {"--kernel", "eye", "--fov", "10", "--adaptation", "0.1", "--flare-lines", "50"},
        {"--kernel", "gaussians", "--fov", "1", "--gaussian", "1,0.02", "--gaussian", "2,0.1,1,0.5,0.2"}};
    std::vector<std::vector<float>> seen;
    for (Arguments arguments : kernels) {
        const std::string name = arguments[1];
        arguments.insert(arguments.begin(), "bloom");
        arguments.insert(arguments.end(), {"--kernel-size", "31", "--kernel-out", path("k.exr")});
        expectDone(arguments);
        const Image kernel = readExr(path("k.exr"));
        ASSERT_EQ(kernel.width, 31U) << name;
        ASSERT_EQ(kernel.height, 31U) << name;
        for (const char* channel : {"R", "G", "B"}) {
            const std::vector<float>& values = kernel.find(channel)->values;
            EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 1.0, 1e-5) << name;
        }
        for (const std::vector<float>& other : seen) {
            EXPECT_NE(other, kernel.find("G")->values) << name;
        }
        seen.push_back(kernel.find("G")->values);
    }
}

TEST_F(BloomTest, NamesWhatIsWrongWithAKernel) {
    const std::string in = spark();
    const auto expectBad = [&](const std::string& kernel, const std::vector<std::string>& fragments) {
        expectFailure(kBadInput, {"bloom", in, "-o", path("out.exr"), "--kernel", kernel}, fragments);
        EXPECT_FALSE(std::filesystem::exists(path("out.exr")));
    };
    const auto kernelOf = [&](const std::string& name, std::vector<float> values) {
        Image image = makeImage(2, 2, {"Y"});
        image.channels[0].values = std::move(values);
        writeExr(path(name), image);
        return path(name);
    };
    expectBad(kernelOf("zero.exr", {0, 0, 0, 0}), {"zero.exr", "all values are zero"});
    expectBad(kernelOf("negative.exr", {1, -3, 0, 0}), {"negative.exr", "sums to -2", "more than zero"});
    expectBad(kernelOf("nan.exr", {0, 1, std::numeric_limits<float>::quiet_NaN(), 0}), {"nan.exr", "at (0, 1)"});
    expectBad(path("none.exr"), {"none.exr", "no such file"});
    expectBad(write("empty.exr", ""), {"empty.exr"});
    expectBad(write("kernel.tif", "II*"), {"kernel.tif", "'.tif'", ".exr"});
    expectFailure(kBadInput,
                  {"bloom", in, "-o", path("out.exr"), "--kernel", "aperture", "--aperture-image", path("zero.exr")},
                  {"zero.exr", "black"});
}

TEST_F(BloomTest, KeepsWhatAnotherWriterPutIntoAFile) {
    for (const auto& [name, bytes] : {std::pair<std::string, std::span<const unsigned char>>{"zip", foreign::kZip},
                                      {"rle", foreign::kRle},
                                      {"tiled", foreign::kTiled},
                                      {"bottom", foreign::kBottomFirst},
                                      {"window", foreign::kWindow}}) {
        const std::string in = write(name + ".exr", std::string(bytes.begin(), bytes.end()));
        expectDone({"bloom", in, "-o", path("out.exr"), "--sharpen", "1"});
        const Image before = readExr(in);
        const Image after = readExr(path("out.exr"));
        ASSERT_EQ(after.channels.size(), before.channels.size()) << name;
        for (const Channel& channel : before.channels) {
            const Channel* const same = after.find(channel.name);
            ASSERT_NE(same, nullptr) << name << ' ' << channel.name;
            for (std::size_t i = 0; i < channel.values.size(); ++i) {
                ASSERT_NEAR(same->values[i], channel.values[i], 1e-3) << name << ' ' << channel.name;
            }
        }
        for (const auto& [attribute, value] : before.attributes) {
            EXPECT_EQ(after.attributes.at(attribute), value) << name;
        }
    }
}

TEST_F(BloomTest, OfALayerLeavesTheOthers) {
    Image image = makeImage(9, 7, {"R", "G", "B", "View.Combined.R", "View.Combined.G", "View.Combined.B"});
    for (Channel& channel : image.channels) {
        channel.values[3 * 9 + 4] = 10.0F;
    }
    writeExr(path("layers.exr"), image);
    expectDone({"bloom", path("layers.exr"), "-o", path("out.exr"), "--layer", "View.Combined", "--kernel", "gaussians",
                "--gaussian", "1,5"});
    const Image out = readExr(path("out.exr"));
    ASSERT_EQ(out.channels.size(), 6U);
    EXPECT_EQ(out.find("G")->values, image.find("G")->values);
    EXPECT_LT(out.find("View.Combined.G")->values[3 * 9 + 4], 9.0F);
    EXPECT_GT(out.find("View.Combined.G")->values[3 * 9 + 5], 0.1F);
    expectFailure(3, {"bloom", path("layers.exr"), "-o", path("out.exr"), "--layer", "View.Combine"},
                  {"layers.exr", "'View.Combine.R'", "did you mean 'View.Combined'?"});
}

TEST_F(BloomTest, OfACropIsThatOfTheWholeImage) {
    const auto kernelOf = [&](std::uint32_t width, std::uint32_t height, const std::string& crop) {
        Image image = makeImage(width, height, {"R", "G", "B"});
        image.attributes["aureole.size"] = "40x30";
        image.attributes["aureole.crop"] = crop;
        image.attributes["aureole.degrees_per_pixel"] = "0.01";
        writeExr(path("in.exr"), image);
        expectDone({"bloom", path("in.exr"), "-o", path("out.exr"), "--kernel", "airy", "--kernel-out", path("k.exr")});
        return readExr(path("k.exr"));
    };
    const Image whole = kernelOf(40, 30, "0,0,40,30");
    const Image part = kernelOf(10, 6, "5,7,15,13");
    ASSERT_EQ(part.width, 41U);
    EXPECT_EQ(part.find("G")->values, whole.find("G")->values);
    EXPECT_EQ(kernelOf(10, 6, "0,0,40,30").width, 11U); // scaled since: no crop
    EXPECT_EQ(kernelOf(10, 6, "all").width, 11U);
}

TEST_F(BloomTest, OfPixelsNearTheEndOfTheRangeDoesNotOverflow) {
    Image bright = makeImage(20, 14, {"R", "G", "B"});
    for (Channel& channel : bright.channels) {
        channel.values.assign(bright.pixelCount(), 3e38F);
    }
    writeExr(path("bright.exr"), bright);
    expectDone({"bloom", path("bright.exr"), "-o", path("out.exr"), "--padding", "mirror"});
    const Image out = readExr(path("out.exr"));
    for (const float value : out.channels[0].values) {
        ASSERT_NEAR(value / 3e38F, 1.0F, 1e-5F);
    }
}

TEST_F(BloomTest, RefusesOptionsThatWouldBeIgnored) {
    const std::string in = spark();
    const std::string out = path("out.exr");
    expectFailure(2, {"bloom", in, "-o", out, "--kernel-out", out}, {"--kernel-out", "--output", "another file"});
    expectFailure(2, {"bloom", in, "-o", out, "--kernel-out", in}, {"--kernel-out", "IN.exr", "another file"});
    expectFailure(2, {"bloom", "--kernel-size", "9", "--kernel-out", out, "--sharpen", "0.5"},
                  {"--sharpen", "without an image"});
    expectFailure(2, {"bloom", in, "-o", out, "--kernel", "airy", "--aperture", "3", "--f-number", "8"},
                  {"--aperture", "--f-number"});
    expectFailure(2, {"bloom", in, "-o", out, "--kernel", "aperture", "--aperture-image", in, "--dust", "8"},
                  {"--aperture-image", "--dust"});
    expectFailure(2, {"bloom", in, "-o", out, "--kernel", "aperture", "--blades", "2"}, {"--blades", "3 to 64, or 0"});
    // Of a wide view in few rows, a pixel spans degrees, and a hundred of them more than there are.
    expectFailure(3, {"bloom", in, "-o", out, "--fov", "90", "--kernel-scale", "0.01"},
                  {"--kernel-scale", "of 0.01 with pixels of", "expected one above 0.0"});
    EXPECT_FALSE(std::filesystem::exists(out));
    Image layered = makeImage(3, 3, {"diffuse.R", "diffuse.G", "diffuse.B"});
    writeExr(path("layered.exr"), layered);
    expectFailure(3, {"bloom", path("layered.exr"), "-o", out}, {"layered.exr", "--layer diffuse"});
}

TEST_F(BloomTest, BelongsToARenderUnlessLeftOut) {
    const std::string scene = write("scene.json", bloomScene());
    const auto render = [&](const std::string& output, const Arguments& options) {
        Arguments arguments = {"render", scene, "-o", path(output)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return expectDone(arguments).err;
    };
    EXPECT_NE(render("bloomed.exr", {}).find("bloom    "), std::string::npos);
    EXPECT_NE(render("plain.exr", {"--no-bloom"}).find("left out because of --no-bloom"), std::string::npos);
    EXPECT_NE(render("part.exr", {"--samples", "0:4"}).find("left out because of --samples"), std::string::npos);
    EXPECT_NE(render("crop.exr", {"--crop", "0,0,4,4"}).find("left out because of --crop"), std::string::npos);
    const Image bloomed = readExr(path("bloomed.exr"));
    const Image plain = readExr(path("plain.exr"));
    EXPECT_GT(largestDifference(bloomed, plain), 1e-3);
    EXPECT_EQ(largestDifference(readExr(path("part.exr")), plain), 0.0);

    // A resampled kernel is another way to the same picture.
    render("resampled.exr", {"--set", "/bloom/mode=\"resampled\""});
    const double difference = largestDifference(readExr(path("resampled.exr")), bloomed);
    EXPECT_GT(difference, 0.0);
    EXPECT_LE(difference, 1e-5);

    // Merging first and blooming then is the same picture.
    expectDone({"merge", path("part.exr"), "-o", path("merged.exr")});
    expectDone({"bloom", path("merged.exr"), "-o", path("later.exr")});
    EXPECT_LE(largestDifference(readExr(path("later.exr")), bloomed), 1e-6);
}

TEST_F(BloomTest, MakesPartsWhatMergeRefuses) {
    const std::string scene = write("scene.json", boxScene());
    for (const char* const range : {"0:2", "2:4"}) {
        expectDone({"render", scene, "-o", path(std::string(range).substr(0, 1) + ".exr"), "--backend", "reference",
                    "--samples", range, "--aov", "depth"});
    }
    expectDone({"bloom", path("0.exr"), "-o", path("b.exr"), "--kernel-size", "9"});
    const Image bloomed = readExr(path("b.exr"));
    for (const char* const sum : {"halfA.R", "halfA.G", "halfA.B", "hits.Y"}) {
        EXPECT_NE(readExr(path("0.exr")).find(sum), nullptr) << sum;
        EXPECT_EQ(bloomed.find(sum), nullptr) << sum;
    }
    EXPECT_NE(bloomed.find("depth.Z"), nullptr);
    expectFailure(3, {"merge", path("b.exr"), path("2.exr"), "-o", path("m.exr")},
                  {"b.exr: found an image that bloom went over", "kernel default of 9x9", "of samples 0:2",
                   "bloom and finishing come after merging"});
    expectFailure(3, {"merge", path("2.exr"), path("b.exr"), "-o", path("m.exr")},
                  {"b.exr: found an image that bloom"});
    EXPECT_FALSE(std::filesystem::exists(path("m.exr")));
}

TEST_F(BloomTest, WarnsOfASecondOne) {
    const std::string warning = "found an image that bloom went over before";
    const auto errors = [&](const std::string& in, const std::string& out, const Arguments& options = {}) {
        Arguments arguments = {"bloom", in, "-o", path(out), "--kernel-size", "9"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return expectDone(arguments).err;
    };
    EXPECT_EQ(errors(spark(), "once.exr").find(warning), std::string::npos);
    EXPECT_NE(errors(path("once.exr"), "twice.exr").find("once.exr: " + warning + " (R, G, B: kernel default"),
              std::string::npos);
    const std::string marks = readExr(path("twice.exr")).attributes.at("aureole.bloom");
    EXPECT_EQ(std::count(marks.begin(), marks.end(), '\n'), 1) << marks;

    // A layer has blooms of its own, and what describes R, G, B stays.
    Image layered = readExr(spark());
    for (const char* const name : {"sun.R", "sun.G", "sun.B"}) {
        layered.add(name, 1.0F);
    }
    writeExr(path("layered.exr"), layered);
    const Arguments ofSun = {"--layer", "sun"};
    EXPECT_EQ(errors(path("layered.exr"), "sun.exr", ofSun).find(warning), std::string::npos);
    EXPECT_EQ(readExr(path("sun.exr")).attributes.at("aureole.samples"), "0:64");
    EXPECT_EQ(errors(path("sun.exr"), "both.exr").find(warning), std::string::npos);
    EXPECT_NE(errors(path("both.exr"), "again.exr", ofSun).find(warning + " (sun: kernel"), std::string::npos);

    const std::string scene = write("scene.json", bloomScene());
    expectDone({"render", scene, "-o", path("rendered.exr"), "--spp", "1", "--backend", "reference"});
    EXPECT_NE(errors(path("rendered.exr"), "more.exr").find(warning), std::string::npos);
    expectFailure(3, {"merge", path("rendered.exr"), "-o", path("m.exr")}, {"rendered.exr", "bloom went over"});
}

TEST_F(BloomTest, OnTheReferenceBackendNeedsADevice) {
    const std::string scene = write("scene.json", bloomScene());
    expectFailure(4, {"render", scene, "-o", path("out.exr"), "--backend", "reference"}, {"--no-bloom"},
                  {{"VK_ICD_FILENAMES", "/none.json"}, {"VK_DRIVER_FILES", "/none.json"}});
}

} // namespace

} // namespace aureole
