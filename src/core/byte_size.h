#pragma once

#include <cstdint>
#include <string>

namespace aureole {

/// "2 GiB", "512 MiB": to three digits, in the largest unit of which there is one.
std::string bytesText(std::uint64_t bytes);

} // namespace aureole
