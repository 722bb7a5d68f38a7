#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "core/input_file.h"
#include "core/stopwatch.h"

namespace aureole {

/// Calls `take` with a file's bytes, one piece after the other, the last one maybe empty. Throws Error (BadInput) where
/// it cannot be read, and, where workers have limits (sandbox::settings), once `clock` is past their time: a file with
/// holes takes no room and may have terabytes.
void forEachPiece(const InputFile& file, const Stopwatch& clock,
                  const std::function<void(std::span<const std::byte>)>& take);

} // namespace aureole
