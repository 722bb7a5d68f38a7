#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "stream/stream_kernels.h"
#include "stream_rays.h"

namespace aureole {
namespace {

using shared::RayRecord;

bool same(const RayRecord& a, const RayRecord& b) {
    return a.origin == b.origin && a.direction == b.direction;
}

/// Records with bits of their own, of which `isLive` tells which are rays.
std::vector<RayRecord> records(std::uint32_t count, const std::function<bool(std::uint32_t)>& isLive) {
    std::mt19937 random(count);
    std::vector<RayRecord> rays;
    for (std::uint32_t i = 0; i < count; ++i) {
        RayRecord ray = shared::noRay(i);
        if (isLive(i)) {
            ray.origin = glm::uvec4(random(), random(), random(), random() % 8);
            ray.direction = glm::uvec4(random() | 1U, random(), random(), i);
        }
        rays.push_back(ray);
    }
    return rays;
}

class StreamKernelsTest : public gpu::GpuTest {
protected:
    void SetUp() override {
        gpu::GpuTest::SetUp();
        kernels_.emplace(device());
    }

    static void run(const std::function<void(gpu::CommandEncoder&)>& record) {
        gpu::CommandEncoder commands = device().encoder();
        record(commands);
        commands.barrier();
        device().submit(std::move(commands)).wait();
    }

    struct Queue {
        std::uint32_t length = 0;
        std::vector<RayRecord> rays; ///< of the whole buffer
    };

    Queue compacted(const std::vector<RayRecord>& rays) {
        const gpu::Buffer source = upload(device(), rays);
        const gpu::Buffer target = makeFilled<RayRecord>(device(), rays.size());
        const gpu::Buffer number = upload(device(), std::vector<std::uint32_t>{0});
        run([&](gpu::CommandEncoder& commands) {
            kernels_->compact(commands, source.address(), target.address(), number.address(),
                              static_cast<std::uint32_t>(rays.size()));
        });
        return {download<std::uint32_t>(device(), number, 1)[0], download<RayRecord>(device(), target, rays.size())};
    }

