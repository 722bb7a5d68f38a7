#pragma once

// What ranks tell rank 0 of their work, for the report of the whole.

#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "film/film.h"
#include "ranks/crew.h"
#include "session/render_report.h"

namespace aureole {

/// What a rank has rendered.
struct Rendered {
    std::uint64_t samples = 0; ///< of each pixel of one picture, those of a run before included
    std::uint64_t resumed = 0; ///< those of a run before
    bool saved = true;         ///< all in parts that were written
    std::uint64_t rays = 0;
    std::vector<ReportedDevice> devices;
    // Of frames:
    std::uint64_t frames = 0;
    std::uint64_t framesFound = 0;
    std::uint64_t samplesTotal = 0;
    std::uint64_t outputBytes = 0;
    SampleRanges framesThere;
};

nlohmann::json toJson(const Rendered& rendered);
Rendered renderedFromJson(const nlohmann::json& json);

nlohmann::json devicesToJson(const std::vector<ReportedDevice>& devices);
std::vector<ReportedDevice> devicesFromJson(const nlohmann::json& json);

/// Makes the figures of rank 0 those of all ranks, of which those that failed told none; `seconds` is what rendering
/// took. Returns the frames that have a file.
SampleRanges reportRanks(const std::vector<RankOutcome>& outcomes, double seconds, RenderReport& report);

} // namespace aureole
