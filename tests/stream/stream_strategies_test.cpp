// Every way of tracing rays in buffers, through every kind of octree: the hits of the CPU, ray by ray.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "render/support/field_samples.h"
#include "stream/stream_kernels.h"
#include "stream/stream_tracer.h"
#include "stream_rays.h"
#include "voxel/build/build.h"
#include "voxel/build/gyroid.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

constexpr std::uint32_t kRays = 3000;
constexpr std::uint32_t kBits = 5;

class StreamStrategies : public gpu::GpuTest {
protected:
    void SetUp() override {
        gpu::GpuTest::SetUp();
        kernels_.emplace(device());
    }

    /// Rays in their places, in a queue, and in a sorted queue.
    struct Streams {
        gpu::Buffer places;
        gpu::Buffer queue;
        gpu::Buffer sorted;
        std::uint32_t live = 0;
        std::vector<glm::vec3> reciprocals; ///< of the rays in their places
    };

    Streams streamsOf(const std::vector<shared::RayRecord>& rays) {
        const auto count = static_cast<std::uint32_t>(rays.size());
        Streams streams{upload(device(), rays),
                        makeFilled<shared::RayRecord>(device(), count),
                        makeFilled<shared::RayRecord>(device(), count),
                        countRays(rays),
                        {}};
        const gpu::Buffer number = upload(device(), std::vector<std::uint32_t>{0});
        const gpu::Buffer vectors = makeFilled<glm::vec3>(device(), count);
        const std::array<gpu::Buffer, 2> keys = {makeFilled<std::uint64_t>(device(), count),
                                                 makeFilled<std::uint64_t>(device(), count)};
        const std::array<gpu::Buffer, 2> numbers = {makeFilled<std::uint32_t>(device(), count),
                                                    makeFilled<std::uint32_t>(device(), count)};
        scan::SortOptions options;
        options.maximumCount = count;
        options.endBit = 3 + 3 * kBits;
        scan::SortPlan plan = scan::planSort(device(), options);
        gpu::CommandEncoder commands = device().encoder();
        kernels_->reciprocals(commands, streams.places.address(), vectors.address(), count);
        kernels_->compact(commands, streams.places.address(), streams.queue.address(), number.address(), count);
        commands.barrier();
        kernels_->makeKeys(commands, streams.queue.address(), {keys[0].address(), numbers[0].address()}, streams.live,
                           kBits);
        commands.barrier();
        plan.execute(commands, {keys[0].address(), numbers[0].address()}, {keys[1].address(), numbers[1].address()},
                     streams.live);
        commands.barrier();
        kernels_->gather(commands, streams.queue.address(), numbers[1].address(), streams.sorted.address(),
                         streams.live);
        commands.barrier();
        device().submit(std::move(commands)).wait();
        EXPECT_EQ(download<std::uint32_t>(device(), number, 1)[0], streams.live);
        streams.reciprocals = download<glm::vec3>(device(), vectors, count);
        return streams;
    }

    /// What a tracer finds, by ray.
    std::vector<shared::HitRecord> trace(const DeviceOctree& octree, const gpu::Buffer& rays, std::uint32_t count,
                                         const StreamTracerOptions& options) {
        const gpu::Buffer hits = makeFilled<shared::HitRecord>(device(), kRays);
        const gpu::Buffer ordered = makeFilled<shared::HitRecord>(device(), kRays);
        StreamTracer(device(), octree, options).run({rays.address(), hits.address(), count, 0.0F});
        gpu::CommandEncoder commands = device().encoder();
        kernels_->byPixel(commands, rays.address(), hits.address(), ordered.address(), count);
        commands.barrier();
        device().submit(std::move(commands)).wait();
        return download<shared::HitRecord>(device(), ordered, kRays);
    }

    static std::size_t differing(const std::vector<shared::HitRecord>& a, const std::vector<shared::HitRecord>& b,
                                 std::uint32_t leafBits) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const glm::uvec4 bits(~0U, ~0U, leafBits, ~0U);
            count += (a[i].bits & bits) == (b[i].bits & bits) ? 0 : 1;
        }
        return count;
    }

    /// Of the numbers of leaves that hits have, `leafBits` count.
    void expectHitsOfCpu(const OctreeSample& sample, const DeviceOctree& onDevice, std::uint32_t leafBits = ~0U,
                         bool surfaces = false) {
        SCOPED_TRACE(sample.name);
        const std::vector<shared::RayRecord> rays = sampleStream(sample, kRays, 31, 3);
        const Streams streams = streamsOf(rays);
        const std::vector<shared::HitRecord> expected = traceOnCpu(sample.octree, rays, streams.reciprocals, surfaces);
        for (const bool persistent : {false, true}) {
            for (const bool counting : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << (persistent ? "persistent" : "thread") << (counting ? ", counting" : ""));
                StreamTracerOptions options;
                options.persistent = persistent;
                options.counting = counting;
                options.surfaces = surfaces;
                options.refill = 3;
                options.stepsPerRound = 5;
                EXPECT_EQ(differing(trace(onDevice, streams.places, kRays, options), expected, leafBits), 0U);
                EXPECT_EQ(differing(trace(onDevice, streams.queue, streams.live, options), expected, leafBits), 0U);
                EXPECT_EQ(differing(trace(onDevice, streams.sorted, streams.live, options), expected, leafBits), 0U);
            }
        }
    }

    void expectHitsOfCpu(const OctreeSample& sample) { expectHitsOfCpu(sample, DeviceOctree(device(), sample.octree)); }

    /// Rays end at the surfaces within voxels: fewer of them, and further away.
    void expectSurfacesOfCpu(const OctreeSample& sample) {
        expectHitsOfCpu(sample, DeviceOctree(device(), sample.octree), ~0U, true);
    }

    std::optional<StreamKernels> kernels_;
};