    std::optional<StreamKernels> kernels_;
};

/// Every ray once, none of what is none, nothing behind the end.
void expectCompacted(const std::vector<RayRecord>& rays, const std::uint32_t length,
                     const std::vector<RayRecord>& queue) {
    ASSERT_EQ(length, countRays(rays));
    std::vector<std::uint32_t> seen(rays.size(), 0);
    for (std::uint32_t place = 0; place < length; ++place) {
        const std::uint32_t pixel = shared::rayPixel(queue[place]);
        ASSERT_LT(pixel, rays.size()) << "at " << place;
        EXPECT_TRUE(same(queue[place], rays[pixel])) << "at " << place;
        ++seen[pixel];
    }
    for (std::uint32_t i = 0; i < rays.size(); ++i) {
        EXPECT_EQ(seen[i], shared::isRay(rays[i])) << "ray " << i;
    }
    for (std::size_t place = length; place < queue.size(); ++place) {
        EXPECT_EQ(queue[place].origin.x, 0xFFFFFFFFU) << "at " << place;
    }
}

TEST_F(StreamKernelsTest, CompactionKeepsEveryRayOnce) {
    const std::vector<std::function<bool(std::uint32_t)>> patterns = {
        [](std::uint32_t) { return false; }, [](std::uint32_t) { return true; },
        [](std::uint32_t i) { return i % 3 == 1; },
        [](std::uint32_t i) { return i / 700 % 2 == 1; },  // whole rows, and parts of them
        [](std::uint32_t i) { return i % 1024 == 1023; }}; // the last of each workgroup's
    for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern) {
        for (const std::uint32_t count : {1U, 7U, 256U, 1023U, 1024U, 1025U, 6000U}) {
            SCOPED_TRACE(testing::Message() << "pattern " << pattern << ", " << count);
            const std::vector<RayRecord> rays = records(count, patterns[pattern]);
            const Queue queue = compacted(rays);
            expectCompacted(rays, queue.length, queue.rays);
        }
    }
}

TEST_F(StreamKernelsTest, CompactionKeepsTheOrderWithinAWorkgroup) {
    constexpr std::uint32_t kOfWorkgroup = 1024;
    const std::vector<RayRecord> rays = records(5 * kOfWorkgroup, [](std::uint32_t i) { return i % 5 != 2; });
    const Queue queue = compacted(rays);
    ASSERT_EQ(queue.length, countRays(rays));
    for (std::uint32_t place = 1; place < queue.length; ++place) {
        const std::uint32_t before = shared::rayPixel(queue.rays[place - 1]);
        const std::uint32_t here = shared::rayPixel(queue.rays[place]);
        EXPECT_TRUE(before / kOfWorkgroup != here / kOfWorkgroup || before < here) << "at " << place;
    }
}

/// Octants first, then the cells of a grid of 2^bits a side in the order of their Morton codes, told by comparing
/// coordinates: the highest bit in which any differs decides, and of two axes that differ in it, the later one.
bool comesBefore(const RayRecord& a, const RayRecord& b, std::uint32_t bits) {
    if ((shared::rayMirrorAxes(a)) != (shared::rayMirrorAxes(b))) {
        return (shared::rayMirrorAxes(a)) < (shared::rayMirrorAxes(b));
    }
    for (std::uint32_t bit = 22; bit + bits > 22; --bit) {
        for (int axis = 2; axis >= 0; --axis) {
            const std::uint32_t ofA = (a.origin[axis] >> bit) & 1U;
            const std::uint32_t ofB = (b.origin[axis] >> bit) & 1U;
            if (ofA != ofB) {
                return ofA < ofB;
            }
        }
    }
    return false;
}

TEST_F(StreamKernelsTest, SortingPutsEveryRayInItsPlace) {
    for (const std::uint32_t bits : {1U, 4U, 9U}) {
        for (const std::uint32_t count : {1U, 300U, 4099U}) {
            SCOPED_TRACE(testing::Message() << bits << " bits, " << count);
            const std::vector<RayRecord> rays = records(count, [](std::uint32_t) { return true; });
            const gpu::Buffer source = upload(device(), rays);
            const gpu::Buffer target = makeFilled<RayRecord>(device(), count);
            const gpu::Buffer keys = makeFilled<std::uint64_t>(device(), count);
            const gpu::Buffer numbers = makeFilled<std::uint32_t>(device(), count);
            const gpu::Buffer sortedKeys = makeFilled<std::uint64_t>(device(), count);
            const gpu::Buffer sortedNumbers = makeFilled<std::uint32_t>(device(), count);
            scan::SortOptions options;
            options.maximumCount = count;
            options.endBit = 3 + 3 * bits;
            scan::SortPlan plan = scan::planSort(device(), options);
            run([&](gpu::CommandEncoder& commands) {
                const scan::SortArrays sorted{sortedKeys.address(), sortedNumbers.address()};
                kernels_->makeKeys(commands, source.address(), {keys.address(), numbers.address()}, count, bits);
                commands.barrier();
                plan.execute(commands, {keys.address(), numbers.address()}, sorted, count);
                commands.barrier();
                kernels_->gather(commands, source.address(), sorted.values, target.address(), count);
            });
            std::vector<RayRecord> expected = rays;
            std::stable_sort(expected.begin(), expected.end(),
                             [&](const RayRecord& a, const RayRecord& b) { return comesBefore(a, b, bits); });
            const std::vector<RayRecord> found = download<RayRecord>(device(), target, count);
            for (std::uint32_t place = 0; place < count; ++place) {
                ASSERT_TRUE(same(found[place], expected[place])) << "at " << place;
            }
        }
    }
}

TEST_F(StreamKernelsTest, HitsComeToTheirPixels) {
    constexpr std::uint32_t kCount = 1500;
    std::vector<RayRecord> rays = records(kCount, [](std::uint32_t i) { return i % 4 != 0; });
    std::shuffle(rays.begin(), rays.end(), std::mt19937(5));
    std::vector<shared::HitRecord> hits;
    for (const RayRecord& ray : rays) {
        hits.push_back({glm::uvec4(shared::rayPixel(ray), 1, 2, 3)});
    }
    const gpu::Buffer source = upload(device(), rays);
    const gpu::Buffer given = upload(device(), hits);
    const gpu::Buffer target = makeFilled<shared::HitRecord>(device(), kCount);
    run([&](gpu::CommandEncoder& commands) {
        kernels_->byPixel(commands, source.address(), given.address(), target.address(), kCount);
    });
    const std::vector<shared::HitRecord> found = download<shared::HitRecord>(device(), target, kCount);
    for (std::uint32_t pixel = 0; pixel < kCount; ++pixel) {
        EXPECT_EQ(found[pixel].bits, pixel % 4 == 0 ? glm::uvec4(0xFFFFFFFFU) : glm::uvec4(pixel, 1, 2, 3)) << pixel;
    }
}

} // namespace
} // namespace aureole
