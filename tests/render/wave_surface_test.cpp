// What waves keep of rays at surfaces within voxels, on the CPU: they end where the megakernel's do, and the kernel
// that shades finds again where that is.

#include <utility>

#include "cpu_paths.h"
#include "field_samples.h"
#include "renders.h"
#include "shared/stream/ray_stream.h"

namespace aureole {
namespace {

class WaveSurface : public CpuPaths {
protected:
    /// Bounces paths from surface to surface, tracing each ray as one kernel does and as waves do. Returns how often a
    /// surface within a voxel was met.
    int expectSameRays(int paths) {
        int met = 0;
        const auto side = static_cast<float>(1U << (2 * octree_.levels));
        for (int i = 0; i < paths; ++i) {
            const glm::dvec3 point(numbers_.number(0.0F, side), numbers_.number(0.0F, side),
                                   numbers_.number(0.0F, side));
            shared::VoxelPath state = pathFrom(point, numbers_.direction());
            for (int bounce = 0; bounce < 4 && expectSameRay(state, met); ++bounce) {
                glm::vec3 direction = numbers_.direction();
                direction *= glm::dot(direction, state.from.side) < 0.0F ? -1.0F : 1.0F;
                if (shared::voxelRayFrom(params(), state, direction, 0) == TRAVERSAL_MISS) {
                    break;
                }
            }
        }
        return met;
    }

private:
    /// Follows a path's ray to where it ends, and stands the path there. Returns whether it does end.
    bool expectSameRay(shared::VoxelPath& state, int& met) {
        const shared::RayRecord ray = shared::packVoxelRay(view(), state);
        // Of waves, rays start at the very point of their cell, where others may start an ulp outside of it.
        shared::rayBegin(view(), ray, shared::rayReciprocals(ray), state.ray);
        const shared::Traversal begun = state.ray;
        Met there;
        const bool ends = follow(state, there);
        shared::Traversal traced = begun;
        std::uint32_t sheet = shared::rayFirstSheet(ray);
        float distance = 0.0F;
        EXPECT_EQ(traceInWaves(ray, traced, sheet, distance), ends);
        if (!ends || HasFailure()) {
            return false;
        }
        EXPECT_EQ(distance, shared::surfaceDistance(state.ray));
        // As the kernel that shades has it, of the ray and the hit alone.
        shared::VoxelPath found{};
        shared::rayBegin(view(), ray, shared::rayReciprocals(ray), found.ray);
        const shared::VoxelHit hit = shared::resumeAtHit(view(), shared::packWaveHit(view(), traced, sheet), found.ray);
        EXPECT_EQ(shared::traversalHitShift(view(), found.ray), shared::traversalHitShift(view(), state.ray));
        found.from = shared::rayOrigin(ray);
        found.passedSheet = sheet;
        const std::uint64_t attributes = shared::hitAttributeIndex(view(), hit);
        glm::vec3 normal(0.0F);
        EXPECT_EQ(shared::voxelMeets(params(), found, attributes, normal), 1U);
        EXPECT_EQ(normal, there.normal);
        EXPECT_EQ(found.ray.position, state.ray.position);
        EXPECT_EQ(hit.voxel, there.hit.voxel);
        EXPECT_EQ(hit.distance, there.hit.distance);
        if (octree_.encodingKind() == OctreeEncoding::Field) {
            EXPECT_EQ(found.passedSheet, state.passedSheet) << "the side";
        }
        met += glm::dot(normal, normal) > 0.0F ? 1 : 0;
        shared::voxelPathStand(params(), state, there.hit, there.surface, there.normal, 0);
        return true;
    }

    /// Traces a ray as waves do, suspended after every step. Where it ends, the ray and `sheet` are as they came there.
    bool traceInWaves(const shared::RayRecord& ray, shared::Traversal& state, std::uint32_t& sheet, float& distance) {
        float passedAt = 0.0F;
        std::uint32_t status = TRAVERSAL_RUNNING;
        while (status == TRAVERSAL_RUNNING) {
            std::uint32_t steps = numbers_.bits(2) + 1;
            status = shared::traversalRun(view(), state, steps);
            if (status == TRAVERSAL_HIT) {
                status = shared::wavePassWithin(params(), ray, state, passedAt, sheet, distance);
            }
        }
        return status == TRAVERSAL_HIT;
    }
};

TEST_F(WaveSurface, RaysEndOnPlanesWhereOneKernelEndsThem) {
    useMesh(ballMesh(24), SurfaceKind::Planes, 60);
    EXPECT_GT(expectSameRays(2000), 2000);
}

TEST_F(WaveSurface, RaysEndOnAFieldWhereOneKernelEndsThem) {
    useMesh(ballMesh(24), SurfaceKind::Field, 60);
    EXPECT_GT(expectSameRays(2000), 2000);
    // Bits that are no surface: rays change sides from voxel to voxel.
    for (const OctreeSample& sample : sampleOctrees()) {
        use(randomField(sample, 5));
        expectSameRays(200);
    }
}

} // namespace
} // namespace aureole
