#include "bench/picture_pair.h"

#include <vector>

#include <gtest/gtest.h>

namespace aureole::bench {

namespace {

/// A picture of other values in each pixel, which PNG holds exactly.
Image gradient(std::uint32_t width, std::uint32_t height) {
    Image image = makeImage(width, height, {"R", "G", "B"});
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        image.channels[i % 3].values[i] = static_cast<float>(i) / static_cast<float>(image.pixelCount());
    }
    return image;
}

TEST(PicturePair, IsShrunkByWholeBlocks) {
    Image image = makeImage(9, 4, {"R", "G", "B"});
    image.channels[0].values = {0, 2, 1, 1, 0, 0, 0, 0, 9, 4, 6, 1, 1, 0, 0, 0, 0, 9,
                                0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 9};
    const Image shrunk = shrunkTo(image, 5);
    EXPECT_EQ(shrunk.width, 4U) << "a block of one pixel's width is left out";
    EXPECT_EQ(shrunk.height, 2U);
    EXPECT_EQ(shrunk.channels[0].values, (std::vector<float>{3, 1, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(shrunkTo(image, 9).channels[0].values, image.channels[0].values);
}

TEST(PicturePair, EqualPicturesHaveNoDifference) {
    const Image image = gradient(12, 12);
    const PicturePair same = compared("t", "", {"a", image}, {"b", image});
    EXPECT_FALSE(same.difference.has_value());
    EXPECT_NE(same.note.find("equal"), std::string::npos);
    Image other = image;
    other.channels[1].values[40] = 1.0F;
    const PicturePair pair = compared("t", "", {"a", image}, {"b", other});
    ASSERT_TRUE(pair.difference.has_value());
    EXPECT_EQ(pair.difference->image.width, 12U);
    EXPECT_NE(pair.note.find("FLIP"), std::string::npos);
}

} // namespace

} // namespace aureole::bench
