#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr.h"
#include "image/png.h"

namespace aureole {

namespace {

class ImageCommandsTest : public CliTest {
protected:
    /// A picture of one value.
    std::string even(const std::string& name, float value, std::uint32_t width = 16) const {
        Image image = makeImage(width, 12, {"R", "G", "B"});
        for (Channel& channel : image.channels) {
            std::fill(channel.values.begin(), channel.values.end(), value);
        }
        image.attributes["aureole.seed"] = "42";
        writeExr(path(name), image);
        return path(name);
    }
};

TEST_F(ImageCommandsTest, ComparePrintsTheMetric) {
    const std::string a = even("a.exr", 0.75F);
    const std::string b = even("b.exr", 0.5F);
    EXPECT_EQ(expectDone({"compare", a, b}).out, "mse 0.0625\n");
    EXPECT_EQ(expectDone({"compare", a, b, "--metric", "rmse"}).out, "rmse 0.25\n");
    EXPECT_EQ(expectDone({"compare", a, a, "--metric", "psnr"}).out, "psnr inf\n");
    EXPECT_EQ(expectDone({"compare", a, a, "--metric", "ssim"}).out, "ssim 1\n");
    EXPECT_EQ(expectDone({"compare", a, b, "--metric", "relmse"}).out.substr(0, 12), "relmse 0.240"); // 1/16 / 0.26
}

TEST_F(ImageCommandsTest, CompareFailsBeyondTheLimit) {
    const std::string a = even("a.exr", 0.75F);
    const std::string b = even("b.exr", 0.5F);
    expectDone({"compare", a, b, "--metric", "rmse", "--max", "0.25"});
    expectFailure(kComparisonFailed, {"compare", a, b, "--metric", "rmse", "--max", "0.2499"},
                  {"a.exr", "rmse 0.25", "0.2499"});
    // More is better.
    expectDone({"compare", a, b, "--metric", "psnr", "--max", "12"}); // 12.04 dB
    expectFailure(kComparisonFailed, {"compare", a, b, "--metric", "psnr", "--max", "12.1"}, {"psnr"});
    expectFailure(kUsage, {"compare", a, b, "--max", "nan"}, {"--max"});
    expectFailure(kUsage, {"compare", a, b, "--metric", "msee"}, {"did you mean 'mse'?"});
}

TEST_F(ImageCommandsTest, CompareFailsOnNanAndOnDifferentSizes) {
    const std::string a = even("a.exr", 0.75F);
    const std::string nan = even("nan.exr", std::numeric_limits<float>::quiet_NaN());
    expectFailure(kComparisonFailed, {"compare", nan, a, "--max", "1e9"}, {"nan.exr"});
    expectFailure(kComparisonFailed, {"compare", a, nan}, {"nan.exr"});
    expectFailure(kBadInput, {"compare", a, even("wide.exr", 0.75F, 17)}, {"17", "16"});
}

TEST_F(ImageCommandsTest, CompareWritesTheDifference) {
    expectDone({"compare", even("a.exr", 0.5F), even("b.exr", 0.75F), "--diff", path("difference.exr")});
    EXPECT_EQ(pixel(readExr(path("difference.exr")), 3, 3), (std::vector<float>{0.25F, 0.25F, 0.25F}));
}

TEST_F(ImageCommandsTest, ConvertGoesBothWays) {
    const std::string a = even("a.exr", 0.25F);
    expectDone({"convert", a, "-o", path("a.png"), "--tonemap", "linear", "--exposure", "1"});
    EXPECT_NEAR(pixel(readPng(path("a.png")), 0, 0)[0], 0.5, 0.005);
    expectDone({"convert", path("a.png"), "-o", path("back.exr")});
    EXPECT_EQ(largestDifference(readExr(path("back.exr")), readPng(path("a.png"))), 0.0);
    expectDone({"convert", a, "-o", path("copy.exr")});
    EXPECT_EQ(largestDifference(readExr(path("copy.exr")), readExr(a)), 0.0);
    EXPECT_EQ(readExr(path("copy.exr")).attributes.at("aureole.seed"), "42");
    // A PNG is display-referred: without being asked for, nothing is mapped.
    expectDone({"convert", path("a.png"), "-o", path("same.png")});
    EXPECT_EQ(largestDifference(readPng(path("same.png")), readPng(path("a.png"))), 0.0);
    // Filmic by default.
    expectDone({"convert", a, "-o", path("default.png")});
    expectDone({"convert", a, "-o", path("filmic.png"), "--tonemap", "filmic"});
    EXPECT_EQ(largestDifference(readPng(path("default.png")), readPng(path("filmic.png"))), 0.0);
    EXPECT_GT(std::abs(pixel(readPng(path("default.png")), 0, 0)[0] - 0.25F), 0.01F);
}

TEST_F(ImageCommandsTest, InfoDescribesImages) {
    const std::string a = even("a.exr", 0.25F);
    const nlohmann::json info = nlohmann::json::parse(expectDone({"info", a, "--json"}).out);
    EXPECT_EQ(info.at("kind"), "image");
    EXPECT_EQ(info.at("width"), 16);
    EXPECT_EQ(info.at("height"), 12);
    EXPECT_EQ(info.at("attributes").at("aureole.seed"), "42");
    ASSERT_EQ(info.at("channels").size(), 3U);
    for (const nlohmann::json& channel : info.at("channels")) {
        EXPECT_EQ(channel.at("mean"), 0.25);
        EXPECT_EQ(channel.at("not_finite"), 0);
    }
    const std::string text = expectDone({"info", a}).out;
    EXPECT_NE(text.find("aureole.seed"), std::string::npos) << text;
    EXPECT_NE(text.find("0.25"), std::string::npos) << text;
}

TEST_F(ImageCommandsTest, InfoDescribesScenes) {
    const std::string scene = write("scene.json", boxScene());
    const nlohmann::json info = nlohmann::json::parse(expectDone({"info", scene, "--json"}).out);
    EXPECT_EQ(info.at("kind"), "scene");
    EXPECT_EQ(info.at("triangles"), 12);
    EXPECT_EQ(info.at("mesh_instances"), 1);
    EXPECT_EQ(info.at("resolution"), 16);
    EXPECT_EQ(info.at("cameras"), nlohmann::json({"front", "back"}));
    EXPECT_NE(expectDone({"info", scene}).out.find("front"), std::string::npos);
}

} // namespace

} // namespace aureole
