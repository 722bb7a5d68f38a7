#include "core/hash.h"

#include <fmt/format.h>

namespace aureole {

void Hasher::add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) {
        state_ = (state_ ^ bytes[i]) * 0x100000001b3ULL;
    }
}

std::uint64_t Hasher::value() const {
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::string Hasher::hex() const {
    return fmt::format("{:016x}", value());
}

} // namespace aureole
