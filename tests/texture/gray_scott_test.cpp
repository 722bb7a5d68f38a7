// The Gray-Scott model on the device against a reference in double, and what every run of it keeps.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "model_of.h"
#include "texture/gray_scott.h"
#include "texture/gray_scott_reference.h"
#include "texture/gray_scott_solver.h"

namespace aureole::texture {
namespace {

constexpr GrayScottTiling kSmall{.lanesX = 8, .lanesY = 4, .rows = 4, .fused = 3};

/// A labyrinth in the making: noisy patches in a plane of U.
Concentrations patches(const GrayScott& model, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> noise(0.99F, 1.01F);
    Concentrations state(std::size_t{model.width} * model.height, glm::vec2(0.0F));
    for (std::uint32_t i = 0; i < std::max(1U, model.width * model.height / 400); ++i) {
        const auto x0 = static_cast<std::uint32_t>(random() % model.width);
        const auto y0 = static_cast<std::uint32_t>(random() % model.height);
        for (std::uint32_t y = y0; y < std::min(y0 + 6, model.height); ++y) {
            for (std::uint32_t x = x0; x < std::min(x0 + 6, model.width); ++x) {
                state[std::size_t{y} * model.width + x] = noise(random) * glm::vec2(0.5F, 0.25F);
            }
        }
    }
    return state;
}

class GrayScottTest : public gpu::GpuTest {
protected:
    static Concentrations run(const GrayScott& model, const Concentrations& start, std::uint32_t steps,
                              Storage storage = Storage::Float, const GrayScottTiling& tiling = kSmall) {
        GrayScottSolver solver(device(), model, storage, tiling);
        solver.setState(start);
        solver.run(steps);
        return solver.state();
    }

    /// The largest difference from the reference in any value, after so many steps in all.
    static double error(const GrayScott& model, std::uint32_t steps, Storage storage,
                        const GrayScottTiling& tiling = kSmall) {
        const Concentrations start = patches(model, model.width);
        GrayScottReference reference(model, start);
        reference.run(steps);
        const std::vector<glm::dvec2> expected = reference.state();
        const Concentrations found = run(model, start, steps, storage, tiling);
        double worst = 0.0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (int c = 0; c < 2; ++c) {
                const double difference = std::abs(static_cast<double>(found[i][c]) - expected[i][c]);
                worst = difference >= worst || std::isnan(difference) ? difference : worst;
            }
        }
        return worst;
    }

    static bool sameBytes(const Concentrations& a, const Concentrations& b) {
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
    }
};

/// Rates that change from the left to the right, as in Pearson's map of patterns.
void vary(GrayScott& model) {
    for (std::uint32_t i = 0; i < model.width * model.height; ++i) {
        const float x = static_cast<float>(i % model.width) / static_cast<float>(model.width);
        const float y = static_cast<float>(i) / static_cast<float>(model.width * model.height);
        model.varying.push_back({0.02F + 0.04F * y, 0.05F + 0.015F * x});
    }
}

TEST_F(GrayScottTest, EqualsTheReferenceInDouble) {
    const std::array sizes = {std::pair{97U, 61U}, std::pair{24U, 10U}, std::pair{3U, 50U}, std::pair{1U, 1U}};
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        for (const auto& [width, height] : sizes) {
            const GrayScott model = modelOf(width, height, border);
            for (const std::uint32_t steps : {1U, 10U, 1000U}) {
                SCOPED_TRACE(fmt::format("{}x{}, {} steps", width, height, steps));
                EXPECT_LE(error(model, steps, Storage::Float), steps < 100 ? 1e-6 : 5e-5);
                EXPECT_LE(error(model, steps, Storage::Half), steps < 100 ? 1e-3 : 1e-2);
            }
        }
    }
}

TEST_F(GrayScottTest, RatesMayVaryOverThePlane) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        GrayScott model = modelOf(70, 45, border);
        vary(model);
        for (const std::uint32_t steps : {1U, 10U, 1000U}) {
            SCOPED_TRACE(steps);
            EXPECT_LE(error(model, steps, Storage::Float), steps < 100 ? 1e-6 : 5e-5);
        }
        // They do something.
        const Concentrations start = patches(model, 1);
        EXPECT_FALSE(sameBytes(run(model, start, 10), run(modelOf(70, 45, border), start, 10)));
    }
}

