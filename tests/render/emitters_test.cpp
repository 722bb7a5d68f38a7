// Emissive voxels as lights: what is drawn has the densities that are claimed for it, chance finds it with the same
// densities, its mean is Lambert's, and little of it is drawn in vain.

#include <array>
#include <cmath>
#include <span>

#include "chi_square.h"
#include "emissive_palette.h"
#include "emitters.h"
#include "gpu_test/gpu_test.h"
#include "renders.h"
#include "test_render_shaders.h"

namespace aureole {
namespace {

/// Below, beside and almost at the lamp, and where only one of its sides is seen; in voxels of a grid of 16.
constexpr std::array kPoints = {glm::vec3(3.3F, 1.1F, 2.7F), glm::vec3(14.2F, 8.5F, 8.4F), glm::vec3(8.1F, 9.04F, 8.3F),
                                glm::vec3(1.0F, 15.5F, 1.5F)};

/// What is drawn and what chance finds, from one point.
struct Tally {
    double drawn = 0.0;   ///< directions
    double pointed = 0.0; ///< of these, those in which what is lit is met
    double wrong = 0.0;   ///< of these, those to which chance gives another density
    double lost = 0.0;    ///< share of what chance finds for which it has no density
    double integral = 0.0;
    ChiSquare test;
};

class EmitterDensities : public Emitters {
protected:
    static constexpr int kColumns = 20;
    static constexpr int kRows = 40;
    static constexpr int kDraws = 20000;

    /// `fine`: rays of chance along either side of a bin.
    Tally tally(const glm::vec3& point, int fine) {
        Tally result;
        std::vector<double> drawn(std::size_t{kColumns} * kRows);
        for (int i = 0; i < kDraws; ++i) {
            std::uint32_t target = 0;
            const shared::LightSample s = draw(point, target);
            const Found found = s.pdf > 0.0F ? chance(point, s.direction) : Found{};
            result.drawn += s.pdf > 0.0F ? 1.0 : 0.0;
            if (s.pdf <= 0.0F || found.box != target) {
                continue;
            }
            result.pointed += 1.0;
            // At the edges of boxes rounding decides.
            EXPECT_EQ(s.pdf, s.misPdf);
            result.wrong += std::abs(found.density / double{s.pdf} - 1.0) < 1e-3 ? 0.0 : 1.0;
            const glm::dvec2 at = (toSphereGrid(s.direction) + glm::dvec2(1.0, kPi)) / glm::dvec2(2.0, 2.0 * kPi);
            const int column = std::min(static_cast<int>(at.x * kColumns), kColumns - 1);
            const int row = std::min(static_cast<int>(at.y * kRows), kRows - 1);
            drawn[static_cast<std::size_t>(column * kRows + row)] += 1.0;
        }
        // Over boxes of the sphere, a fine grid in each: the lamp's edges run through them.
        std::vector<double> expected(drawn.size());
        double hits = 0.0;
        for (int i = 0; i < kColumns * fine; ++i) {
            for (int j = 0; j < kRows * fine; ++j) {
                const glm::dvec2 at(2.0 * (i + 0.5) / (kColumns * fine) - 1.0,
                                    kPi * (2.0 * (j + 0.5) / (kRows * fine) - 1.0));
                const Found found = chance(point, fromSphereGrid(at));
                const double share =
                    found.density / double{light_.probability} * 4.0 * kPi / (double{kColumns} * kRows * fine * fine);
                expected[static_cast<std::size_t>(i / fine * kRows + j / fine)] += kDraws * share;
                result.integral += share;
                hits += found.box != NO_BOX ? 1.0 : 0.0;
                result.lost += found.box != NO_BOX && found.density <= 0.0 ? 1.0 : 0.0;
            }
        }
        result.lost /= std::max(hits, 1.0);
        result.test = chiSquare(drawn, expected);
        return result;
    }

