// What waves keep of rays, on the CPU: they end where a ray that is followed at one go does, and the kernel that shades
// finds again where that is.

#include <utility>

#include "cpu_paths.h"
#include "field_samples.h"
#include "renders.h"
#include "shared/stream/ray_stream.h"

namespace aureole {
namespace {

class WaveSurface : public CpuPaths {
protected:
    /// Bounces paths from surface to surface and through it, tracing each ray at one go and as waves do. Returns how
    /// often one ended.
    int expectSameRays(int paths) {
        int ended = 0;
        const auto side = static_cast<float>(1U << (2 * octree_.levels));
        for (int i = 0; i < paths; ++i) {
            const glm::dvec3 point(numbers_.number(0.0F, side), numbers_.number(0.0F, side),
                                   numbers_.number(0.0F, side));
            shared::VoxelPath state = pathFrom(point, numbers_.direction());
            state.from.face = FACE_INSIDE;
            state.from.voxel = shared::traversalVoxel(view(), state.ray);
            for (int bounce = 0; bounce < 6 && expectSameRay(state) && bounceOn(state); ++bounce) {
                ++ended;
            }
        }
        return ended;
    }

    int leftSolids_ = 0; ///< rays that came out of a solid by its last voxel
    int inGlass_ = 0;    ///< rays that ended and had started in glass, or through a pane
    int restarted_ = 0;  ///< rays that ended where they had started again within a voxel

private:
    /// Starts the ray of a path that stands at a surface, to either side where that lets light through. Returns whether
    /// it stays in the grid.
    bool bounceOn(shared::VoxelPath& state) {
        const std::uint32_t model = state.hit.surface.model;
        const bool lets = model == MODEL_DIELECTRIC || model == MODEL_THIN_GLASS;
        const std::uint32_t transmitted = lets ? numbers_.bits(1) : 0;
        if (transmitted != 0) {
            shared::crossSurface(state.from);
        }
        const std::uint32_t medium = model != MODEL_DIELECTRIC                         ? MEDIUM_NONE
                                     : (state.hit.entering != 0) == (transmitted != 0) ? state.hit.material + 1
                                                                                       : MEDIUM_NONE;
        state.path.medium = medium;
        state.rayMedium = shared::voxelsWithin(medium, state.hit, transmitted);
        glm::vec3 direction = numbers_.direction();
        direction *= glm::dot(direction, state.from.side) < 0.0F ? -1.0F : 1.0F;
        return shared::voxelRayFrom(params(), state, direction, transmitted) != TRAVERSAL_MISS;
    }

    /// Follows a path's ray to where it ends, and stands the path there. Returns whether it does end.
    bool expectSameRay(shared::VoxelPath& state) {
        const shared::RayRecord ray = shared::packVoxelRay(view(), state);
        const shared::WaveGlassRay glass = shared::packGlassRay(state);
        // Of waves, rays start at the very point of their cell, where others may start an ulp outside of it.
        shared::rayBegin(view(), ray, shared::rayReciprocals(ray), state.ray);
        state.from.position = shared::rayOrigin(ray).position;
        const shared::Traversal begun = state.ray;
        Met there;
        const bool ends = follow(state, there);
        shared::RayPassage passage = shared::passageFrom(ray);
        passage.medium = shared::glassRayMedium(glass);
        const shared::WaveHit hit = traceInWaves(ray, glass, begun, passage);
        EXPECT_EQ(shared::isWaveMiss(hit), ends ? 0U : 1U);
        if (!ends || HasFailure()) {
            return false;
        }
        EXPECT_EQ(shared::unpackMedium(passage.medium), state.rayMedium);
        expectFound(ray, hit, state, there);
        leftSolids_ += static_cast<int>(there.leaving);
        inGlass_ += shared::unpackMedium(shared::glassRayMedium(glass)) != MEDIUM_NONE ? 1 : 0;
        shared::voxelPathStand(params(), state, there.hit, there.surface, there.normal, there.leaving);
        return true;
    }

