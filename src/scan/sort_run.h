#pragma once

// What the forms of the radix sort are given. Internal to the module, SortArrays aside.

#include <cstdint>

namespace aureole::scan {

inline constexpr std::uint32_t kKeyBits = 64;

/// Device addresses of keys (u64) and their values (u32), multiples of 8 and of 4.
struct SortArrays {
    std::uint64_t keys = 0;
    std::uint64_t values = 0;
};

/// One execution. Passes go to and fro between scratch and output, and end in the output.
struct SortRun {
    SortArrays input;
    SortArrays output;
    SortArrays scratch;
    std::uint32_t count = 0;
    std::uint32_t beginBit = 0;
    std::uint32_t endBit = 0;
    std::uint32_t passes = 0;
    std::uint32_t digitBits = 0; ///< of a pass, the last ones' aside
    bool inPlace = false;        ///< then the number of passes is even
};

} // namespace aureole::scan
