// Emissive voxels as lights: what is drawn has the densities that are claimed for it, chance finds it with the same
// densities, and its mean is Lambert's.

#include <array>
#include <cmath>
#include <span>

#include "chi_square.h"
#include "cpu_paths.h"
#include "gpu_test/gpu_test.h"
#include "integrator/path_setup.h"
#include "test_render_shaders.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/emitter_rectangles.h"

namespace aureole {
namespace {

/// A lamp of voxels, and what lights it: nothing else does.
class Emitters : public CpuPaths {
protected:
    /// A box of emissive voxels from `low` on in a grid of 16 voxels a side, or of 256.
    void useLamp(const glm::uvec3& low, const glm::uvec3& size, std::uint32_t levels = 2) {
        std::vector<glm::uvec3> voxels;
        for (std::uint32_t i = 0; i < size.x * size.y * size.z; ++i) {
            voxels.push_back(low + glm::uvec3(i % size.x, i / size.x % size.y, i / size.x / size.y));
        }
        Octree octree = octreeOf(levels, voxels);
        octree.palette = emissivePalette({glm::vec3(2.0F, 1.5F, 1.0F)});
        octree.materialRuns = singleRun(2);
        for (shared::VoxelAttributes& attributes : octree.attributes) {
            attributes.shading |= 1U << ATTRIBUTE_MATERIAL_SHIFT;
        }
        arrays_ = makeEmitterRectangles(octree, collectEmissiveFaces(octree));
        use(std::move(octree));
        tables_.rectangles = reinterpret_cast<std::uint64_t>(arrays_.rectangles.data());
        tables_.choice = reinterpret_cast<std::uint64_t>(arrays_.choice.data());
        tables_.planes = reinterpret_cast<std::uint64_t>(arrays_.planes.data());
        tables_.rows = reinterpret_cast<std::uint64_t>(arrays_.rows.data());
        std::copy(arrays_.sides.begin(), arrays_.sides.end(), tables_.sides);
        params_.emitters = reinterpret_cast<std::uint64_t>(&tables_);
        light_.type = LIGHT_SURFACES;
        light_.probability = 0.75F;
        params_.path.lights.lights = reinterpret_cast<std::uint64_t>(&light_);
        params_.path.lights.lightCount = 1;
    }

    glm::vec2 pair() { return {numbers_.number(0.0F, 0.9999999F), numbers_.number(0.0F, 0.9999999F)}; }

    /// `point` in voxels.
    shared::LightSample draw(const glm::vec3& point, shared::EmitterRectangle& target) {
        const glm::vec2 u = pair();
        return shared::sampleEmitter(params(), glm::vec3(1.0F) + point * params_.voxelSize,
                                     {numbers_.bits(32), numbers_.bits(32)}, {u, pair().x}, target);
    }

    /// The density of what a ray hits.
    double chance(const glm::vec3& point, const glm::vec3& direction) const {
        shared::VoxelPath state = pathFrom(point, direction);
        Met met;
        if (!follow(state, met)) {
            return 0.0;
        }
        const glm::vec3 normal = shared::faceNormal(met.hit.face);
        return shared::emitterPdf(params(), glm::vec3(1.0F) + point * params_.voxelSize, met.hit,
                                  shared::emissionLuminance({2.0F, 1.5F, 1.0F}), -glm::dot(normal, direction));
    }

