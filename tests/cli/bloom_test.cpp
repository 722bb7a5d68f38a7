#include <cmath>

#include "cli_test.h"
#include "image/exr.h"

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
    EXPECT_EQ(out.attributes.at("aureole.samples"), "0:64");
}

TEST_F(BloomTest, TakesAnImageAsKernelAndCanBeSharpened) {
    // A shift by one pixel to the right: the kernel's centre is texel (1, 1).
    Image shift = makeImage(3, 3, {"R", "G", "B"});
    for (Channel& channel : shift.channels) {
        channel.values[1 * 3 + 2] = 4.0F;
    }
    writeExr(path("shift.exr"), shift);
    expectDone({"bloom", spark(), "-o", path("out.exr"), "--kernel", path("shift.exr"), "--sharpen", "0.25",
                "--device", "0"});
    const Image out = readExr(path("out.exr"));
    EXPECT_NEAR(pixel(out, 17, 12)[0], 75.0F, 1e-3F);
    EXPECT_NEAR(pixel(out, 16, 12)[0], 25.0F, 1e-3F);
    EXPECT_NEAR(pixel(out, 15, 12)[0], 0.0F, 1e-3F);
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

    // Merging first and blooming then is the same picture.
    expectDone({"merge", path("part.exr"), "-o", path("merged.exr")});
    expectDone({"bloom", path("merged.exr"), "-o", path("later.exr")});
    EXPECT_LE(largestDifference(readExr(path("later.exr")), bloomed), 1e-6);
}

TEST_F(BloomTest, OnTheReferenceBackendNeedsADevice) {
    const std::string scene = write("scene.json", bloomScene());
    const Arguments arguments = {"render", scene, "-o", path("out.exr"), "--backend", "reference"};
    expectFailure(4, arguments, {"--no-bloom"},
                  {{"VK_ICD_FILENAMES", "/none.json"}, {"VK_DRIVER_FILES", "/none.json"}});
    expectDone(arguments);
}

} // namespace

} // namespace aureole
