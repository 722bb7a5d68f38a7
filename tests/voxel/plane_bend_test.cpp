#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "plane_cells.h"
#include "shared/octree/slab_bend.h"
#include "test_surfaces.h"
#include "voxel/surface/slab_bend.h"

namespace aureole::test {
namespace {

/// `cell` counts from the origin of the moments.
shared::SlabBend fitBend(const NormalMoments& moments, const glm::vec3& mean, const shared::SurfaceSlab& slab,
                         const CellBox& cell) {
    return shared::fitSlabBend(moments, mean, slab.normal, cell.low + 0.5 * cell.side, 1.0 / cell.side);
}

TEST(SlabBend, IsPackedInRoots) {
    EXPECT_EQ(shared::packBend(glm::vec3(0.0F)), 0U);
    EXPECT_EQ(shared::unpackBend(0), glm::vec3(0.0F));
    for (int i = -800; i <= 800; ++i) {
        const float change = 0.0037F * static_cast<float>(i);
        const float expected = glm::clamp(change, -SLAB_BEND_MOST, SLAB_BEND_MOST);
        const float step = 4.0F * std::sqrt(std::abs(expected) / SLAB_BEND_MOST) / 511.0F + 1e-5F;
        const glm::vec3 found = shared::unpackBend(shared::packBend({change, -change, 0.25F * change}));
        EXPECT_NEAR(found.x, expected, step);
        EXPECT_EQ(found.y, -found.x);
        EXPECT_NEAR(found.z, glm::clamp(0.25F * change, -SLAB_BEND_MOST, SLAB_BEND_MOST), step);
    }
}

/// Normals that turn as a symmetric matrix says, over slabs of all directions, from samples anywhere in the cell.
TEST(SlabBend, IsFoundFromNormalsThatTurnSo) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    double widest = 0.0;
    for (int i = 0; i < 2000; ++i) {
        const glm::dvec3 across = glm::normalize(glm::dvec3(unit(random), unit(random), unit(random)) - 0.5);
        const CellBox cell = {glm::dvec3(16.0, 32.0, 48.0), 4.0};
        const std::vector<glm::dvec3> middle = {cell.low + 0.5 * cell.side};
        shared::SurfaceSlab slab = fitSlab(across, middle, cell);
        const glm::vec3 normal = glm::normalize(shared::slabNormal(slab.normal));
        glm::vec3 first;
        glm::vec3 second;
        shared::normalFrame(normal, first, second);
        const glm::dvec3 bend = 0.5 * (glm::dvec3(unit(random), unit(random), unit(random)) - 0.5);
        const glm::dvec2 lean = 0.4 * (glm::dvec2(unit(random), unit(random)) - 0.5);
        const auto normalAt = [&](const glm::dvec2& at) { // in cells from the middle, along the axes
            const glm::dvec2 part = lean + glm::dvec2(bend.x * at.x + bend.y * at.y, bend.y * at.x + bend.z * at.y);
            return glm::dvec3(first) * part.x + glm::dvec3(second) * part.y +
                   glm::dvec3(normal) * std::sqrt(1.0 - glm::dot(part, part));
        };
        NormalMoments moments;
        glm::dvec3 mean(0.0);
        for (int k = 0; k < 40; ++k) {
            const glm::dvec2 at(unit(random) - 0.5, unit(random) - 0.5);
            SurfaceSample sample;
            sample.weight = unit(random);
            sample.point.normal = glm::vec3(normalAt(at));
            const glm::dvec3 position = middle[0] + cell.side * (glm::dvec3(first) * at.x + glm::dvec3(second) * at.y);
            sample.position = glm::vec3(position - 16.0);
            moments.add(sample, glm::dvec3(16.0));
            mean += sample.weight * normalAt(at);
        }
        const shared::SlabBend found = fitBend(moments, glm::vec3(glm::normalize(mean)), slab, cell);
        slab.bend = found.bend;
        for (const glm::dvec2& at : {glm::dvec2(0.0), glm::dvec2(0.4, -0.3), glm::dvec2(-0.2, 0.45)}) {
            const glm::dvec3 point = 0.5 + glm::dvec3(first) * at.x + glm::dvec3(second) * at.y;
            const glm::vec3 turned = shared::slabShadingNormal(slab, found.normal, glm::vec3(point));
            widest = std::max(widest, degreesBetween(glm::dvec3(turned), normalAt(at)));
        }
    }
    EXPECT_LT(widest, 0.5); // what the share added to the variance takes off, and packing
}

/// What lies on a line tells nothing of the turn across it.
TEST(SlabBend, IsNoneWhereSamplesTellOfNone) {
    const CellBox cell = {glm::dvec3(0.0), 1.0};
    const std::vector<glm::dvec3> middle = {glm::dvec3(0.5)};
    const shared::SurfaceSlab slab = fitSlab({0, 0, 1}, middle, cell);
    NormalMoments one;
    SurfaceSample sample;
    sample.weight = 1.0;
    sample.position = {0.1F, 0.1F, 0.5F};
    sample.point.normal = glm::normalize(glm::vec3(0.2F, 0.1F, 1.0F));
    one.add(sample, glm::dvec3(0.0));
    EXPECT_EQ(fitBend(one, sample.point.normal, slab, cell).bend, 0U);
    EXPECT_EQ(fitBend(one, sample.point.normal, slab, cell).normal, sample.point.normal);
    sample.position = {0.102F, 0.1F, 0.5F}; // close by, but turned far
    sample.point.normal = glm::normalize(glm::vec3(-0.2F, 0.1F, 1.0F));
    one.add(sample, glm::dvec3(0.0));
    const glm::vec3 bend = shared::unpackBend(fitBend(one, {0, 0, 1}, slab, cell).bend);
    EXPECT_LT(glm::length(bend), 1.0F);
}

/// Normals in voxels and merged cells of an octree are those of the surface at every point of it.
TEST(SlabBend, MakesNormalsOfACurvedSurfaceSmooth) {
    const glm::dvec3 centre(62.3, 61.7, 60.2);
    for (const double radius : {12.0, 55.0}) {
        std::vector<LatticeTriangle> triangles =
            closedSurface(centre, 48, 96, [&](const glm::dvec3&) { return radius; });
        Scene scene = latticeScene({128, 128, 128}, triangles);
        Mesh& mesh = scene.meshes[0];
        for (const glm::vec3& p : mesh.positions) {
            mesh.normals.push_back(glm::normalize(p - glm::vec3(centre)));
        }
        const Octree planes = voxelizePlanes(scene, 128, 1.0);
        const CellMap cells(planes);
        std::map<int, double> widest;
        double flat = 0.0; // by the normals at the middles alone
        sampleTriangles(triangles, 2.0, 7, [&](const glm::dvec3& point) {
            const PlaneCell* const cell = cells.at(point);
            ASSERT_NE(cell, nullptr);
            const shared::SurfaceSlab slab = std::get<PlanesEncoding>(planes.encoding).slabs[cell->index];
            const glm::vec3 normal = shared::unpackAttributes(planes.attributes[cell->index]).normal;
            const glm::dvec3 within = (point - glm::dvec3(cell->low)) / static_cast<double>(cell->side);
            const glm::dvec3 found(shared::slabShadingNormal(slab, normal, glm::vec3(within)));
            const glm::dvec3 expected = point - centre;
            widest[cell->side] = std::max(widest[cell->side], degreesBetween(found, expected));
            flat = std::max(flat, degreesBetween(glm::dvec3(normal), expected));
        });
        for (const auto& [side, angle] : widest) {
            EXPECT_LT(angle, 1.0) << "radius " << radius << ", side " << side;
        }
        EXPECT_GT(flat, 3.0);
    }
}

/// Flat faces have one normal all over.
TEST(SlabBend, IsNoneOnFlatFaces) {
    std::vector<LatticeTriangle> triangles = boxSurface(glm::ivec3(10 * 256 + 77), glm::ivec3(50 * 256 + 33));
    const Octree octree = voxelizePlanes(latticeScene(glm::ivec3(64), triangles), 64);
    const Array<shared::SurfaceSlab>& slabs = std::get<PlanesEncoding>(octree.encoding).slabs;
    ASSERT_GT(slabs.size(), 500U);
    for (const shared::SurfaceSlab& slab : slabs) {
        EXPECT_EQ(slab.bend, 0U);
    }
}

} // namespace
} // namespace aureole::test
