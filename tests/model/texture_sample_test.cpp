#include "model/texture_sample.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(SampleTexture, DecodesBeforeItFilters) {
    Texture texture;
    texture.width = 2;
    texture.height = 1;
    texture.rgba = {0, 0, 0, 0, 255, 255, 255, 255};
    TextureSlot slot;
    slot.texture = 0;
    slot.srgb = true;
    slot.wrap = {Wrap::Clamp, Wrap::Clamp};
    // Halfway between black and white in linear light, not the sRGB code of one half.
    EXPECT_NEAR(sampleTexture(texture, slot, {0.5F, 0.5F}).x, 0.5F, 1e-6);
    texture.rgba = {128, 128, 128, 128, 128, 128, 128, 128};
    EXPECT_NEAR(sampleTexture(texture, slot, {0.3F, 0.5F}).y, 0.21586F, 1e-5);
    EXPECT_NEAR(sampleTexture(texture, slot, {0.3F, 0.5F}).w, 128.0F / 255.0F, 1e-6); // never alpha
    slot.srgb = false;
    EXPECT_NEAR(sampleTexture(texture, slot, {0.3F, 0.5F}).y, 128.0F / 255.0F, 1e-6);
}

TEST(SampleTexture, Wraps) {
    Texture texture;
    texture.width = 4;
    texture.height = 1;
    for (const int value : {0, 51, 102, 255}) {
        texture.rgba.insert(texture.rgba.end(), 4, static_cast<std::uint8_t>(value));
    }
    const auto sample = [&](float u, Wrap wrap, bool nearest) {
        TextureSlot slot;
        slot.wrap = {wrap, Wrap::Repeat};
        slot.nearest = nearest;
        return sampleTexture(texture, slot, {u, 0.5F}).x * 255.0F;
    };
    // Nearest: texel i covers [i/4, (i+1)/4).
    EXPECT_NEAR(sample(0.30F, Wrap::Repeat, true), 51.0F, 1e-3);
    EXPECT_NEAR(sample(1.30F, Wrap::Repeat, true), 51.0F, 1e-3);
    EXPECT_NEAR(sample(-0.70F, Wrap::Repeat, true), 51.0F, 1e-3);
    EXPECT_NEAR(sample(-0.30F, Wrap::Mirror, true), 51.0F, 1e-3);
    EXPECT_NEAR(sample(1.70F, Wrap::Mirror, true), 51.0F, 1e-3);
    EXPECT_NEAR(sample(2.30F, Wrap::Mirror, true), 51.0F, 1e-3);
    EXPECT_NEAR(sample(7.00F, Wrap::Clamp, true), 255.0F, 1e-3);
    EXPECT_NEAR(sample(-7.0F, Wrap::Clamp, true), 0.0F, 1e-3);
    // Bilinear: centres at (i + 1/2)/4; on the seam half of both sides.
    EXPECT_NEAR(sample(0.25F, Wrap::Repeat, false), 25.5F, 1e-3);
    EXPECT_NEAR(sample(0.0F, Wrap::Repeat, false), 127.5F, 1e-3);
    EXPECT_NEAR(sample(1.0F, Wrap::Repeat, false), 127.5F, 1e-3);
    EXPECT_NEAR(sample(0.0F, Wrap::Mirror, false), 0.0F, 1e-3);
    EXPECT_NEAR(sample(1.0F, Wrap::Clamp, false), 255.0F, 1e-3);
    for (const Wrap wrap : {Wrap::Repeat, Wrap::Mirror, Wrap::Clamp}) {
        for (const float u : {1e30F, -1e30F, std::numeric_limits<float>::infinity(), std::nanf("")}) {
            EXPECT_TRUE(std::isfinite(sample(u, wrap, false)));
            EXPECT_TRUE(std::isfinite(sample(u, wrap, true)));
        }
    }
}

} // namespace
} // namespace aureole
