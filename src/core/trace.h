#pragma once

// The timeline of a run: what each thread and each device did when, for chrome://tracing, Perfetto and
// tools/bench/timeline.py.

#include <chrono>
#include <filesystem>
#include <string>

namespace aureole {

using TraceClock = std::chrono::steady_clock;

/// From now on spans are recorded; before, they cost next to nothing.
void startTrace();
bool tracing();

/// What this thread does while the object is there. A span that begins within another one ends within it.
class TraceSpan {
public:
    /// `name` stays where it is, as a literal does.
    explicit TraceSpan(const char* name);
    ~TraceSpan();
    TraceSpan(const TraceSpan&) = delete;
    TraceSpan& operator=(const TraceSpan&) = delete;
    TraceSpan(TraceSpan&&) = delete;
    TraceSpan& operator=(TraceSpan&&) = delete;

private:
    const char* name_; ///< null where nothing is recorded
    TraceClock::time_point begin_;
};

/// What something that is no thread did, such as a device; `track` names it.
void addTraceSpan(const std::string& track, std::string name, TraceClock::time_point begin, TraceClock::time_point end);

/// Writes what was recorded so far in Chrome's trace event format: times in microseconds from startTrace on, threads as
/// process 1, all else as process 2. Throws Error (CannotWrite).
void writeTrace(const std::filesystem::path& path);

} // namespace aureole
