#include "mutator.h"

#include <algorithm>
#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's names

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maximumSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maximumSize,
                                               unsigned seed) {
    const std::vector<std::byte> mutated =
        aureole::fuzz::mutateInput(std::as_bytes(std::span(data, size)), maximumSize, seed);
    if (mutated.size() > maximumSize) {
        return size;
    }
    std::copy(mutated.begin(), mutated.end(), reinterpret_cast<std::byte*>(data));
    return mutated.size();
}

// NOLINTEND(readability-identifier-naming)

namespace aureole::fuzz {

std::vector<std::byte> mutateBytes(Bytes bytes, std::size_t maximumSize) {
    std::vector<std::byte> mutated(bytes.begin(), bytes.end());
    mutated.resize(std::max(maximumSize, bytes.size()));
    mutated.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(mutated.data()), bytes.size(), mutated.size()));
    return mutated;
}

} // namespace aureole::fuzz
