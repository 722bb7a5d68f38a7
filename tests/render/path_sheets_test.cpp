// Paths that leave surfaces, as cubes and as planes, on the CPU: they neither meet what they stand on nor get through.

#include <array>
#include <cmath>
#include <iostream>
#include <utility>

#include "cpu_paths.h"
#include "renders.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

constexpr std::array kCubesAndPlanes = {SurfaceKind::Cubes, SurfaceKind::Planes};

/// Two squares in one direction askew to the grid, one some voxels over the other, both facing up.
class PathsBetweenSquares : public CpuPaths {
protected:
    static constexpr double kGap = 0.09; // of some 60 voxels

    void useSquares(SurfaceKind surface) {
        Scene scene;
        scene.materials.emplace_back();
        Mesh mesh;
        for (const double height : {0.0, kGap}) {
            const auto first = static_cast<std::uint32_t>(mesh.positions.size());
            for (const auto& [u, v] : {std::pair{0, 0}, {0, 1}, {1, 1}, {1, 0}}) {
                mesh.positions.emplace_back(at(u, v, height));
            }
            mesh.triangles.insert(mesh.triangles.end(), {{first, first + 1, first + 2}, {first, first + 2, first + 3}});
        }
        scene.meshes = {mesh};
        scene.meshInstances.emplace_back();
        VoxelizeOptions options;
        options.resolution = 64;
        options.surface = surface;
        use(voxelizeScene(scene, options));
    }

    static glm::dvec3 up() { return glm::normalize(glm::dvec3(-0.31, 1.0, 0.17)); }

    /// A point over the lower square, in the scene: u and v along its sides from 0 to 1.
    static glm::dvec3 at(double u, double v, double height) {
        const glm::dvec3 along = glm::normalize(glm::cross(glm::dvec3(0, 0, 1), up()));
        const glm::dvec3 across = glm::cross(up(), along);
        return v * along - u * across + height * up();
    }

    glm::dvec3 inVoxels(const glm::dvec3& point) const {
        return (point - octree_.grid.origin) / octree_.grid.voxelSize;
    }

    double heightOf(const glm::vec3& position) const {
        const glm::dvec3 voxels = glm::dvec3(position - 1.0F) / static_cast<double>(params_.voxelSize);
        return glm::dot(voxels * octree_.grid.voxelSize + octree_.grid.origin, up());
    }

    /// A path that stands in the middle part of the lower square (0) or the upper one (1), on its front or its back.
    shared::VoxelPath standOn(int square, bool front) {
        const double u = numbers_.number(0.4F, 0.6F);
        const double v = numbers_.number(0.4F, 0.6F);
        const double height = square * kGap + (front ? 0.5 : -0.5) * kGap;
        glm::dvec3 direction(numbers_.direction());
        direction *= (glm::dot(direction, up()) > 0.0) == front ? -1.0 : 1.0;
        direction -= (front ? 0.5 : -0.5) * up(); // not too flat
        shared::VoxelPath state = pathFrom(inVoxels(at(u, v, height)), glm::normalize(direction));
        EXPECT_TRUE(arrive(state));
        EXPECT_NEAR(heightOf(state.from.position), square * kGap, 1.8 * octree_.grid.voxelSize);
        return state;
    }

    /// A direction over the side of a square by at least that sine.
    glm::vec3 over(bool front, double sine) {
        const glm::dvec3 side = front ? up() : -up();
        glm::dvec3 direction;
        do {
            direction = glm::dvec3(numbers_.direction());
        } while (glm::dot(direction, side) < sine);
        return glm::vec3(direction);
    }
};

TEST_F(PathsBetweenSquares, StandOnTheSideThatTheyComeFrom) {
    for (const SurfaceKind surface : kCubesAndPlanes) {
        useSquares(surface);
        for (int i = 0; i < 400; ++i) {
            const bool front = i % 2 == 0;
            const shared::VoxelPath state = standOn(i / 2 % 2, front);
            EXPECT_EQ(state.from.face == FACE_INSIDE, surface == SurfaceKind::Planes);
            const glm::vec3 side(front ? up() : -up());
            EXPECT_GT(glm::dot(state.from.side, side), 0.999F);
            EXPECT_GT(glm::dot(state.hit.surface.normal, side), 0.99F);
            ASSERT_NE(state.from.sheet, NO_SHEET);
            EXPECT_GT(glm::dot(shared::sheetSide(state.from.sheet), side), 0.999F);
            EXPECT_EQ(state.from.sheet & SHEET_EDGE, 0U);
        }
    }
}

/// No square is in its own way, however low a ray leaves it.
TEST_F(PathsBetweenSquares, LeaveTheirSquareForTheSky) {
    for (const SurfaceKind surface : kCubesAndPlanes) {
        useSquares(surface);
        for (int i = 0; i < 3000; ++i) {
            const bool front = i % 2 == 0;
            shared::VoxelPath state = standOn(front ? 1 : 0, front);
            const glm::vec3 direction = over(front, i % 3 == 0 ? 0.2 : 0.01);
            if (shared::voxelRayFrom(params(), state, direction, 0) == TRAVERSAL_RUNNING) {
                Met met;
                EXPECT_FALSE(follow(state, met)) << i << ", height " << heightOf(state.from.position);
            }
        }
    }
}

