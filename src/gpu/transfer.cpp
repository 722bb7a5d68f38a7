#include "gpu/transfer.h"

#include <algorithm>
#include <cstring>

namespace aureole::gpu {

void StagingRing::upload(const Device& device, const Buffer& target, std::uint64_t offset,
                         std::span<const std::byte> bytes) {
    if (upload_.size() == 0) {
        upload_ = device.createBuffer(kPartBytes * kParts, MemoryKind::Upload, "staging upload");
    }
    for (std::size_t part = 0; !bytes.empty(); part = (part + 1) % kParts) {
        copies_[part].wait();
        const std::size_t size = std::min<std::size_t>(bytes.size(), kPartBytes);
        std::memcpy(&upload_.mapped()[part * kPartBytes], bytes.data(), size);
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
    if (download_.size() == 0) {
        download_ = device.createBuffer(kPartBytes * kParts, MemoryKind::Readback, "staging download");
    }
    std::size_t part = 0;
    for (; !bytes.empty(); part = (part + 1) % kParts) {
        empty(part);
        const std::size_t size = std::min<std::size_t>(bytes.size(), kPartBytes);
        CommandEncoder commands = device.encoder();
        commands.copy(source, offset, download_, part * kPartBytes, size);
        copies_[part] = device.submit(std::move(commands));
        targets_[part] = bytes.first(size);
        bytes = bytes.subspan(size);
        offset += size;
    }
    for (std::size_t i = 0; i < kParts; ++i) {
        empty((part + i) % kParts);
    }
}

void StagingRing::empty(std::size_t part) {
    copies_[part].wait();
    const std::span<std::byte> target = targets_[part];
    if (!target.empty()) {
        std::memcpy(target.data(), &download_.mapped()[part * kPartBytes], target.size());
        targets_[part] = {};
    }
}

} // namespace aureole::gpu
