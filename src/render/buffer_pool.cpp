#include "render/buffer_pool.h"

#include <algorithm>
#include <utility>

#include "core/divide_up.h"

namespace aureole {

namespace {

constexpr std::uint64_t kAlignment = 256;
constexpr std::uint64_t kMostBlockBytes = std::uint64_t{64} << 20U;
/// Arrays of so many bytes have a buffer of their own.
constexpr std::uint64_t kLargeBytes = std::uint64_t{32} << 20U;

} // namespace

std::uint64_t BufferPool::add(std::span<const std::byte> bytes, const std::string& name) {
    if (bytes.size() >= kLargeBytes) {
        return full_.emplace_back(device_.createBufferWith(bytes, name)).address();
    }
    std::uint64_t place = roundUp(gathered_.size(), kAlignment);
    if (place + bytes.size() > blockBytes_) {
        fillBlock();
        place = 0;
        blockBytes_ = std::max<std::uint64_t>(nextBytes_, bytes.size());
        block_ = device_.createBuffer(blockBytes_, gpu::MemoryKind::Device, "arrays of octrees");
        nextBytes_ = std::min(2 * nextBytes_, kMostBlockBytes);
    }
    gathered_.resize(place);
    gathered_.insert(gathered_.end(), bytes.begin(), bytes.end());
    return block_.address() + place;
}

void BufferPool::fillBlock() {
    if (blockBytes_ == 0) {
        return;
    }
    device_.upload(block_, 0, gathered_);
    full_.push_back(std::move(block_));
    gathered_.clear();
    blockBytes_ = 0;
}

std::vector<gpu::Buffer> BufferPool::take() {
    fillBlock();
    return std::exchange(full_, {});
}

} // namespace aureole