TEST_F(GrayScottTest, EveryTilingGivesTheSameBits) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        for (const bool varies : {false, true}) {
            GrayScott model = modelOf(75, 41, border);
            if (varies) {
                vary(model);
            }
            const Concentrations start = patches(model, 7);
            const GrayScottTiling untiled{.lanesX = 8, .lanesY = 4, .tiled = false};
            const Concentrations expected = run(model, start, 29, Storage::Float, untiled);
            for (const std::uint32_t rows : {1U, 2U, 4U, 8U, 16U}) {
                for (const std::uint32_t fused : {1U, 5U}) {
                    // Lavapipe's compiler takes long over each.
                    const bool isOthersTurn = (rows > 2) == (border == Border::Periodic);
                    if ((varies && rows != 2) || (!varies && !fullSweep() && isOthersTurn)) {
                        continue;
                    }
                    const GrayScottTiling tiling{.lanesX = 8, .lanesY = 16 / rows + 4, .rows = rows, .fused = fused};
                    ASSERT_EQ(whyNoTiling(device().info(), tiling), "");
                    EXPECT_TRUE(sameBytes(run(model, start, 29, Storage::Float, tiling), expected))
                        << rows << " rows, " << fused << " steps fused, varying " << varies;
                }
            }
        }
    }
}

/// Offsets of up to some cells, over the borders too.
void warp(GrayScott& model, std::uint32_t every) {
    for (std::uint32_t i = 0; i < model.width * model.height; ++i) {
        const auto x = static_cast<float>(i % model.width);
        const auto y = static_cast<float>(i / model.width);
        model.warp.emplace_back(2.5F * std::sin(0.3F * y), 0.7F * std::cos(0.2F * x) - 0.4F);
    }
    model.warpEvery = every;
}

/// Rates that grow from step to step, for so many.
void grow(GrayScott& model, std::uint32_t steps) {
    model.rates = {0.01F, 0.04F};
    for (std::uint32_t i = 0; i < steps; ++i) {
        model.overTime.push_back({0.03F * static_cast<float>(i) / static_cast<float>(steps), 0.02F});
    }
}

TEST_F(GrayScottTest, WarpsAndRatesOverTimeEqualTheReference) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        for (const std::uint32_t every : {1U, 4U}) {
            GrayScott model = modelOf(47, 35, border);
            warp(model, every);
            grow(model, 60); // and then stay
            // Not for as long as without warps: what is stretched and folded soon differs by more than it began with.
            for (const std::uint32_t steps : {1U, 10U, 70U}) {
                SCOPED_TRACE(fmt::format("every {}, {} steps", every, steps));
                EXPECT_LE(error(model, steps, Storage::Float), steps <= 10 ? 2e-6 : 5e-5);
                EXPECT_LE(error(model, steps, Storage::Half), steps <= 10 ? 2e-3 : 2e-2);
            }
        }
    }
    // They do something.
    GrayScott warped = modelOf(47, 35, Border::Periodic);
    warp(warped, 1);
    GrayScott grown = modelOf(47, 35, Border::Periodic);
    grow(grown, 60);
    const Concentrations start = patches(grown, 1);
    const Concentrations plain = run(modelOf(47, 35, Border::Periodic), start, 10);
    EXPECT_FALSE(sameBytes(run(warped, start, 10), plain));
    EXPECT_FALSE(sameBytes(run(grown, start, 10), plain));
}

/// A whole number of cells along each axis moves the plane, and changes nothing in it.
TEST_F(GrayScottTest, AWarpByWholeCellsMovesThePlane) {
    GrayScott model = modelOf(40, 24, Border::Periodic);
    const Concentrations start = patches(model, 5);
    const Concentrations still = run(model, start, 12);
    model.warp.assign(start.size(), glm::vec2(3.0F, -2.0F));
    model.warpEvery = 6;
    const Concentrations moved = run(model, start, 12); // twice
    for (std::uint32_t y = 0; y < 24; ++y) {
        for (std::uint32_t x = 0; x < 40; ++x) {
            ASSERT_EQ(moved[y * 40 + x], still[(y + 24 - 4) % 24 * 40 + (x + 6) % 40]) << x << ' ' << y;
        }
    }
}

