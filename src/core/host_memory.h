#pragma once

#include <cstdint>

namespace aureole {

/// The bytes of memory that this machine has, in use or not.
std::uint64_t hostMemoryBytes();

} // namespace aureole
