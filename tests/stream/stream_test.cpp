#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "stream/stream_kernels.h"
#include "stream/stream_tracer.h"
#include "voxel/build/gyroid.h"

namespace aureole {
namespace {

/// Rays within a gyroid, every third of them none, and buffers for what they hit.
class RayStreams : public gpu::GpuTest {
protected:
    static constexpr std::uint32_t kCount = 5000;

    RayStreams() {
        const shared::OctreeView view = makeView(octree_);
        const auto address = reinterpret_cast<std::uint64_t>(&view);
        std::mt19937 random(3);
        std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
        const auto three = [&] { return glm::vec3(uniform(random), uniform(random), uniform(random)); };
        for (std::uint32_t i = 0; i < kCount; ++i) {
            const glm::vec3 origin = glm::vec3(1.0F) + three();
            const glm::vec3 direction = shared::traversalDirection(glm::normalize(three() - 0.5F));
            rays_.push_back(i % 3 == 0
                                ? shared::noRay(i)
                                : shared::packRay(address, origin, direction, shared::gridCell(origin, octree_.levels),
                                                  TRAVERSAL_NO_AXIS, i));
        }
    }

    /// The hits by ray, each word 0xFFFFFFFF where there is no ray.
    std::vector<shared::HitRecord> trace(const StreamTracerOptions& options, float reach = 0.0F) {
        const DeviceOctree onDevice(device(), octree_);
        const gpu::Buffer rays = device().createBufferWith(std::span<const shared::RayRecord>(rays_), "rays");
        const gpu::Buffer hits =
            device().createBuffer(rays_.size() * sizeof(shared::HitRecord), gpu::MemoryKind::Device, "hits");
        gpu::CommandEncoder commands = device().encoder();
        commands.fill(hits, 0, hits.size(), 0xFFFFFFFFU);
        device().submit(std::move(commands)).wait();
        const RayStream stream{rays.address(), hits.address(), kCount, reach};
        StreamTracer tracer(device(), onDevice, options);
        gpu::CommandEncoder once = device().encoder();
        tracer.record(once, stream); // a dispatch, as none has run
        device().submit(std::move(once)).wait();
        isCut_ = !tracer.finished(stream);
        const shared::StreamCounters counters = tracer.run(stream);
        EXPECT_EQ(counters.unfinished, 0U);
        std::vector<shared::HitRecord> result(rays_.size());
        device().download(hits, 0, std::as_writable_bytes(std::span(result)));
        return result;
    }

    static std::size_t differing(const std::vector<shared::HitRecord>& a, const std::vector<shared::HitRecord>& b) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            count += a[i].bits == b[i].bits ? 0 : 1;
        }
        return count;
    }

    const Octree octree_ = makeGyroid(64);
    std::vector<shared::RayRecord> rays_;
    bool isCut_ = false; ///< whether the rays of the last trace took more than one dispatch
};

TEST_F(RayStreams, GiveTheSameHitsHoweverOftenTheyAreCutShort) {
    const std::vector<shared::HitRecord> expected = trace({});
    for (std::uint32_t i = 0; i < kCount; ++i) {
        EXPECT_EQ(expected[i].bits == glm::uvec4(0xFFFFFFFFU), i % 3 == 0);
    }
    for (const bool persistent : {false, true}) {
        for (const std::uint32_t rounds : {1U, 2U, 7U, 1000U}) {
            StreamTracerOptions options;
            options.persistent = persistent;
            options.stepsPerRound = 3;
            options.rounds = rounds;
            options.refill = 2;
            SCOPED_TRACE(testing::Message() << (persistent ? "persistent, " : "thread, ") << rounds);
            EXPECT_EQ(differing(expected, trace(options)), 0U);
            EXPECT_TRUE(isCut_ || rounds > 2);
        }
    }
}

TEST_F(RayStreams, EndAtTheirReachWhateverTheRounds) {
    const float reach = 0.05F;
    const std::vector<shared::HitRecord> all = trace({});
    StreamTracerOptions options;
    options.hasReach = true;
    const std::vector<shared::HitRecord> near = trace(options, reach);
    std::size_t cut = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        if (i % 3 != 0) {
            const bool beyond = shared::hitFace(all[i]) != HIT_MISSED && shared::uintBitsToFloat(all[i].bits.w) > reach;
            EXPECT_EQ(near[i].bits, beyond ? shared::packMiss().bits : all[i].bits) << i;
            cut += beyond ? 1 : 0;
        }
    }
    EXPECT_GT(cut, 100U);
    options.stepsPerRound = 1;
    options.persistent = true;
    EXPECT_EQ(differing(near, trace(options, reach)), 0U);
}

} // namespace
} // namespace aureole
