// Bilinear sampling of a state, on the CPU against its definition and on the device against the CPU.

#include <cmath>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "model_of.h"
#include "texture/gray_scott_sample.h"
#include "texture/gray_scott_solver.h"
#include "texture/start_state.h"

namespace aureole::texture {
namespace {

TEST(SampledTest, TheSameSizeIsTheSameState) {
    const GrayScott model = modelOf(7, 5, Border::Clamped);
    const Concentrations state = startState(model, {.seed = 3, .spots = 3, .radius = 1.5F});
    EXPECT_EQ(sampled(model, state, 7, 5), state);
}

TEST(SampledTest, TwiceTheSizeLiesAQuarterOfACellFromTheMiddles) {
    const GrayScott model = modelOf(3, 1, Border::Clamped);
    const Concentrations state = {{0.0F, 0.0F}, {1.0F, 0.0F}, {0.0F, 8.0F}};
    const Concentrations found = sampled(model, state, 6, 2);
    const std::vector<glm::vec2> row = {{0.0F, 0.0F},  {0.25F, 0.0F}, {0.75F, 0.0F},
                                        {0.75F, 2.0F}, {0.25F, 6.0F}, {0.0F, 8.0F}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i], row[i % 6]) << i;
    }
}

TEST(SampledTest, APeriodicPlaneIsMixedWithItsOtherSide) {
    const GrayScott model = modelOf(2, 1, Border::Periodic);
    const Concentrations found = sampled(model, {{0.0F, 0.0F}, {1.0F, 4.0F}}, 4, 1);
    const Concentrations expected = {{0.25F, 1.0F}, {0.25F, 1.0F}, {0.75F, 3.0F}, {0.75F, 3.0F}};
    EXPECT_EQ(found, expected);
}

class SampledOnDeviceTest : public gpu::GpuTest {};

TEST_F(SampledOnDeviceTest, EqualsTheCpu) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        for (const Storage storage : {Storage::Float, Storage::Half}) {
            const GrayScott model = modelOf(37, 22, border);
            GrayScottSolver solver(device(), model, storage, {.lanesX = 8, .lanesY = 4, .rows = 4, .fused = 2});
            solver.setState(startState(model, {.seed = 3, .spots = 9, .radius = 4.0F}));
            solver.run(3);
            const Concentrations state = solver.state();
            for (const auto& [width, height] : {std::pair{37U, 22U}, std::pair{101U, 9U}, std::pair{5U, 90U}}) {
                const Concentrations expected = sampled(model, state, width, height);
                const Concentrations found = solver.sampled(width, height);
                ASSERT_EQ(found.size(), expected.size());
                for (std::size_t i = 0; i < found.size(); ++i) {
                    ASSERT_LE(glm::length(found[i] - expected[i]), 2e-6F) << width << "x" << height << ", " << i;
                }
            }
        }
    }
}

} // namespace
} // namespace aureole::texture
