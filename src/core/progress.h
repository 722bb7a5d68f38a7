#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace aureole {

enum class ProgressStyle {
    Auto, ///< a bar on a terminal, nothing elsewhere
    Bar,
    Json, ///< one JSON object per line on stderr
    None,
};

/// Sets the style of every Progress made after this call; with Json, that of the log too.
void setProgressStyle(ProgressStyle style);

/// Shows how far a long task is, on stderr, at most ten times a second, with the time it has left. When the object
/// goes, a bar is removed; of JSON, the last line tells of the last update, whenever that was.
class Progress {
public:
    /// `stage` names the task; `total` is its amount of work in any unit, at least 1.
    Progress(std::string stage, std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    Progress(Progress&&) = delete;
    Progress& operator=(Progress&&) = delete;

    /// Figures beside the progress, by the name that they have in JSON.
    using Figures = std::initializer_list<std::pair<const char*, double>>;

    /// `done` of the total is done; `note` (such as a rate) stands behind the bar, `figures` are for JSON. For one
    /// thread at a time. What does not fit into memory is not shown.
    void update(std::uint64_t done, const std::string& note = {}, Figures figures = {}) noexcept;

private:
    using Clock = std::chrono::steady_clock;

    void show();
    std::string line(double seconds) const;

    std::string stage_;
    std::uint64_t total_;
    ProgressStyle style_;
    Clock::time_point start_;
    Clock::time_point lastShown_;
    bool shown_ = false; ///< ever
    bool isNew_ = false; ///< what follows was not shown yet
    std::uint64_t done_ = 0;
    std::string note_;
    std::vector<std::pair<const char*, double>> figures_;
};

/// A duration for people: "0.8 s", "2 min 05 s", "3 h 07 min".
std::string formatDuration(double seconds);

} // namespace aureole