    void expectDensities(std::span<const glm::vec3> points, int fine, double leastPointed, double mostLost) {
        for (const glm::vec3& point : points) {
            const Tally found = tally(point, fine);
            EXPECT_EQ(found.drawn, kDraws);
            EXPECT_GT(found.pointed, leastPointed * kDraws) << point.x;
            EXPECT_LT(found.wrong, 5) << point.x;
            EXPECT_LE(found.lost, mostLost) << point.x;
            EXPECT_NEAR(found.integral, found.pointed / kDraws, 5e-3 + 3.0 * std::sqrt(0.25 / kDraws)) << point.x;
            EXPECT_GT(found.test.probability, significanceOf(2 * kPoints.size()))
                << point.x << ": " << found.test.statistic << " / " << found.test.degrees;
        }
    }
};

TEST_F(EmitterDensities, OfCubesAreThoseOfChance) {
    useLamp({5, 6, 4}, {6, 3, 9});
    expectDensities(kPoints, 24, 0.999, 0.0);
}

/// A flat lamp that no axis of the grid lies along.
TEST_F(EmitterDensities, OfPlanesAreThoseOfChance) {
    Mesh plate;
    plate.positions = {{0.0F, 0.3F, 0.1F}, {0.8F, 0.5F, 0.0F}, {0.9F, 0.8F, 0.6F}, {0.1F, 0.6F, 0.7F}};
    plate.triangles = {{0, 1, 2}, {0, 2, 3}};
    useMeshes({plate}, SurfaceKind::Planes, 24);
    EXPECT_EQ(arrays_.boxes.size(), 1U);
    expectDensities(std::array{glm::vec3(5.0F, 1.7F, 4.1F), glm::vec3(20.3F, 20.1F, 3.0F)}, 16, 0.85, 0.0);
}

/// A ball, which fills half of its box, beside a flat one.
TEST_F(EmitterDensities, OfFieldsAreThoseOfChance) {
    Mesh plate = boxMesh({-1.5F, -1.0F, -1.0F}, {-1.2F, 1.0F, 1.0F});
    useMeshes({ballMesh(12), plate}, SurfaceKind::Field, 24);
    EXPECT_EQ(arrays_.boxes.size(), 2U);
    expectDensities(std::array{glm::vec3(5.2F, 3.1F, 1.4F), glm::vec3(23.0F, 18.2F, 18.1F)}, 16, 0.3, 0.01);
}

/// Within a box there is nothing to draw, nor a density.
TEST_F(EmitterDensities, AreNoneFromWithin) {
    useLamp({5, 6, 4}, {6, 3, 9});
    std::uint32_t target = 0;
    EXPECT_EQ(draw({7.0F, 7.5F, 8.0F}, target).pdf, 0.0F);
    EXPECT_EQ(draw({5.0F, 6.0F, 8.0F}, target).pdf, 0.0F); // on it
    EXPECT_EQ(chance({5.0F, 6.0F, 8.0F}, {0.6F, 0.8F, 0.0F}).density, 0.0);
    EXPECT_GT(draw({4.9F, 6.0F, 8.0F}, target).pdf, 0.0F);
}

/// A block of 6 voxels a side of a material, of whose voxels, whose normals are along y, some are lamps.
Octree blockWithLamps(MaterialModel model, std::span<const glm::ivec3> lamps) {
    std::vector<glm::uvec3> block;
    for (std::uint32_t i = 0; i < 216; ++i) {
        block.push_back(glm::uvec3(5U) + glm::uvec3(i % 6, i / 6 % 6, i / 36));
    }
    Octree octree = octreeOf(2, block);
    octree.palette = emissivePalette({glm::vec3(2.0F)});
    octree.materialRuns = singleRun(2);
    MaterialConstants constants;
    constants.model = model;
    octree.materials = std::vector(1, constants);
    for (const glm::ivec3& voxel : lamps) {
        octree.attributes[attributeIndexAt(octree, voxel).value()].shading |= 1U << ATTRIBUTE_MATERIAL_SHIFT;
    }
    return octree;
}

/// Lamps in walls, here below and above, are drawn from before them alone; beside glass it is not told where that is.
TEST_F(Emitters, InWallsAreDrawnFromBeforeThem) {
    const auto chosen = [&](std::size_t box, const glm::vec3& point) {
        return shared::unfacedProbability(params_.path.lights.nodes, params_.path.lights.root, tree_.trails[box],
                                          glm::vec3(1.0F) + point * params_.voxelSize);
    };
    const std::array lamps = {glm::ivec3(7, 5, 7), glm::ivec3(8, 5, 7), glm::ivec3(7, 10, 7), glm::ivec3(8, 10, 7)};
    useOctree(blockWithLamps(MaterialModel::Lambert, lamps));
    ASSERT_EQ(facings(), (std::vector{glm::vec3(0.0F, -1.0F, 0.0F), glm::vec3(0.0F, 1.0F, 0.0F)}));
    EXPECT_NEAR(arrays_.power(), 2.0 * 2.0 * 2.0, 0.01); // two lamps of two faces, of luminance 2
    EXPECT_EQ(chosen(1, {8.0F, 15.0F, 8.0F}), 1.0F);
    EXPECT_EQ(chosen(0, {8.0F, 15.0F, 8.0F}), 0.0F);
    EXPECT_EQ(chosen(0, {8.0F, 1.0F, 8.0F}), 1.0F);

    useOctree(blockWithLamps(MaterialModel::Dielectric, lamps));
    EXPECT_EQ(facings(), std::vector(2, glm::vec3(0.0F)));
    EXPECT_GT(chosen(0, {8.0F, 15.0F, 8.0F}), 0.1F);

    // The rim of a sheet.
    useOctree(blockWithLamps(MaterialModel::Lambert, std::array{glm::ivec3(6, 7, 5), glm::ivec3(7, 7, 5)}));
    EXPECT_EQ(arrays_.boxes[0].across, 1U);
    EXPECT_EQ(facings(), std::vector(1, glm::vec3(0.0F)));
}

/// From far below, near, almost touched, and far to one side, over a plate, a long tube and a single voxel; on a large
/// grid as well.
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
        Lamp{{7, 9, 8}, {1, 1, 1}, 2, {7.4F, 6.5F, 8.9F}},
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
            std::uint32_t target = 0;
            const shared::LightSample s = draw(lamp.point, target);
            const double value = s.pdf > 0.0F && chance(lamp.point, s.direction).box == target
                                     ? double{light_.probability} * std::max(s.direction.y, 0.0F) / double{s.pdf}
                                     : 0.0;
            sum += value / kDraws;
            squares += value * value / kDraws;
        }
        const double error = std::sqrt(std::max(squares - sum * sum, 0.0) / kDraws);
        EXPECT_LT(error, 0.006 * expected);
        EXPECT_NEAR(sum, expected, 3.0 * error + 1e-5 * expected) << lamp.point.x << ' ' << lamp.point.y;
    }
}

