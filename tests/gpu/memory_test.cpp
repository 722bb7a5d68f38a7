#include <vector>

#include "gpu/allocation.h"
#include "gpu_test/error_test.h"
#include "gpu_test/gpu_test.h"

namespace aureole::gpu {
namespace {

constexpr VkMemoryPropertyFlags kDeviceLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

VkPhysicalDeviceMemoryProperties memoryOf(const std::vector<VkMemoryPropertyFlags>& types) {
    VkPhysicalDeviceMemoryProperties memory{};
    for (const VkMemoryPropertyFlags flags : types) {
        memory.memoryTypes[memory.memoryTypeCount++].propertyFlags = flags;
    }
    return memory;
}

TEST(MemoryType, OfANvidiaCard) {
    const auto memory = memoryOf(
        {0, kDeviceLocal, kVisible | kCoherent, kVisible | kCoherent | kCached, kDeviceLocal | kVisible | kCoherent});
    EXPECT_EQ(chooseMemoryType(memory, ~0U, MemoryKind::Device), 1U);
    EXPECT_EQ(chooseMemoryType(memory, ~0U, MemoryKind::Upload), 2U);
    EXPECT_EQ(chooseMemoryType(memory, ~0U, MemoryKind::Readback), 3U);
    // What the buffer does not allow is not taken.
    EXPECT_EQ(chooseMemoryType(memory, ~(1U << 1U), MemoryKind::Device), 4U);
    EXPECT_EQ(chooseMemoryType(memory, ~(1U << 3U), MemoryKind::Readback), 2U);
}

TEST(MemoryType, OfAnAmdCardWithTypesBehindFeatures) {
    constexpr VkMemoryPropertyFlags kAmd = VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    const auto memory = memoryOf({kDeviceLocal | kAmd, kVisible | kCoherent | kCached | kAmd, kDeviceLocal,
                                  kDeviceLocal | kVisible | kCoherent, kVisible | kCoherent | kCached});
    EXPECT_EQ(chooseMemoryType(memory, ~0U, MemoryKind::Device), 2U);
    EXPECT_EQ(chooseMemoryType(memory, ~0U, MemoryKind::Upload), 4U);
    EXPECT_EQ(chooseMemoryType(memory, ~0U, MemoryKind::Readback), 4U);
}

TEST(MemoryType, OfADeviceWithOneTypeForAll) {
    const auto memory = memoryOf({kDeviceLocal | kVisible | kCoherent | kCached});
    for (const MemoryKind kind : {MemoryKind::Device, MemoryKind::Upload, MemoryKind::Readback}) {
        EXPECT_EQ(chooseMemoryType(memory, 1U, kind), 0U);
    }
    expectError(ExitCode::NoDevice, {"no memory that suits"},
                [&] { chooseMemoryType(memoryOf({kDeviceLocal}), 1U, MemoryKind::Upload); });
}

class MemoryTest : public GpuTest {};

TEST_F(MemoryTest, AbsurdSizesAreOutOfMemory) {
    for (const MemoryKind kind : {MemoryKind::Device, MemoryKind::Upload, MemoryKind::Readback}) {
        for (const std::uint64_t bytes : {std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
            expectError(ExitCode::OutOfMemory, {"'absurd'", std::to_string(bytes).c_str(), "at most"},
                        [&] { device().createBuffer(bytes, kind, "absurd"); });
        }
    }
    expectError(ExitCode::OutOfMemory, {"'large'"},
                [&] { device().createBuffer(device().info().maxAllocationBytes + 1, MemoryKind::Device, "large"); });
    // The device goes on.
    EXPECT_EQ(device().createBuffer(1000, MemoryKind::Device, "small").size(), 1000U);
}

TEST_F(MemoryTest, OnlyHostMemoryIsMapped) {
    EXPECT_TRUE(device().createBuffer(64, MemoryKind::Device, "device").mapped().empty());
    EXPECT_EQ(device().createBuffer(63, MemoryKind::Upload, "upload").mapped().size(), 63U);
    EXPECT_EQ(device().createBuffer(61, MemoryKind::Readback, "readback").mapped().size(), 61U);
    EXPECT_EQ(Buffer().size(), 0U);
    EXPECT_EQ(Buffer().address(), 0U);
    EXPECT_TRUE(Buffer().mapped().empty());
}

} // namespace
} // namespace aureole::gpu