    EmitterArrays arrays_;
    shared::EmitterTables tables_{};
    shared::Light light_{};
};

/// Below, beside and almost at the lamp, and where only one of its sides is seen.
constexpr std::array kPoints = {glm::vec3(3.3F, 1.1F, 2.7F), glm::vec3(14.2F, 8.5F, 8.4F), glm::vec3(8.1F, 9.04F, 8.3F),
                                glm::vec3(1.0F, 15.5F, 1.5F)};

TEST_F(Emitters, ChanceFindsWhatIsDrawnWithItsDensity) {
    useLamp({5, 6, 4}, {6, 3, 9});
    for (const glm::vec3& point : kPoints) {
        // Over boxes of the sphere, a fine grid in each: the lamp's edges run through them.
        constexpr int kColumns = 20;
        constexpr int kRows = 40;
        constexpr int kFine = 24;
        constexpr int kDraws = 20000;
        std::vector<double> drawn(std::size_t{kColumns} * kRows);
        int wrong = 0;
        for (int i = 0; i < kDraws; ++i) {
            shared::EmitterRectangle target{};
            const shared::LightSample s = draw(point, target);
            ASSERT_GT(s.pdf, 0.0F);
            // At its edges rounding decides.
            wrong += std::abs(chance(point, s.direction) / double{s.pdf} - 1.0) < 1e-3 ? 0 : 1;
            const glm::dvec2 at = (toSphereGrid(s.direction) + glm::dvec2(1.0, kPi)) / glm::dvec2(2.0, 2.0 * kPi);
            const int column = std::min(static_cast<int>(at.x * kColumns), kColumns - 1);
            const int row = std::min(static_cast<int>(at.y * kRows), kRows - 1);
            drawn[static_cast<std::size_t>(column * kRows + row)] += 1.0;
        }
        EXPECT_LT(wrong, 5);
        std::vector<double> expected(drawn.size());
        double integral = 0.0;
        for (int i = 0; i < kColumns * kFine; ++i) {
            for (int j = 0; j < kRows * kFine; ++j) {
                const glm::dvec2 at(2.0 * (i + 0.5) / (kColumns * kFine) - 1.0,
                                    kPi * (2.0 * (j + 0.5) / (kRows * kFine) - 1.0));
                const double share = chance(point, fromSphereGrid(at)) / double{light_.probability} * 4.0 * kPi /
                                     (double{kColumns} * kRows * kFine * kFine);
                expected[static_cast<std::size_t>(i / kFine * kRows + j / kFine)] += kDraws * share;
                integral += share;
            }
        }
        EXPECT_NEAR(integral, 1.0, 5e-3) << point.x;
        const ChiSquare test = chiSquare(drawn, expected);
        EXPECT_GT(test.probability, significanceOf(kPoints.size()))
            << point.x << ": " << test.statistic << " / " << test.degrees;
    }
}

/// A face that another voxel covers is not drawn, and has no density.
TEST_F(Emitters, SeeNothingFromBehind) {
    useLamp({5, 6, 4}, {6, 3, 9});
    const EmissiveFace bottom{{5, 6, 4}, 2, 1};
    arrays_ = makeEmitterRectangles(octree_, {bottom});
    tables_.planes = reinterpret_cast<std::uint64_t>(arrays_.planes.data());
    tables_.rows = reinterpret_cast<std::uint64_t>(arrays_.rows.data());
    tables_.rectangles = reinterpret_cast<std::uint64_t>(arrays_.rectangles.data());
    tables_.choice = reinterpret_cast<std::uint64_t>(arrays_.choice.data());
    std::copy(arrays_.sides.begin(), arrays_.sides.end(), tables_.sides);
    shared::EmitterRectangle target{};
    EXPECT_EQ(draw({3.0F, 9.5F, 3.0F}, target).pdf, 0.0F);
    EXPECT_EQ(draw({3.0F, 6.0F, 3.0F}, target).pdf, 0.0F);
    EXPECT_GT(draw({3.0F, 5.9F, 3.0F}, target).pdf, 0.0F);
    EXPECT_GT(chance({5.5F, 1.0F, 4.5F}, {0.0F, 1.0F, 0.0F}), 0.0);
    EXPECT_EQ(chance({6.5F, 1.0F, 4.5F}, {0.0F, 1.0F, 0.0F}), 0.0);
}

/// Lambert's formula for the irradiance from a polygon of radiance 1 on a plane through `point` that faces +Y, which
/// sees all of it (1760; Baum, Rushmeier and Winget 1989).
double lambert(const glm::dvec3& point, const std::array<glm::dvec3, 4>& corners) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        const glm::dvec3 a = glm::normalize(corners[i] - point);
        const glm::dvec3 b = glm::normalize(corners[(i + 1) % 4] - point);
        const glm::dvec3 normal = glm::cross(a, b);
        sum += std::atan2(glm::length(normal), glm::dot(a, b)) * glm::normalize(normal).y;
    }
    return std::abs(0.5 * sum);
}