TEST_F(GrayScottTest, EveryTilingWarpsAndGrowsToTheSameBits) {
    GrayScott model = modelOf(75, 41, Border::Clamped);
    vary(model);
    warp(model, 3);
    model.overTime.clear();
    for (std::uint32_t i = 0; i < 20; ++i) {
        model.overTime.push_back({0.001F * static_cast<float>(i % 7), 0.0F});
    }
    const Concentrations start = patches(model, 7);
    const Concentrations expected = run(model, start, 29, Storage::Float, {.lanesX = 8, .lanesY = 4, .tiled = false});
    for (const GrayScottTiling& tiling : {GrayScottTiling{.lanesX = 8, .lanesY = 12, .rows = 2, .fused = 1},
                                          GrayScottTiling{.lanesX = 8, .lanesY = 12, .rows = 2, .fused = 5}, kSmall}) {
        ASSERT_EQ(whyNoTiling(device().info(), tiling), "");
        EXPECT_TRUE(sameBytes(run(model, start, 29, Storage::Float, tiling), expected)) << tiling.fused;
    }
    // In parts too.
    GrayScottSolver solver(device(), model, Storage::Float, kSmall);
    solver.setState(start);
    for (const std::uint32_t steps : {4U, 1U, 17U, 7U}) {
        solver.run(steps);
    }
    EXPECT_TRUE(sameBytes(solver.state(), expected));
}

TEST_F(GrayScottTest, HalvesAreTheSameInEveryTilingThatStoresAsOften) {
    const GrayScott model = modelOf(75, 41, Border::Clamped);
    const Concentrations start = patches(model, 7);
    const GrayScottTiling untiled{.lanesX = 8, .lanesY = 4, .tiled = false};
    const GrayScottTiling tiled{.lanesX = 8, .lanesY = 4, .rows = 4, .fused = 1};
    EXPECT_TRUE(sameBytes(run(model, start, 29, Storage::Half, tiled), run(model, start, 29, Storage::Half, untiled)));
}

TEST_F(GrayScottTest, TheSameStartGivesTheSameBytes) {
    const GrayScott model = modelOf(130, 70, Border::Periodic);
    for (const Storage storage : {Storage::Float, Storage::Half}) {
        const GrayScottTiling tiling = tilingFor(device().info());
        const Concentrations once = run(model, patches(model, 3), 50, storage, tiling);
        EXPECT_TRUE(sameBytes(once, run(model, patches(model, 3), 50, storage, tiling)));
        EXPECT_FALSE(sameBytes(once, run(model, patches(model, 4), 50, storage, tiling)));
    }
}

TEST_F(GrayScottTest, StepsMayBeTakenInParts) {
    const GrayScott model = modelOf(50, 30, Border::Periodic);
    GrayScottSolver solver(device(), model, Storage::Float, kSmall);
    solver.setState(patches(model, 3));
    for (const std::uint32_t steps : {1U, 0U, 7U, 12U}) {
        solver.run(steps);
    }
    EXPECT_TRUE(sameBytes(solver.state(), run(model, patches(model, 3), 20)));
}

/// The sum of u + v - 1 over all cells.
double surplus(const Concentrations& state) {
    double sum = 0.0;
    for (const glm::vec2& cell : state) {
        sum += static_cast<double>(cell.y) - cell.x;
    }
    return sum;
}

