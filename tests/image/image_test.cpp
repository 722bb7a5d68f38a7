#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "error_of.h"
#include "image/image.h"
#include "image/image_file.h"
#include "image/non_finite.h"

namespace aureole {
namespace {

using testing::errorOf;

TEST(Image, FindsAndAddsChannels) {
    Image image = makeImage(3, 2, {"R", "N.X"});
    EXPECT_EQ(image.pixelCount(), 6U);
    EXPECT_EQ(image.find("N.X")->values, std::vector<float>(6, 0.0F));
    EXPECT_EQ(image.find("N"), nullptr);
    EXPECT_EQ(image.add("A", 1.0F).values, std::vector<float>(6, 1.0F));
    EXPECT_EQ(errorOf([&] { image.add("R"); }).code, ExitCode::Internal);
}

TEST(Image, FindsItsColour) {
    const Image layered = makeImage(1, 1, {"B", "G", "R", "albedo.R"});
    EXPECT_EQ(layered.rgb("x")[0]->name, "R");
    EXPECT_EQ(layered.rgb("x")[2]->name, "B");
    EXPECT_EQ(makeImage(1, 1, {"Y", "A"}).rgb("x")[1]->name, "Y");
    EXPECT_EQ(makeImage(1, 1, {"depth.Z"}).rgb("x")[1]->name, "depth.Z");
    const auto caught = errorOf([] { makeImage(1, 1, {"N.X", "N.Y"}).rgb("some.exr"); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    EXPECT_TRUE(caught.names("some.exr: found the channels N.X, N.Y")) << caught.message;
}

TEST(NonFinite, CountsAndFindsTheFirst) {
    Image image = makeImage(4, 3, {"R", "G", "B"});
    EXPECT_FALSE(findNonFinite(image));
    image.find("B")->values[1] = -HUGE_VALF;
    image.find("G")->values[7] = std::nanf("");
    image.find("G")->values[11] = HUGE_VALF;
    const NonFinite found = findNonFinite(image);
    EXPECT_EQ(found.count, 3U);
    EXPECT_EQ(found.channel, "G");
    EXPECT_EQ(found.x, 3U);
    EXPECT_EQ(found.y, 1U);
    const Image grey = makeImage(1, 1, {"Y"});
    EXPECT_EQ(findNonFinite(grey.rgb("x"), 1).count, 0U);
}

TEST(NonFinite, FindsTheFirstOfSeveralRuns) {
    Image image = makeImage(300, 100, {"R", "G", "B"}); // several times kPixelsAtOnce
    for (const std::size_t pixel : {9'000U, 20'000U, 29'999U}) {
        image.find("G")->values[pixel] = HUGE_VALF;
    }
    image.find("B")->values[0] = HUGE_VALF;
    EXPECT_EQ(findNonFinite(image).describe(), "4 values that are not finite, the first in channel G at (0, 30)");
}

TEST(NonFinite, CountsAGreyChannelOnce) {
    Image grey = makeImage(1, 1, {"Y"});
    grey.channels[0].values[0] = HUGE_VALF;
    const NonFinite found = findNonFinite(grey.rgb("x"), 1);
    EXPECT_EQ(found.describe(), "1 value that is not finite, the first in channel Y at (0, 0)");
}

TEST(ImageFile, IsToldApartByExtension) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("aureole_image_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    Image image = makeImage(2, 2, {"B", "G", "R"});
    image.find("G")->values = {0.0F, 1.0F, 1.0F, 0.0F};
    for (const char* name : {"a.exr", "a.png", "b.EXR", "b.PNG"}) {
        writeImage(folder / name, image);
        EXPECT_EQ(readImage(folder / name).find("G")->values, image.find("G")->values) << name;
    }
    std::filesystem::remove_all(folder);
}

TEST(ImageFile, NamesTheFormatsKnown) {
    const auto wrong = errorOf([] { writeImage("out.exx", makeImage(1, 1, {"Y"})); });
    EXPECT_EQ(wrong.code, ExitCode::Usage);
    EXPECT_TRUE(wrong.names("'.exx', expected an image file ending in .exr or .png")) << wrong.message;
    EXPECT_TRUE(wrong.names("did you mean '.exr'")) << wrong.message;
    EXPECT_EQ(errorOf([] { readImage("kernel.jpg"); }).code, ExitCode::BadInput);
    EXPECT_TRUE(errorOf([] { readImage("kernel"); }).names("no extension"));
}

} // namespace
} // namespace aureole