/// From far below, near, almost touched, and far to one side, over a plate and a long tube; on a large grid as well.
TEST_F(Emitters, LightAsLambertSays) {
    struct Lamp {
        glm::uvec3 low;
        glm::uvec3 size;
        std::uint32_t levels;
        glm::vec3 point; ///< below it, so that its lower side is all that the plane sees, or its right one too
    };
    const std::array lamps = {
        Lamp{{5, 12, 5}, {6, 2, 6}, 2, {7.5F, 0.5F, 8.2F}},    Lamp{{5, 12, 5}, {6, 2, 6}, 2, {9.3F, 11.9F, 6.1F}},
        Lamp{{5, 12, 5}, {6, 2, 6}, 2, {7.4F, 11.999F, 5.1F}}, Lamp{{0, 3, 0}, {1, 1, 200}, 4, {0.5F, 2.0F, 100.3F}},
        Lamp{{0, 250, 0}, {200, 2, 1}, 4, {3.5F, 1.0F, 0.6F}}, Lamp{{5, 12, 5}, {6, 2, 6}, 2, {15.8F, 11.0F, 8.0F}},
    };
    for (const Lamp& lamp : lamps) {
        useLamp(lamp.low, lamp.size, lamp.levels);
        const glm::dvec3 low(lamp.low);
        const glm::dvec3 high(lamp.low + lamp.size);
        double expected =
            lambert(lamp.point, {low, {high.x, low.y, low.z}, {high.x, low.y, high.z}, {low.x, low.y, high.z}});
        if (double{lamp.point.x} > high.x) {
            expected += lambert(
                lamp.point, {glm::dvec3(high.x, low.y, low.z), {high.x, high.y, low.z}, high, {high.x, low.y, high.z}});
        }
        constexpr int kDraws = 100000;
        double sum = 0.0;
        double squares = 0.0;
        for (int i = 0; i < kDraws; ++i) {
            shared::EmitterRectangle target{};
            const shared::LightSample s = draw(lamp.point, target);
            const double value =
                s.pdf > 0.0F ? double{light_.probability} * std::max(s.direction.y, 0.0F) / double{s.pdf} : 0.0;
            sum += value / kDraws;
            squares += value * value / kDraws;
        }
        const double error = std::sqrt(std::max(squares - sum * sum, 0.0) / kDraws);
        EXPECT_LT(error, 0.006 * expected);
        EXPECT_NEAR(sum, expected, 3.0 * error + 1e-5 * expected) << lamp.point.x << ' ' << lamp.point.y;
    }
}

struct SeenPush {
    std::uint64_t rectangles;
    std::uint32_t count;
};

class SeenRectangles : public gpu::GpuTest {};

/// Up to what a few roundings make of it: a device may fuse multiplications and additions.
TEST_F(SeenRectangles, AreSampledOnTheDeviceAsOnTheHost) {
    constexpr std::uint32_t kCount = 8192;
    Numbers numbers;
    std::vector<glm::vec2> values;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const glm::vec2 low(numbers.number(-1.0F, 0.5F), numbers.number(-1.0F, 0.5F));
        const glm::vec2 size(std::exp(numbers.number(-7.0F, 0.0F)), std::exp(numbers.number(-7.0F, 0.0F)));
        values.insert(values.end(), {low,
                                     low + size,
                                     {std::exp(numbers.number(-10.0F, 0.0F)), 0.0F},
                                     {numbers.number(0.0F, 1.0F), numbers.number(0.0F, 1.0F)},
                                     {},
                                     {}});
    }
    const gpu::Pipeline pipeline = device().createPipeline(
        {.name = "seen_rectangles", .shader = shaders::seen_rectangles(), .pushConstantBytes = sizeof(SeenPush)});
    const gpu::Buffer buffer = device().createBufferWith(std::span<const glm::vec2>(values), "rectangles");
    gpu::CommandEncoder commands = device().encoder();
    commands.dispatch(pipeline, SeenPush{buffer.address(), kCount}, kCount / 64);
    device().submit(std::move(commands)).wait();
    device().download(buffer, 0, std::as_writable_bytes(std::span(values)));
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const glm::vec2* const v = &values[6 * std::size_t{i}];
        const shared::SeenRectangle seen{v[0], v[1], v[2].x};
        const glm::vec2 point = shared::sampleSeenRectangle(seen, v[3]);
        const glm::vec2 apart = glm::abs(point - v[4]) / (seen.high - seen.low);
        ASSERT_LT(std::max(apart.x, apart.y), 2e-3F) << i;
        const float distance = std::sqrt(glm::dot(point, point) + seen.height * seen.height);
        const float pdf = shared::seenRectanglePdf(seen, distance, seen.height / distance);
        ASSERT_NEAR(v[5].x / pdf, 1.0F, 1e-3F) << i;
    }
}

} // namespace
} // namespace aureole