// The reaction turns U into V one for one, and diffusion moves both about. So without kill, what there is of both
// approaches one a cell by the factor 1 - step * feed, whatever the pattern; without feed, nothing is lost.
TEST_F(GrayScottTest, MassIsBalanced) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        for (const float feed : {0.0F, 0.01F}) {
            GrayScott model = modelOf(61, 43, border);
            model.rates = {feed, 0.0F};
            const Concentrations start = patches(model, 11);
            for (const std::uint32_t steps : {1U, 10U, 200U}) {
                SCOPED_TRACE(fmt::format("feed {}, {} steps", feed, steps));
                const double expected = surplus(start) * std::pow(1.0 - model.timeStep * feed, steps);
                // Besides what single steps round: the rounded factor, the same way at each.
                const double tolerance = model.width * model.height * (2e-7 + (feed > 0.0F ? 1e-8 * steps : 0.0));
                EXPECT_NEAR(surplus(run(model, start, steps)), expected, tolerance);
            }
        }
    }
}

// Where there is no V, a cosine keeps its shape, and each step multiplies it by what the stencil's symbol says.
TEST_F(GrayScottTest, WavesFadeAsTheStencilsSymbolSays) {
    GrayScott model = modelOf(48, 36, Border::Periodic);
    model.cellSize = 0.8F;
    const double a = 2.0 * std::acos(-1.0) * 3.0 / model.width;
    const double b = 2.0 * std::acos(-1.0) * 2.0 / model.height;
    const auto wave = [&](std::uint32_t x, std::uint32_t y) { return 0.5 + 0.3 * std::cos(a * x + b * y); };
    Concentrations start;
    for (std::uint32_t i = 0; i < model.width * model.height; ++i) {
        start.emplace_back(wave(i % model.width, i / model.width), 0.0F);
    }
    constexpr std::uint32_t kSteps = 30;
    const Concentrations found = run(model, start, kSteps);
    const double symbol = ((4 + 2 * std::cos(a)) * (4 + 2 * std::cos(b)) - 36) / (6 * 0.64);
    const double mean = std::pow(1.0 - model.rates.feed, kSteps);
    const double factor = std::pow(1.0 + static_cast<double>(model.diffusion[0]) * symbol - model.rates.feed, kSteps);
    ASSERT_GT(factor / mean, 0.001); // something is left to compare
    for (std::uint32_t i = 0; i < found.size(); ++i) {
        const double expected = 0.5 * mean + factor * (wave(i % model.width, i / model.width) - 0.5);
        ASSERT_NEAR(found[i].x, expected, 1e-6) << i;
        ASSERT_EQ(found[i].y, 0.0F);
    }
}

TEST_F(GrayScottTest, SymmetricStatesStaySymmetric) {
    for (const Border border : {Border::Periodic, Border::Clamped}) {
        for (const Storage storage : {Storage::Float, Storage::Half}) {
            const GrayScott model = modelOf(62, 39, border);
            Concentrations start = patches(model, 5);
            const auto at = [&](Concentrations& state, std::uint32_t x, std::uint32_t y) -> glm::vec2& {
                return state[std::size_t{y} * model.width + x];
            };
            for (std::uint32_t i = 0; i < start.size(); ++i) {
                const std::uint32_t x = i % model.width;
                const std::uint32_t y = i / model.width;
                at(start, x, y) = at(start, std::min(x, model.width - 1 - x), std::min(y, model.height - 1 - y));
            }
            Concentrations end = run(model, start, 300, storage);
            for (std::uint32_t i = 0; i < end.size(); ++i) {
                const std::uint32_t x = i % model.width;
                const std::uint32_t y = i / model.width;
                ASSERT_EQ(end[i], at(end, model.width - 1 - x, y)) << "columns, " << i;
                ASSERT_EQ(end[i], at(end, x, model.height - 1 - y)) << "rows, " << i;
            }
        }
    }
}

TEST_F(GrayScottTest, AFullPlaneOfUStaysSo) {
    const GrayScott model = modelOf(40, 30, Border::Periodic);
    const Concentrations empty(std::size_t{40} * 30, glm::vec2(0.0F));
    EXPECT_TRUE(sameBytes(run(model, empty, 100), empty));
}

