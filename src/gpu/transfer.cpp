#include "gpu/transfer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/divide_up.h"
#include "core/threads/loop_threads.h"
#include "core/threads/parallel.h"

namespace aureole::gpu {

namespace {

/// Between the ring and the host's memory, by several cores: what comes from a file is mapped, and its pages are found
/// one by one.
void copyBytes(std::byte* target, const std::byte* source, std::size_t size) {
    constexpr std::size_t kPiece = std::size_t{1} << 18U;
    parallelFor(static_cast<std::int64_t>(divideUp(size, kPiece)), 1, [&](std::int64_t piece) {
        const std::size_t first = static_cast<std::size_t>(piece) * kPiece;
        std::memcpy(target + first, source + first, std::min(size - first, kPiece));
    });
}

/// Half of the cores fill the ring as fast as the device empties it. With all of them, loops would wait at the end of
/// each part for threads that other work, such as storing the octree, has taken the cores of.
unsigned threadsOfCopies() {
    return std::max(loopThreads() / 2, 1U);
}

} // namespace

void StagingRing::upload(const Device& device, const Buffer& target, std::uint64_t offset,
                         std::span<const std::byte> bytes) {
    const std::lock_guard locked(mutex_);
    const LoopThreads some(threadsOfCopies());
    if (upload_.size() == 0) {
        upload_ = device.createBuffer(kPartBytes * kParts, MemoryKind::Upload, "staging upload");
    }
    for (std::size_t part = 0; !bytes.empty(); part = (part + 1) % kParts) {
        copies_[part].wait();
        const std::size_t size = std::min<std::size_t>(bytes.size(), kPartBytes);
        copyBytes(&upload_.mapped()[part * kPartBytes], bytes.data(), size);
        CommandEncoder commands = device.encoder();
        commands.copy(upload_, part * kPartBytes, target, offset, size);
        copies_[part] = device.submit(std::move(commands));
        bytes = bytes.subspan(size);
        offset += size;
    }
    for (Submission& copy : copies_) {
        copy.wait();
    }
}

void StagingRing::download(const Device& device, const Buffer& source, std::uint64_t offset,
                           std::span<std::byte> bytes) {
    const std::lock_guard locked(mutex_);
    const LoopThreads some(threadsOfCopies());
    if (download_.size() == 0) {
        download_ = device.createBuffer(kPartBytes * kParts, MemoryKind::Readback, "staging download");
    }
    std::array<std::span<std::byte>, kParts> targets; // where the bytes of each part belong
    const auto empty = [&](std::size_t part) {
        copies_[part].wait();
        if (!targets[part].empty()) {
            copyBytes(targets[part].data(), &download_.mapped()[part * kPartBytes], targets[part].size());
        }
        targets[part] = {};
    };
    std::size_t part = 0;
    for (; !bytes.empty(); part = (part + 1) % kParts) {
        empty(part);
        const std::size_t size = std::min<std::size_t>(bytes.size(), kPartBytes);
        CommandEncoder commands = device.encoder();
        commands.copy(source, offset, download_, part * kPartBytes, size);
        copies_[part] = device.submit(std::move(commands));
        targets[part] = bytes.first(size);
        bytes = bytes.subspan(size);
        offset += size;
    }
    for (std::size_t i = 0; i < kParts; ++i) {
        empty((part + i) % kParts);
    }
}

} // namespace aureole::gpu
