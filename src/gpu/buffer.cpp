#include "gpu/buffer.h"

#include <algorithm>
#include <bit>

#include "core/error.h"

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

void checkRange(const char* call, const std::string& buffer, std::uint64_t size, std::uint64_t offset,
                std::uint64_t bytes) {
    if (offset > size || bytes > size - offset) {
        fail(ExitCode::Internal, "{}: bytes {} to {} of buffer '{}', which has {}", call, offset, offset + bytes,
             buffer, size);
    }
}

Buffer::State::State(std::shared_ptr<Context> owner, std::uint64_t size, MemoryKind kind, std::string label)
    : context(std::move(owner))
    , name(std::move(label))
    , bytes(size) {
    const PhysicalDevice& physical = context->physical();
    // Vulkan has no empty buffers, but an empty array still wants an address.
    const std::uint64_t allocated = std::max<std::uint64_t>(size, 4);
    if (allocated > physical.info.maxAllocationBytes) {
        fail(ExitCode::OutOfMemory, "buffer '{}': {} bytes asked for; '{}' takes at most {} in one buffer", name, size,
             physical.info.name, physical.info.maxAllocationBytes);
    }
    try {
        create(allocated, kind);
    } catch (...) {
        release();
        throw;
    }
}

Buffer::State::~State() {
    release();
}

void Buffer::State::create(std::uint64_t allocated, MemoryKind kind) {
    const DeviceFunctions& vk = context->vk();
    VkDevice device = context->device();
    const std::string label = fmt::format("buffer '{}'", name);
    auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = allocated;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    check(vk.vkCreateBuffer(device, &info, nullptr, &handle), "vkCreateBuffer", label);
    VkMemoryRequirements requirements;
    vk.vkGetBufferMemoryRequirements(device, handle, &requirements);

    auto flags = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    auto allocation = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocation.pNext = &flags;
    allocation.allocationSize = requirements.size;
    allocation.memoryTypeIndex = chooseMemoryType(context->memory(), requirements.memoryTypeBits, kind);
    const std::uint32_t heap = context->memory().memoryTypes[allocation.memoryTypeIndex].heapIndex;
    const std::uint64_t most = std::min(context->physical().maxMemoryBytes, context->memory().memoryHeaps[heap].size);
    const auto allocate = [&] {
        return requirements.size > most ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                                        : vk.vkAllocateMemory(device, &allocation, nullptr, &memory);
    };
    VkResult result = allocate();
    if (result != VK_SUCCESS && context->drain()) {
        result = allocate();
    }
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        fail(ExitCode::OutOfMemory, "{}: {} bytes asked for, about {} free on '{}'", label, bytes,
             freeBytes(*context, heap), context->physical().info.name);
    }
    check(result, "vkAllocateMemory", label);
    check(vk.vkBindBufferMemory(device, handle, memory, 0), "vkBindBufferMemory", label);
    if (kind != MemoryKind::Device) {
        void* pointer = nullptr;
        check(vk.vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &pointer), "vkMapMemory", label);
        mapped = static_cast<std::byte*>(pointer);
    }
    auto addressInfo = structure<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    addressInfo.buffer = handle;
    address = vk.vkGetBufferDeviceAddress(device, &addressInfo);
    if (address % kAddressAlignment != 0) {
        fail(ExitCode::Internal, "{}: device address {:#x}, expected a multiple of {}", label, address,
             kAddressAlignment);
    }
    context->setName(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(handle), name);
    context->setName(VK_OBJECT_TYPE_DEVICE_MEMORY, reinterpret_cast<std::uint64_t>(memory), name);
}

void Buffer::State::release() {
    if (handle != VK_NULL_HANDLE) {
        context->release(handle, memory);
    }
}

std::uint64_t Buffer::address() const {
    return state_ ? state_->address : 0;
}

std::uint64_t Buffer::size() const {
    return state_ ? state_->bytes : 0;
}

std::span<std::byte> Buffer::mapped() const {
    if (!state_ || state_->mapped == nullptr) {
        return {};
    }
    return {state_->mapped, state_->bytes};
}

} // namespace aureole::gpu