TEST_F(GrayScottTest, TheLongestStepIsStable) {
    for (const auto& [cell, diffusion] : {std::pair{1.0F, 0.2F}, std::pair{0.25F, 0.02F}, std::pair{2.0F, 3.0F}}) {
        GrayScott model = modelOf(60, 60, Border::Periodic);
        model.diffusion = {diffusion, diffusion / 2};
        model.cellSize = cell;
        // The share of 2 that the step takes, by the formula of the paper trail and not by the code.
        const float rate = 16.0F * diffusion / (3.0F * cell * cell) + model.rates.feed + 0.25F;
        model.timeStep = 1.9999F / rate;
        for (const glm::vec2& value : run(model, patches(model, 2), 2000)) {
            ASSERT_TRUE(value.x > -0.2F && value.x < 1.2F && value.y > -0.2F && value.y < 1.2F);
        }
        model.timeStep = 2.0001F / rate;
        EXPECT_THROW(checkModel(model), Error);
    }
}

// The bound is no more careful than it has to be: where V reaches 1/2, a checkerboard grows right beyond it.
TEST(GrayScottModelTest, BeyondTheLongestStepACheckerboardGrows) {
    const double diffusion = 0.2;
    const double feed = 0.037;
    const double rate = 16.0 * diffusion / 3.0 + feed + 0.25;
    for (const double share : {0.999, 1.001}) {
        const double growth = 1.0 - share * 2.0 / rate * (diffusion * 32.0 / 6.0 + feed + 0.5 * 0.5);
        EXPECT_EQ(std::abs(growth) > 1.0, share > 1.0);
    }
}

std::string messageOf(const GrayScott& model) {
    try {
        checkModel(model);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        return error.what();
    }
    return "";
}

TEST(GrayScottModelTest, BadValuesAreNamedWithTheirRange) {
    const auto expect = [](const auto& change, const std::vector<std::string>& words) {
        GrayScott model;
        model.width = 4;
        model.height = 4;
        EXPECT_EQ(messageOf(model), "");
        change(model);
        const std::string message = messageOf(model);
        for (const std::string& word : words) {
            EXPECT_NE(message.find(word), std::string::npos) << "'" << message << "' lacks '" << word << "'";
        }
    };
    expect([](GrayScott& m) { m.width = 0; }, {"width", "found 0", "1 to 16384"});
    expect([](GrayScott& m) { m.height = 16385; }, {"height", "found 16385", "1 to 16384"});
    expect([](GrayScott& m) { m.rates.feed = -0.1F; }, {"feed", "0 to 1"});
    expect([](GrayScott& m) { m.rates.kill = NAN; }, {"kill", "nan", "0 to 1"});
    expect([](GrayScott& m) { m.diffusion[1] = -1.0F; }, {"diffusion of V", "-1"});
    expect([](GrayScott& m) { m.varying.resize(15); }, {"15", "16"});
    expect([](GrayScott& m) { m.timeStep = 2.0F; },
           {"time step", "found 2 with cells of 1", "at most 1.4", "at least 1.2"});
    expect([](GrayScott& m) { m.cellSize = 0.1F; }, {"time step", "cells of 0.1", "at most 0.018"});
    expect([](GrayScott& m) { m.timeStep = 100.0F; }, {"time step", "found 100", "at most 1.4"});
}

TEST_F(GrayScottTest, BadTilingsAreRefused) {
    const GrayScott model = modelOf(20, 20, Border::Periodic);
    const auto expect = [&](const GrayScottTiling& tiling, const std::string& words) {
        EXPECT_NE(whyNoTiling(device().info(), tiling).find(words), std::string::npos) << words;
        EXPECT_THROW(GrayScottSolver(device(), model, Storage::Float, tiling), Error);
    };
    expect({.lanesX = 0}, "found a workgroup of 0x8");
    expect({.lanesX = 4096, .lanesY = 4096}, "invocations");
    expect({.rows = 3}, "found 3 rows");
    expect({.fused = 0}, "found 0 steps");
    expect({.lanesX = 2, .lanesY = 2, .rows = 4, .fused = 4}, "found tiles of 8x8 cells");
    expect({.lanesX = 32, .lanesY = 32, .rows = 16, .fused = 1}, "");
    EXPECT_THROW(GrayScottSolver(device(), model, Storage::Float, kSmall).setState({}), Error);
}

} // namespace
} // namespace aureole::texture
