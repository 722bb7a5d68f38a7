#include "gpu/allocation.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "gpu/context.h"

namespace aureole::gpu {

namespace {

/// What shaders may count on (vec4 arrays among them); every known driver aligns allocations more than that.
constexpr std::uint64_t kAddressAlignment = 16;

/// What the memory of a kind must have, should have, and should not have.
struct Wishes {
    VkMemoryPropertyFlags needed;
    VkMemoryPropertyFlags liked;
    VkMemoryPropertyFlags disliked;
};

Wishes wishesFor(MemoryKind kind) {
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    switch (kind) {
    case MemoryKind::Device:
        // Device memory that the host can map is often a small window: leave it to those who need it.
        return {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT};
    case MemoryKind::Upload:
        return {kMapped, 0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
    case MemoryKind::Readback:
        return {kMapped, VK_MEMORY_PROPERTY_HOST_CACHED_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
    }
    fail(ExitCode::Internal, "unknown kind of memory {}", static_cast<int>(kind));
}

/// The bytes free on a heap, as far as the driver tells, else its size.
std::uint64_t freeBytes(const Context& context, std::uint32_t heap) {
    if (!context.physical().memoryBudget) {
        return context.memory().memoryHeaps[heap].size;
    }
    auto budget = structure<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
    auto memory = structure<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
    memory.pNext = &budget;
    context.instance().vk().vkGetPhysicalDeviceMemoryProperties2(context.physical().handle, &memory);
    return budget.heapBudget[heap] - std::min(budget.heapUsage[heap], budget.heapBudget[heap]);
}

} // namespace

std::uint32_t chooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t typeBits,
                               MemoryKind kind) {
    const Wishes wishes = wishesFor(kind);
    // Types with a property outside of these want a feature or an extension to be enabled.
    constexpr VkMemoryPropertyFlags kKnown = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    int bestScore = -1;
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
        if (((typeBits >> i) & 1U) == 0 || (flags & wishes.needed) != wishes.needed || (flags & ~kKnown) != 0) {
            continue;
        }
        const int score = 8 + std::popcount(flags & wishes.liked) - 2 * std::popcount(flags & wishes.disliked);
        if (score > bestScore) {
            bestScore = score;
            best = i;
        }
    }
    if (bestScore < 0) {
        fail(ExitCode::NoDevice, "the device has no memory that suits (types {:#x}, properties {:#x} needed)", typeBits,
             wishes.needed);
    }
    return best;
}

std::uint64_t freeDeviceBytes(const Context& context) {
    const VkPhysicalDeviceMemoryProperties& memory = context.memory();
    std::uint32_t largest = 0;
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        const VkMemoryHeap& heap = memory.memoryHeaps[i];
        if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 && heap.size > bytes) {
            largest = i;
            bytes = heap.size;
        }
    }
    return freeBytes(context, largest);
}

namespace {

/// Memory for a buffer with those requirements, of so many bytes, and `slack` bytes to move it about in.
VkDeviceMemory allocateMemory(Context& context, const VkMemoryRequirements& requirements, std::uint64_t bytes,
                              MemoryKind kind, std::uint64_t slack, const std::string& label) {
    const DeviceFunctions& vk = context.vk();
    auto flags = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto allocation = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocation.pNext = &flags;
    allocation.allocationSize = requirements.size + slack;
    allocation.memoryTypeIndex = chooseMemoryType(context.memory(), requirements.memoryTypeBits, kind);
    const std::uint32_t heap = context.memory().memoryTypes[allocation.memoryTypeIndex].heapIndex;
    const std::uint64_t most = std::min(context.physical().maxMemoryBytes, context.memory().memoryHeaps[heap].size);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const auto allocate = [&] {
        return allocation.allocationSize > most ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                                                : vk.vkAllocateMemory(context.device(), &allocation, nullptr, &memory);
    };
    VkResult result = allocate();
    if (result != VK_SUCCESS && context.drain()) {
        result = allocate();
    }
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        fail(ExitCode::OutOfMemory, "{}: {} bytes asked for, about {} free on '{}'", label, bytes,
             freeBytes(context, heap), context.physical().info.name);
    }
    check(result, "vkAllocateMemory", label);
    return memory;
}

VkBuffer createBuffer(const Context& context, std::uint64_t bytes, const std::string& label) {
    auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (context.tracesRays()) {
        info.usage |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                      VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR;
    }
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    VkBuffer buffer = VK_NULL_HANDLE;
    check(context.vk().vkCreateBuffer(context.device(), &info, nullptr, &buffer), "vkCreateBuffer", label);
    return buffer;
}

std::uint64_t bindAt(const Context& context, const Allocation& allocation, std::uint64_t offset,
                     const std::string& label) {
    check(context.vk().vkBindBufferMemory(context.device(), allocation.buffer, allocation.memory, offset),
          "vkBindBufferMemory", label);
    auto info = structure<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    info.buffer = allocation.buffer;
    return context.vk().vkGetBufferDeviceAddress(context.device(), &info);
}

} // namespace

void allocate(Context& context, std::uint64_t bytes, MemoryKind kind, const std::string& name, Allocation& made) {
    const DeviceFunctions& vk = context.vk();
    const std::string label = fmt::format("buffer '{}'", name);
    made.buffer = createBuffer(context, bytes, label);
    VkMemoryRequirements requirements;
    vk.vkGetBufferMemoryRequirements(context.device(), made.buffer, &requirements);
    // Checks of bounds want a page to belong to one buffer.
    const std::uint64_t slack = context.bounds() != nullptr ? MemoryChecks::kPageBytes : 0;
    made.memory = allocateMemory(context, requirements, bytes, kind, slack, label);
    made.address = bindAt(context, made, 0, label);
    std::uint64_t offset = 0;
    if (slack != 0 && made.address % slack != 0) {
        offset = slack - made.address % slack;
        vk.vkDestroyBuffer(context.device(), made.buffer, nullptr);
        made.buffer = VK_NULL_HANDLE;
        made.buffer = createBuffer(context, bytes, label);
        made.address = bindAt(context, made, offset, label);
    }
    if (kind != MemoryKind::Device) {
        void* pointer = nullptr;
        check(vk.vkMapMemory(context.device(), made.memory, offset, VK_WHOLE_SIZE, 0, &pointer), "vkMapMemory", label);
        made.mapped = static_cast<std::byte*>(pointer);
    }
    if (made.address % kAddressAlignment != 0) {
        fail(ExitCode::Internal, "{}: device address {:#x}, expected a multiple of {}", label, made.address,
             kAddressAlignment);
    }
    context.setName(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(made.buffer), name);
    context.setName(VK_OBJECT_TYPE_DEVICE_MEMORY, reinterpret_cast<std::uint64_t>(made.memory), name);
}

void free(const Context& context, const Allocation& allocation) {
    context.vk().vkDestroyBuffer(context.device(), allocation.buffer, nullptr);
    context.vk().vkFreeMemory(context.device(), allocation.memory, nullptr);
}

} // namespace aureole::gpu