/// And none lets through what comes from the other.
TEST_F(PathsBetweenSquares, MeetTheOtherSquare) {
    for (const SurfaceKind surface : kCubesAndPlanes) {
        useSquares(surface);
        for (int i = 0; i < 3000; ++i) {
            const bool front = i % 2 == 0;
            shared::VoxelPath state = standOn(front ? 0 : 1, front);
            ASSERT_EQ(shared::voxelRayFrom(params(), state, over(front, 0.4), 0), TRAVERSAL_RUNNING);
            ASSERT_TRUE(arrive(state)) << i;
            EXPECT_NEAR(heightOf(state.from.position), front ? kGap : 0.0, 1.8 * octree_.grid.voxelSize);
            EXPECT_GT(glm::dot(shared::sheetSide(state.from.sheet), glm::vec3(front ? -up() : up())), 0.999F);
        }
    }
}

/// A ball, and paths that stand on it.
class PathsAtABall : public CpuPaths {
protected:
    void useBall(SurfaceKind surface) {
        useMesh(ballMesh(64), surface, 48);
        middle_ = 0.5 * glm::dvec3(octree_.grid.size);
    }

    /// A path towards the ball, or past it.
    shared::VoxelPath fromOutside() {
        const glm::dvec3 start = middle_ + 31.0 * glm::dvec3(numbers_.direction());
        return pathFrom(start, middle_ + 22.0 * glm::dvec3(numbers_.direction()) - start);
    }

    /// A cosine-weighted direction about the side that a path is on.
    glm::vec3 scattered(const shared::VoxelPath& state) {
        return glm::normalize(state.from.side * 1.001F + numbers_.direction());
    }

    glm::dvec3 middle_{0.0};
};

/// No path gets out of it, however it is scattered.
TEST_F(PathsAtABall, StayWithin) {
    for (const SurfaceKind surface : kCubesAndPlanes) {
        useBall(surface);
        for (int i = 0; i < 2000; ++i) {
            shared::VoxelPath state = pathFrom(middle_, glm::dvec3(numbers_.direction()));
            ASSERT_TRUE(arrive(state)) << i;
            for (int bounce = 0; bounce < 8; ++bounce) {
                const glm::vec3 direction = scattered(state);
                ASSERT_EQ(shared::voxelRayFrom(params(), state, direction, 0), TRAVERSAL_RUNNING);
                ASSERT_TRUE(arrive(state)) << i << ", bounce " << bounce;
            }
        }
    }
}

/// Where it stands on the plane of a slab, its next ray leaves the slab, whatever is rounded.
TEST_F(PathsAtABall, LeaveTheSlabThatTheyStandOn) {
    useBall(SurfaceKind::Planes);
    int starts = 0;
    for (int i = 0; i < 20000; ++i) {
        shared::VoxelPath state = i % 2 == 0 ? pathFrom(middle_, glm::dvec3(numbers_.direction())) : fromOutside();
        if (!arrive(state) || state.from.face != FACE_INSIDE) {
            continue; // it goes by, or no plane fits into that cell
        }
        ASSERT_EQ(shared::voxelRayFrom(params(), state, scattered(state), 0), TRAVERSAL_RUNNING);
        std::uint32_t steps = OCTREE_MAX_LEVELS;
        ASSERT_EQ(shared::traversalRun(view(), state.ray, steps), TRAVERSAL_HIT);
        glm::vec3 normal;
        const shared::VoxelHit hit = shared::traversalHit(view(), state.ray);
        EXPECT_EQ(shared::voxelMeets(params(), state, shared::hitAttributeIndex(view(), hit), normal), 0U) << i;
        ++starts;
    }
    EXPECT_GT(starts, 10000);
}

/// Of a voxel any face, of merged cells those that the surface can only be behind.
TEST_F(PathsAtABall, AreToldTheirSideByFacesThatFaceTheSurface) {
    useBall(SurfaceKind::Planes);
    std::array<int, 3> cells{}; // voxels; larger ones by a face that tells, and by one that does not
    for (int i = 0; i < 4000; ++i) {
        const shared::VoxelPath state = [&] {
            shared::VoxelPath path = pathFrom(middle_, glm::dvec3(numbers_.direction()));
            std::uint32_t steps = ~0U;
            EXPECT_EQ(shared::traversalRun(view(), path.ray, steps), TRAVERSAL_HIT);
            return path;
        }();
        const shared::VoxelHit hit = shared::traversalHit(view(), state.ray);
        const shared::VoxelSurface surface = shared::voxelSurfaceAt(params(), shared::hitAttributeIndex(view(), hit));
        const float facing = std::abs(glm::dot(surface.geometricNormal, shared::faceNormal(hit.face)));
        const bool isLarger = shared::traversalHitShift(view(), state.ray) > shared::traversalLeafShift(view());
        EXPECT_EQ(shared::voxelFaceTellsSide(params(), state, hit, surface) != 0, !isLarger || facing > 0.7F);
        cells.at(!isLarger ? 0 : facing > 0.7F ? 1 : 2) += 1;
    }
    for (const int count : cells) {
        EXPECT_GT(count, 50);
    }
}

/// And what comes from outside goes back to the sky: it does not meet itself.
TEST_F(PathsAtABall, GoBackToTheSky) {
    for (const SurfaceKind surface : kCubesAndPlanes) {
        useBall(surface);
        int again = 0;
        constexpr int kPaths = 20000;
        for (int i = 0; i < kPaths; ++i) {
            shared::VoxelPath state = fromOutside();
            if (arrive(state) && shared::voxelRayFrom(params(), state, scattered(state), 0) == TRAVERSAL_RUNNING) {
                Met met;
                again += follow(state, met) ? 1 : 0;
            }
        }
        std::cout << surfaceKindNames()[static_cast<std::size_t>(surface)] << ": " << again << " of " << kPaths
                  << " meet the ball again\n";
        EXPECT_LE(again, surface == SurfaceKind::Cubes ? 2 : 12);
    }
}

} // namespace
} // namespace aureole
