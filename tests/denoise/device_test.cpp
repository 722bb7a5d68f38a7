// The denoiser on a device beside that on the CPU.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "denoise/denoise.h"
#include "gpu_test/gpu_test.h"
#include "noisy_picture.h"

namespace aureole {
namespace {

class DenoiseDeviceTest : public gpu::GpuTest {};

/// Tiles of differing albedo, normal and depth, under a light that fades to the right.
TruePixel tiles(std::uint32_t x, std::uint32_t y) {
    TruePixel pixel;
    const auto number = static_cast<float>((x / 7 + y / 5) % 4);
    pixel.albedo = glm::vec3(0.1F + 0.2F * number, 0.5F, 0.3F);
    pixel.normal = glm::normalize(glm::vec3(number - 1.5F, 1.0F, 1.0F));
    pixel.depth = y < 5 ? 0.0F : 1.0F + 0.1F * static_cast<float>(y) + number;
    pixel.colour = pixel.albedo * (2.0F - static_cast<float>(x) / 50.0F);
    return pixel;
}

void expectSame(const std::vector<float>& found, const std::vector<float>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], expected[i], 1e-4F * std::abs(expected[i])) << i;
    }
}

TEST_F(DenoiseDeviceTest, AgreesWithTheCpu) {
    DeviceDenoiser denoiser(device());
    for (const auto& [width, height] : {std::pair{45U, 33U}, {1U, 1U}, {3U, 100U}}) { // the last one in several blocks
        const NoisyPicture picture = noisyPicture(width, height, 0.3F, tiles);
        const double before = denoiser.milliseconds();
        expectSame(denoiser.denoise(picture.input), denoiseBuiltin(picture.input));
        EXPECT_GT(denoiser.milliseconds(), before);
    }
    EXPECT_TRUE(denoiser.denoise(DenoiseInput{}).empty());
}

/// What one picture leaves in the memory must not be seen in the next.
TEST_F(DenoiseDeviceTest, PicturesOneAfterTheOtherAreThoseOfADenoiserEach) {
    const NoisyPicture first = noisyPicture(45, 33, 0.3F, tiles);
    NoisyPicture second = noisyPicture(45, 33, 0.1F, tiles);
    second.input.albedo.clear();
    second.input.depth.clear();
    DeviceDenoiser denoiser(device());
    const std::vector<float> of1 = denoiser.denoise(first.input);
    const std::vector<float> of2 = denoiser.denoise(second.input);
    EXPECT_EQ(of2, DeviceDenoiser(device()).denoise(second.input));
    denoiser.release();
    EXPECT_EQ(denoiser.denoise(first.input), of1);
}

} // namespace
} // namespace aureole
