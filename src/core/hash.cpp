#include "core/hash.h"

#include <array>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace aureole {

void Hasher::Free::operator()(XXH3_state_s* state) const {
    XXH3_freeState(state);
}

Hasher::Hasher()
    : state_(XXH3_createState()) {
    if (!state_) {
        throw std::bad_alloc();
    }
    XXH3_64bits_reset(state_.get());
}

void Hasher::add(const void* data, std::size_t size) {
    XXH3_64bits_update(state_.get(), data, size);
}

std::uint64_t Hasher::value() const {
    return XXH3_64bits_digest(state_.get());
}

namespace {

/// Bijective in either argument, so that no single changed word goes unnoticed.
std::uint64_t mixWord(std::uint64_t lane, std::uint64_t word) {
    lane = (lane ^ word) * 0x9E3779B97F4A7C15ULL;
    return lane ^ (lane >> 29U);
}

} // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
    constexpr std::size_t kLanes = 4;
    std::array<std::uint64_t, kLanes> lanes = {0xcbf29ce484222325ULL, 0x84222325cbf29ce4ULL, 0x9ce484222325cbf2ULL,
                                               0x2325cbf29ce48422ULL};
    std::array<std::uint64_t, kLanes> words{};
    std::size_t done = 0;
    for (; done + sizeof(words) <= bytes.size(); done += sizeof(words)) {
        std::memcpy(words.data(), bytes.data() + done, sizeof(words));
        for (std::size_t i = 0; i < kLanes; ++i) {
            lanes[i] = mixWord(lanes[i], words[i]);
        }
    }
    words = {};
    if (done < bytes.size()) { // memcpy takes no null pointer, not even for nothing
        std::memcpy(words.data(), bytes.data() + done, bytes.size() - done);
    }
    std::uint64_t sum = bytes.size();
    for (std::size_t i = 0; i < kLanes; ++i) {
        sum = mixWord(sum, mixWord(lanes[i], words[i]));
    }
    return mixWord(sum, sum >> 32U);
}

std::string Hasher::hex() const {
    return fmt::format("{:016x}", value());
}

} // namespace aureole
