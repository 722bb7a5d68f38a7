#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/png/png.h"

namespace aureole {

namespace {

std::string bigEndian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
    }
    return bytes;
}

/// A chunk of a PNG file, with its checksum (PNG specification, annex D).
std::string chunk(const std::string& typeAndData) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : typeAndData) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
        }
    }
    return bigEndian(static_cast<std::uint32_t>(typeAndData.size() - 4)) + typeAndData + bigEndian(~crc);
}

/// A PNG file with gAMA as its only word about colours.
std::string withGammaChunk(const std::string& file, std::uint32_t gamma) {
    constexpr std::size_t kHead = 8 + 25; // signature and IHDR
    const std::size_t data = file.find("IDAT") - 4;
    return file.substr(0, kHead) + chunk("gAMA" + bigEndian(gamma)) + file.substr(data);
}

class ImageCommandsTest : public CliTest {
protected:
    std::string read(const std::string& name) const {
        std::ifstream stream(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

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

/// As the PNG specification has it (13.13): sRGB before gAMA, and neither means sRGB.
TEST_F(ImageCommandsTest, ConvertHonoursTheGammaOfAPng) {
    Image image = makeImage(1, 1, {"Y"});
    image.channels[0].values = {0.5F}; // stored as 188 of 255, or in linear files as 128
    const auto linearValue = [&](const std::string& file) {
        expectDone({"convert", file, "-o", path("out.exr")});
        return double{readExr(path("out.exr")).channels.at(0).values.at(0)};
    };
    const auto withGamma = [&](const char* name, std::uint32_t gamma) {
        writePng(path("srgb.png"), image);
        return write(name, withGammaChunk(read("srgb.png"), gamma));
    };
    const double stored = 188.0 / 255.0;
    writePng(path("srgb.png"), image);
    EXPECT_NEAR(linearValue(path("srgb.png")), 0.5, 0.003);
    EXPECT_NEAR(linearValue(withGamma("usual.png", 45455)), 0.5, 0.003) << "which stands for sRGB";
    EXPECT_NEAR(linearValue(withGamma("linear.png", 100000)), stored, 1e-6);
    EXPECT_NEAR(linearValue(withGamma("mac.png", 55556)), std::pow(stored, 1.8), 1e-4);
    writePng(path("wrote.png"), image, {.transfer = PngTransfer::Linear});
    EXPECT_NEAR(linearValue(path("wrote.png")), 128.0 / 255.0, 1e-6) << "of our own, which say so";
}

TEST_F(ImageCommandsTest, InfoDescribesImages) {
    const std::string a = even("a.exr", 0.25F);
    const nlohmann::json info = parseJson(expectDone({"info", a, "--json"}).out);
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
    const nlohmann::json info = parseJson(expectDone({"info", scene, "--json"}).out);
    EXPECT_EQ(info.at("kind"), "scene");
    EXPECT_EQ(info.at("triangles"), 12);
    EXPECT_EQ(info.at("mesh_instances"), 1);
    EXPECT_EQ(info.at("resolution"), 16);
    EXPECT_EQ(info.at("cameras"), nlohmann::json({"front", "back"}));
    EXPECT_NE(expectDone({"info", scene}).out.find("front"), std::string::npos);
    const Arguments set = {"info", scene, "--json", "--set", "/voxels/resolution=24", "--set", "/instances/block=null"};
    const nlohmann::json changed = parseJson(expectDone(set).out);
    EXPECT_EQ(changed.at("resolution"), 24);
    EXPECT_EQ(changed.at("mesh_instances"), 0);
    expectFailure(kUsage, {"info", even("a.exr", 0.25F), "--set", "/film/size=[1,1]"}, {"--set", "a.exr"});
}

} // namespace

} // namespace aureole
