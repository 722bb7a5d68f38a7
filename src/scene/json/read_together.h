#pragma once

// Several files read at once, as if one were read after the other.

#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

#include "core/held_log.h"

namespace aureole {

/// How many are read at once at most. Each is read by a worker of its own, which may take all the memory that one asset
/// may.
inline constexpr std::size_t kFilesAtOnce = 4;

/// What reading a file came to, but for its result.
struct ReadOutcome {
    std::vector<LogLine> log;
    std::exception_ptr error; ///< null: none

    /// Logs what was logged, and throws what was thrown.
    void tell() const;
};

/// Calls read(i) for each i in [0, count) on the cores there are, and keeps what these say.
std::vector<ReadOutcome> readTogether(std::size_t count, const std::function<void(std::size_t)>& read);

} // namespace aureole
