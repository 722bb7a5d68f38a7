#include "core/suggest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Suggest, FindsSlipsAndOnlySlips) {
    const std::vector<std::string> names = {"albedo", "emission", "roughness"};
    EXPECT_EQ(nearestName("albdeo", names), "albedo");
    EXPECT_EQ(nearestName("roughnes", names), "roughness");
    EXPECT_EQ(nearestName("turbidity", names), "");
    const std::vector<std::string> brief = {"c", "m", "obj", "back"};
    EXPECT_EQ(nearestName("zz", brief), "") << "nothing of it is there";
    EXPECT_EQ(nearestName("x", brief), "");
    EXPECT_EQ(nearestName("ojb", brief), "obj");
    EXPECT_EQ(nearestName("bak", brief), "back");
    EXPECT_EQ(didYouMean("emision", names), " (did you mean 'emission'?)");
}

/// Distances take the product of the lengths: hours for such words.
TEST(Suggest, LooksForNothingNearAWordThatNobodyTypes) {
    const std::string name(4'000'000, 'a');
    EXPECT_EQ(nearestName(std::string(4'000'000, 'b'), std::vector{name}), "");
    EXPECT_EQ(nearestName(std::string(250, 'b'), std::vector{name}), "");
    EXPECT_EQ(nearestName(name.substr(0, 250), std::vector{name.substr(0, 251)}), name.substr(0, 251));
}

TEST(Suggest, FindsPartsAndInitials) {
    const std::vector<std::string> keys = {"far", "verticalFov", "lightGroup", "samplesPerPixel", "albedo", "scale"};
    EXPECT_EQ(nearestName("fov", keys), "verticalFov") << "not 'far', of which as many letters are another's";
    EXPECT_EQ(nearestName("FOV", keys), "verticalFov");
    EXPECT_EQ(nearestName("group", keys), "lightGroup");
    EXPECT_EQ(nearestName("spp", keys), "samplesPerPixel");
    EXPECT_EQ(nearestName("albedoColour", keys), "albedo");
    EXPECT_EQ(nearestName("fr", keys), "far") << "a slip comes first";
    const std::vector<std::string> options = {"--max-depth", "--time", "--tonemap"};
    EXPECT_EQ(nearestName("--depth", options), "--max-depth");
    EXPECT_EQ(nearestName("--time-limit", options), "--time");
    EXPECT_EQ(nearestName("--", options), "");
}

} // namespace
} // namespace aureole
