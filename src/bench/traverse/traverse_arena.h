#pragma once

// The rays of the traversal benchmark in device memory: sets of them, each made from where those of another hit.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_measure.h"
#include "bench/traverse/traverse_scene.h"
#include "gpu/device.h"
#include "render/coarse_depth.h"
#include "render/device_octree.h"
#include "stream/stream_kernels.h"
#include "stream/stream_tracer.h"

namespace aureole::bench {

/// Sets of rays. Of bounce 3, only the hits are needed.
enum class RaySet { Primary, Ambient, Shadow, Bounce1, Bounce2, Bounce3, Bounce4 };
inline constexpr std::size_t kRaySets = 7;

/// "primary", "ambient", "shadow", "bounce1", "bounce2", "bounce3", "bounce4", in the order of the enumeration.
const std::vector<std::string>& raySetNames();

/// Times in microseconds of what comes before tracing.
struct PreparationTimes {
    double making = 0.0;
    double compaction = 0.0;
    std::optional<double> sorting; ///< keys, sort, and the rays put in that order
    std::optional<double> depths;  ///< drawn, which belongs to the tracing that starts there
};

class TraverseArena {
public:
    /// Rays are made in the voxels of `source` and traced through the octree of `scene`: the same scene, perhaps with
    /// another surface. Both outlive this. `coarse` has primary rays start at coarse depths as well, where the camera
    /// suits and rays end at voxels.
    TraverseArena(const gpu::Device& device, const TraverseScene& source, const TraverseScene& scene, bool coarse);

    /// Makes the rays of a set from where those of the one before it hit the voxels of the source, and the queue of
    /// those that are some.
    void make(RaySet set);
    /// Makes the sorted queue of those rays; `mortonBits` of the origins, on each axis.
    void sort(std::uint32_t mortonBits);
    /// Times what make() and sort() did. The rays stay.
    PreparationTimes time(std::uint32_t repeats, bool sorted, bool coarse);

    std::uint32_t live() const { return live_; } ///< rays of the set that are some
    /// Rays in their places, in the queue and in the sorted queue; their hits go to a buffer of their own.
    RayStream inPlaces() const { return streamOf(now_.rays, places_); }
    RayStream queue() const { return streamOf(queue_, live_); }
    RayStream sortedQueue() const { return streamOf(sorted_, live_); }

    /// Rays in their places that start at coarse depths: of primary rays through a pinhole.
    bool hasCoarseStart() const { return set_ == RaySet::Primary && coarse_; }
    RayStream coarseStart() const;
    /// Draws the depths, which belongs to the strategy's time.
    void recordCoarseDepth(gpu::CommandEncoder& commands) const;

    StreamTracerOptions tracing() const; ///< what the set asks of a tracer
    const DeviceOctree& octree() const { return octree_; }
    const TraverseScene& scene() const { return *scene_; }

    /// The rays in their places.
    std::vector<shared::RayRecord> rays() const;
    /// The hits of the set by pixel, by one thread a ray, which all others are held against; kNoHit where there is no
    /// ray.
    std::vector<shared::HitRecord> expectedHits() const;
    /// The hits that a tracer finds, likewise, and what it counted. What it does not write is kNoHit.
    std::vector<shared::HitRecord> tracedHits(StreamTracer& tracer, const RayStream& stream,
                                              shared::StreamCounters& counts) const;
    /// The hits that what `trace` records finds, likewise.
    std::vector<shared::HitRecord> hitsOf(const RayStream& stream,
                                          const std::function<void(gpu::CommandEncoder&)>& trace) const;
    static constexpr std::uint32_t kNoHit = 0xFFFFFFFFU; ///< in each word

    /// Some rays of the queue, and the reciprocals that the device traces them with.
    struct Sample {
        std::vector<shared::RayRecord> rays;
        std::vector<glm::vec3> reciprocals;
    };
    Sample sample(std::uint32_t most) const;

private:
    struct Rays {
        gpu::Buffer rays;
        gpu::Buffer hits;
    };

    RayStream streamOf(const gpu::Buffer& rays, std::uint32_t count) const;
    void recordMaking(gpu::CommandEncoder& commands) const;
    void recordCompaction(gpu::CommandEncoder& commands) const;
    void recordSorting(gpu::CommandEncoder& commands);
    const DeviceOctree& source() const { return source_ ? *source_ : octree_; }
    std::vector<shared::HitRecord> byPixel(const RayStream& stream) const;
    float reach() const;

    gpu::Device device_;
    const TraverseScene* scene_;
    std::optional<DeviceOctree> source_; ///< none: that of the scene
    DeviceOctree octree_;
    StreamKernels kernels_;
    std::uint32_t pixels_ = 0;
    std::uint32_t places_ = 0;
    std::uint32_t live_ = 0;
    std::uint32_t mortonBits_ = 0;
    RaySet set_ = RaySet::Primary;
    gpu::Buffer camera_;
    Rays from_; ///< what the rays of the set are made from
    Rays now_;
    gpu::Buffer queue_;
    gpu::Buffer sorted_;
    gpu::Buffer number_; ///< of rays in the queue
    gpu::Buffer hits_;
    gpu::Buffer hitsByPixel_;
    gpu::Buffer keys_;
    gpu::Buffer numbers_;
    gpu::Buffer sortedKeys_;
    gpu::Buffer sortedNumbers_;
    std::optional<scan::SortPlan> sortPlan_;
    CoarseCells coarseCells_;
    std::optional<CoarseDepth> coarse_;
};

/// The times of tracing all rays of a stream, behind what `before` records. Throws Error (Internal) where some stay
/// unfinished.
Spread traceSpread(const gpu::Device& device, std::uint32_t repeats, StreamTracer& tracer, const RayStream& stream,
                   const std::function<void(gpu::CommandEncoder&)>& before = {});

} // namespace aureole::bench
