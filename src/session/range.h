#pragma once

// From a job to a film: samples of a picture, shown in the viewer meanwhile, from a checkpoint and to one.

#include <cstdint>
#include <functional>
#include <string>

#include "session/checkpoint.h"
#include "session/job.h"

namespace aureole {

/// What a film is rendered for.
enum class FilmUse {
    Sums,    ///< its sums are read
    Picture, ///< startPicture makes a picture of it: where that blooms it on its device, its sums stay there
};

/// Renders the samples from `begun`, which the backend's film ends with, up to limits.end; the loop is renderSamples.
/// The viewer, where there is one, shows the film under the name `shownAs`. Whether a signal ended it is in the report.
FilmSums renderFilm(Job& job, RenderBackend& backend, const RenderLimits& limits, const std::string& shownAs,
                    std::uint32_t begun, const FilmWatch& watch, const OnSamples& onSamples, FilmUse use);

/// A range of the samples of the job's picture, which goes on from a checkpoint where there is one, and is saved to
/// checkpoints on its way. The job and the backend outlive it.
class RangeRender {
public:
    /// Puts the checkpoint to go on from into the backend, as resume() does. Throws as that.
    RangeRender(Job& job, RenderBackend& backend, const RenderLimits& limits, const CheckpointFiles& files);

    /// The samples of each pixel that were there before.
    std::uint32_t resumedSamples() const { return begun_ - limits_.first; }

    /// Renders the rest and calls `onFilm` with the film. Where either fails, a last checkpoint is written if there is
    /// anything to save, and the Error's message ends with what is kept.
    FilmSums render(const OnSamples& onSamples, FilmUse use, const std::function<void(const FilmSums&)>& onFilm);

    const CheckpointWriter& checkpoints() const { return checkpoints_; }

private:
    RangeRender(Job& job, RenderBackend& backend, const RenderLimits& limits, const CheckpointFiles& files,
                RenderIdentity identity);

    Job* job_;
    RenderBackend* backend_;
    RenderLimits limits_;
    std::uint32_t begun_; ///< the end of the samples that were there before
    CheckpointWriter checkpoints_;
};

} // namespace aureole