/// The empty tree, the full one and single voxels among them.
TEST_F(StreamStrategies, HitWhatTheCpuHitsInTrees) {
    for (const OctreeSample& sample : sampleOctrees()) {
        expectHitsOfCpu(sample);
    }
}

TEST_F(StreamStrategies, HitWhatTheCpuHitsInDags) {
    for (OctreeSample& sample : sampleOctrees()) {
        sample.octree = toDag(std::move(sample.octree));
        expectHitsOfCpu(sample);
    }
}

TEST_F(StreamStrategies, HitWhatTheCpuHitsInFields) {
    const std::vector<OctreeSample> samples = sampleOctrees();
    const OctreeSample sample{samples[1].name, randomField(samples[1], 3), samples[1].voxels};
    expectHitsOfCpu(sample);
    expectSurfacesOfCpu(sample);
}

TEST_F(StreamStrategies, HitWhatTheCpuHitsInPlanes) {
    OctreeSample sample{"planes", mergedPlanes(64), {}};
    const Array<shared::OctreeNode>& nodes = std::get<PlanesEncoding>(sample.octree.encoding).nodes;
    ASSERT_TRUE(std::any_of(nodes.begin(), nodes.begin() + nodes.size() / 2,
                            [](const shared::OctreeNode& node) { return (node.flags & OCTREE_NODE_TERMINAL) != 0; }));
    expectHitsOfCpu(sample);
    expectSurfacesOfCpu(sample);
}

/// However rays are cut short, also within the voxels of a field, on whose sides they are.
TEST_F(StreamStrategies, SurfacesAreMetHoweverOftenRaysAreCutShort) {
    const std::vector<OctreeSample> samples = sampleOctrees();
    const OctreeSample sample{samples[1].name, randomField(samples[1], 3), samples[1].voxels};
    const DeviceOctree onDevice(device(), sample.octree);
    const std::vector<shared::RayRecord> rays = sampleStream(sample, kRays, 31, 3);
    const Streams streams = streamsOf(rays);
    const std::vector<shared::HitRecord> expected = traceOnCpu(sample.octree, rays, streams.reciprocals, true);
    EXPECT_NE(differing(expected, traceOnCpu(sample.octree, rays, streams.reciprocals), ~0U), 0U);
    for (const bool persistent : {false, true}) {
        StreamTracerOptions options;
        options.persistent = persistent;
        options.surfaces = true;
        options.stepsPerRound = 1;
        options.rounds = 2;
        EXPECT_EQ(differing(trace(onDevice, streams.places, kRays, options), expected, ~0U), 0U);
    }
}

/// An octree's nodes and leaves dealt out to two chunks, which have nothing in common: every other family of nodes, and
/// of leaves, is in the second one.
class TwoChunks {
public:
    explicit TwoChunks(const Octree& octree)
        : levels_(octree.levels)
        , tree_(std::get<TreeEncoding>(octree.encoding)) {
        nodes_.fill(std::vector<shared::OctreeNode>(tree_.nodes.size()));
        leaves_.fill(std::vector<shared::uvec2>(tree_.leaves.size()));
        place(0, 0, 0);
    }

    DeviceOctree upload(const gpu::Device& device) const {
        shared::OctreeView view{};
        view.levels = levels_;
        view.encoding = OCTREE_TREE;
        std::vector<gpu::Buffer> buffers;
        for (std::size_t chunk = 0; chunk < 2; ++chunk) {
            view.nodes[chunk] = buffers.emplace_back(aureole::upload(device, nodes_.at(chunk))).address();
            view.leaves[chunk] = buffers.emplace_back(aureole::upload(device, leaves_.at(chunk))).address();
        }
        return {device, view, std::move(buffers)};
    }

    std::array<std::size_t, 2> families() const { return families_; }

private:
    void place(std::uint32_t index, std::uint32_t level, std::uint32_t chunk) {
        const shared::OctreeNode& node = tree_.nodes[index];
        const bool hasLeaves = level + 2 == levels_;
        const std::uint32_t childChunk = next_++ % 2;
        ++families_.at(childChunk);
        shared::OctreeNode& placed = nodes_.at(chunk)[index];
        placed = node;
        placed.firstChild += childChunk << (hasLeaves ? OCTREE_LEAF_CHUNK_SHIFT : OCTREE_NODE_CHUNK_SHIFT);
        const std::uint32_t children = shared::maskCount({node.maskLow, node.maskHigh});
        for (std::uint32_t child = node.firstChild; child < node.firstChild + children; ++child) {
            if (hasLeaves) {
                leaves_.at(childChunk)[child] = tree_.leaves[child];
            } else {
                place(child, level + 1, childChunk);
            }
        }
    }

    std::uint32_t levels_;
    const TreeEncoding& tree_;
    std::array<std::vector<shared::OctreeNode>, 2> nodes_;
    std::array<std::vector<shared::uvec2>, 2> leaves_;
    std::array<std::size_t, 2> families_{};
    std::uint32_t next_ = 1;
};

TEST_F(StreamStrategies, HitWhatTheCpuHitsInSeveralChunks) {
    const OctreeSample sample{"gyroid", makeGyroid(64), {}};
    const TwoChunks chunks(sample.octree);
    EXPECT_GT(chunks.families()[0], 10U);
    EXPECT_GT(chunks.families()[1], 10U);
    const DeviceOctree onDevice = chunks.upload(device());
    ASSERT_FALSE(onDevice.isOneChunk());
    expectHitsOfCpu(sample, onDevice, (1U << OCTREE_LEAF_CHUNK_SHIFT) - 1U);
}

} // namespace
} // namespace aureole
