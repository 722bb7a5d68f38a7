#include "gpu/buffer.h"

#include <algorithm>

#include "core/error.h"
#include "core/trace.h"

namespace aureole::gpu {

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
    const TraceSpan span("buffer");
    const PhysicalDevice& physical = context->physical();
    // Vulkan has no empty buffers, but an empty array still wants an address.
    const std::uint64_t allocated = std::max<std::uint64_t>(size, 4);
    if (allocated > physical.info.maxAllocationBytes) {
        fail(ExitCode::OutOfMemory, "buffer '{}': {} bytes asked for; '{}' takes at most {} in one buffer", name, size,
             physical.info.name, physical.info.maxAllocationBytes);
    }
    try {
        allocate(*context, allocated, kind, name, allocation);
        if (context->bounds() != nullptr) {
            const auto locked = context->lock();
            context->bounds()->add(allocation.address, bytes, name);
        }
    } catch (...) {
        release();
        throw;
    }
}

Buffer::State::~State() {
    release();
}

void Buffer::State::release() {
    if (allocation.buffer != VK_NULL_HANDLE) {
        context->release(allocation);
    }
}

std::uint64_t Buffer::address() const {
    return state_ ? state_->allocation.address : 0;
}

std::uint64_t Buffer::size() const {
    return state_ ? state_->bytes : 0;
}

std::span<std::byte> Buffer::mapped() const {
    if (!state_ || state_->allocation.mapped == nullptr) {
        return {};
    }
    return {state_->allocation.mapped, state_->bytes};
}

} // namespace aureole::gpu
