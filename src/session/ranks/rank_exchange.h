#pragma once

// What the ranks of a job must agree on, and what they tell each other: what they are ready to render, and what they
// have done. How far they are on the way is in rank_progress.h.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "film/checkpoint.h"
#include "film/film.h"
#include "ranks/crew.h"
#include "session/options.h"
#include "session/ranks/rank_plan.h"
#include "session/report.h"

namespace aureole {

/// Refuses options that have another meaning, or none, where ranks share the work. Throws Error (Usage).
void refuseRankOptions(const RenderOptions& options, std::size_t ranks);

/// What a rank tells before any rank renders.
struct RankReady {
    RenderIdentity identity;
    std::map<std::string, std::string> asked; ///< what is to be rendered and where to, by names for messages
    std::vector<IndexRange> parts;            ///< of a run before, that the rank sees
    std::string host;
    std::vector<ReportedDevice> devices;
};

/// What a rank has rendered.
struct RankWork {
    std::uint64_t samples = 0; ///< of each pixel of one picture, those of a run before included
    std::uint64_t resumed = 0; ///< samples of a run before
    bool saved = true;         ///< all samples are in parts that were written
    std::uint64_t rays = 0;
    std::vector<ReportedDevice> devices;
    // The next are of frames.
    std::uint64_t frames = 0;
    std::uint64_t framesFound = 0;
    std::uint64_t samplesTotal = 0;
    std::uint64_t outputBytes = 0;
    IndexRanges framesThere;
};

/// Makes messages of them for other ranks, and reads such messages.
std::string toMessage(const RankReady& ready);
std::string toMessage(const RankWork& work);
RankReady readyFrom(const std::string& message);
RankWork workFrom(const std::string& message);

/// All ranks must have the same scene, options and version of the program. Throws Error (BadInput) that names a rank
/// and what differs from rank 0.
void comparePictures(const std::vector<RankOutcome>& ready);

/// Logs how many ranks there are, and warns of devices that several ranks of a host share.
void tellOfDevices(const std::vector<RankOutcome>& ready);

/// Makes the figures of rank 0's report those of all ranks, of which those that failed told none; `seconds` is what
/// rendering took. Returns the frames that have a file.
IndexRanges reportRanks(const std::vector<RankOutcome>& outcomes, double seconds, RenderReport& report);

} // namespace aureole
