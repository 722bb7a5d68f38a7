// How inputs of targets that read PNG files change.

#include <cstdint>

#include <zlib.h>

#include "mutator.h"

namespace aureole::fuzz {

namespace {

std::uint32_t bigEndian(std::span<const std::byte> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | std::to_integer<std::uint32_t>(bytes[i]);
    }
    return value;
}

/// Makes the checksums of the chunks right, as far as the file has such.
void mendPng(std::span<std::byte> file) {
    constexpr std::size_t kSignature = 8;
    constexpr std::size_t kFrame = 12; ///< length, type and checksum
    for (std::size_t at = kSignature; at + kFrame <= file.size();) {
        const std::size_t length = bigEndian(file.subspan(at));
        if (length > file.size() - at - kFrame) {
            return;
        }
        const std::span<std::byte> content = file.subspan(at + 4, length + 4);
        auto sum = static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
        at += kFrame + length;
        for (std::size_t i = 1; i <= 4; ++i, sum >>= 8U) {
            file[at - i] = static_cast<std::byte>(sum & 255U);
        }
    }
}

} // namespace

std::vector<std::byte> mutateInput(Bytes input, std::size_t maximumSize, unsigned seed) {
    std::vector<std::byte> mutated = mutateBytes(input, maximumSize);
    if (isMended(seed)) {
        mendPng(mutated);
    }
    return mutated;
}

} // namespace aureole::fuzz