/// One half of it three times as bright: a lamp of one box all the same, each half of which lights by its own radiance.
TEST_F(Emitters, LightByWhatIsMet) {
    std::vector<glm::uvec3> voxels;
    for (std::uint32_t i = 0; i < 6 * 2 * 6; ++i) {
        voxels.push_back(glm::uvec3(5, 12, 5) + glm::uvec3(i % 6, i / 6 % 2, i / 12));
    }
    Octree octree = octreeOf(2, voxels);
    octree.palette = emissivePalette({glm::vec3(1.0F), glm::vec3(3.0F)});
    octree.materialRuns = singleRun(3);
    for (shared::VoxelAttributes& attributes : octree.attributes) {
        attributes.shading |= 1U << ATTRIBUTE_MATERIAL_SHIFT;
    }
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        octree.attributes[voxel.attributes].shading += voxel.voxel.x < 8 ? 1U << ATTRIBUTE_MATERIAL_SHIFT : 0U;
    }
    useOctree(std::move(octree));
    ASSERT_EQ(arrays_.boxes.size(), 1U);
    const glm::dvec3 point(7.5, 6.5, 8.2);
    const auto half = [&](double low, double high) {
        return lambert(point, {glm::dvec3(low, 12, 5), {high, 12, 5}, {high, 12, 11}, {low, 12, 11}});
    };
    constexpr int kDraws = 100000;
    double sum = 0.0;
    for (int i = 0; i < kDraws; ++i) {
        std::uint32_t target = 0;
        const shared::LightSample s = draw(glm::vec3(point), target);
        const Found found = s.pdf > 0.0F ? chance(glm::vec3(point), s.direction) : Found{};
        if (found.box == target) {
            sum += double{light_.probability} * double{s.radiance.x * found.radiance.x} *
                   std::max(double{s.direction.y}, 0.0) / double{s.pdf} / kDraws;
        }
    }
    EXPECT_NEAR(sum / (3.0 * half(5, 8) + half(8, 11)), 1.0, 0.01);
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
        const float pdf = shared::seenRectanglePdf(seen, shared::seenMeasure(seen), distance, seen.height / distance);
        ASSERT_NEAR(v[5].x / pdf, 1.0F, 1e-3F) << i;
    }
}

} // namespace
} // namespace aureole
