#include "sandbox/pack.h"

#include <algorithm>
#include <stdexcept>

namespace aureole::sandbox {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16U;

} // namespace

void Packer::put(std::span<const std::byte> bytes) {
    if (held_.size() + bytes.size() > kBufferBytes) {
        flush();
    }
    if (bytes.size() > kBufferBytes) {
        channel_.send(bytes);
    } else {
        held_.insert(held_.end(), bytes.begin(), bytes.end());
    }
}

void Packer::flush() {
    channel_.send(held_);
    held_.clear();
}

void Unpacker::refuse(const char* what) {
    throw std::runtime_error(what);
}

void Unpacker::charge(std::uint64_t bytes) {
    if (bytes > left_) {
        refuse("more than it may hold");
    }
    left_ -= bytes;
}

void Unpacker::get(std::span<std::byte> bytes) {
    charge(bytes.size());
    while (!bytes.empty()) {
        if (at_ < held_.size()) {
            const std::size_t count = std::min(bytes.size(), held_.size() - at_);
            std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(at_), count, bytes.begin());
            at_ += count;
            bytes = bytes.subspan(count);
        } else if (ahead_ == Ahead::No || bytes.size() >= kBufferBytes) {
            channel_.receive(bytes);
            return;
        } else {
            held_.resize(kBufferBytes);
            held_.resize(channel_.receiveSome(held_));
            at_ = 0;
        }
    }
}

} // namespace aureole::sandbox