    /// Finds again where a ray ended, of the ray and the hit alone, as the kernel that shades does.
    void expectFound(const shared::RayRecord& ray, const shared::WaveHit& hit, const shared::VoxelPath& state,
                     const Met& there) {
        const bool isField = octree_.encodingKind() == OctreeEncoding::Field;
        const bool stands = shared::isWaveStand(hit) != 0;
        restarted_ += stands && isField ? 1 : 0;
        shared::VoxelPath found{};
        shared::rayBegin(view(), ray, shared::rayReciprocals(ray), found.ray);
        const shared::VoxelHit met =
            stands ? shared::resumeAtStand(view(), hit, found.ray) : shared::resumeAtHit(view(), hit, found.ray);
        EXPECT_EQ(stands && !isField ? 1U : 0U, there.leaving);
        EXPECT_EQ(met.voxel, there.hit.voxel);
        EXPECT_EQ(met.face, there.hit.face);
        EXPECT_EQ(met.distance, there.hit.distance);
        std::uint32_t shift = 0;
        const std::uint64_t attributes =
            stands ? shared::octreeCellAttributes(view(), met.voxel, shift) : shared::hitAttributeIndex(view(), met);
        EXPECT_EQ(shared::voxelSurfaceAt(params(), attributes).sheet, there.surface.sheet);
        found.from = shared::rayOrigin(ray);
        found.passedSheet = shared::hitSheet(hit);
        if ((isField || octree_.encodingKind() == OctreeEncoding::Planes) && there.leaving == 0) {
            EXPECT_EQ(shared::traversalHitShift(view(), found.ray), shared::traversalHitShift(view(), state.ray));
            glm::vec3 normal(0.0F);
            EXPECT_EQ(shared::voxelMeets(params(), found, attributes, normal), 1U);
            EXPECT_EQ(normal, there.normal);
        }
        if (isField) {
            EXPECT_EQ(found.passedSheet, state.passedSheet) << "the side";
        }
        EXPECT_EQ(found.ray.position, state.ray.position);
    }

    /// Traces a ray as waves do, suspended after every round. Returns what the kernel stores where it ends.
    shared::WaveHit traceInWaves(const shared::RayRecord& ray, const shared::WaveGlassRay& glass,
                                 shared::Traversal state, shared::RayPassage& passage) {
        std::uint32_t status = TRAVERSAL_RUNNING;
        while (status == TRAVERSAL_RUNNING) {
            std::uint32_t steps = numbers_.bits(2) + 1;
            status = shared::traversalRun(view(), state, steps);
            const glm::uvec3 came = state.position;
            bool suspend = numbers_.bits(4) == 0; // a ray that always is never gets down the tree
            if (status == TRAVERSAL_HIT) {
                suspend = true;
                status = shared::waveStops(params(), ray, glass, state, passage);
                state.position = status == TRAVERSAL_HIT ? came : state.position;
            }
            if (suspend && status == TRAVERSAL_RUNNING) {
                const std::uint32_t justPassed = shared::traversalDistance(state) == passage.passedAt ? 1 : 0;
                const shared::WaveHit left =
                    shared::packWaveSuspended(state, shared::sheetKept(view(), state, passage), justPassed);
                EXPECT_EQ(shared::isWaveSuspended(left), 1U);
                shared::raySet(ray, shared::rayReciprocals(ray), state);
                shared::resumePassage(left, state, passage);
                shared::traversalLoadStart(view(), state);
            }
        }
        if (status == TRAVERSAL_MISS) {
            return shared::packWaveMiss();
        }
        return shared::packPathEnd(view(), state, shared::sheetKept(view(), state, passage), status);
    }
};

TEST_F(WaveSurface, RaysEndOnPlanesAsAtOneGo) {
    useMesh(ballMesh(24), SurfaceKind::Planes, 60);
    EXPECT_GT(expectSameRays(2000), 2000);
}

TEST_F(WaveSurface, RaysEndOnAFieldAsAtOneGo) {
    useMesh(ballMesh(24), SurfaceKind::Field, 60);
    EXPECT_GT(expectSameRays(2000), 2000);
    // Bits that are no surface: rays change sides from voxel to voxel.
    for (const OctreeSample& sample : sampleOctrees()) {
        use(randomField(sample, 5));
        expectSameRays(200);
    }
}

TEST_F(WaveSurface, RaysGoThroughGlassAsAtOneGo) {
    for (const std::uint32_t model : {MODEL_DIELECTRIC, MODEL_THIN_GLASS}) {
        useModel(model);
        for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes, SurfaceKind::Field}) {
            SCOPED_TRACE(::testing::Message() << "model " << model << ", surface " << static_cast<int>(surface));
            useMesh(ballMesh(24), surface, 60);
            leftSolids_ = 0;
            inGlass_ = 0;
            EXPECT_GT(expectSameRays(2000), 2000);
            EXPECT_GT(inGlass_, 50);
            if (surface == SurfaceKind::Cubes) {
                EXPECT_EQ(leftSolids_ > 0, model == MODEL_DIELECTRIC);
            }
        }
    }
    EXPECT_GT(restarted_, 0);
}

} // namespace
} // namespace aureole
