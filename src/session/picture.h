#pragma once

// From a film to a picture in a file: layers and attributes, denoising, bloom, finish, and the bytes of an EXR or a
// PNG.

#include <cstdint>
#include <future>
#include <optional>
#include <string>

#include "film/film.h"
#include "session/job.h"

namespace aureole {

/// What another thread did for a picture whose file is there.
struct WrittenPicture {
    std::uint64_t bytes = 0;
    double finishSeconds = 0.0; ///< that went to the finishing chain
};

/// A picture whose file another thread makes. Where it goes before that, it waits.
struct PictureUnderWay {
    std::string output;
    gpu::Buffer colours;                        ///< where its colours came from the device, which still holds them
    std::shared_future<WrittenPicture> written; ///< or the Error that kept it from being written
};

/// Whether the exposure of the job's frames follows from frame to frame: they are metered, and become PNGs.
bool adapts(const Job& job);

/// What the next picture's exposure adapts from, if anything.
void adaptTo(Job& job, const std::optional<double>& stops);

/// The threads that make pictures of films. Of frames, half of those there are: as many encoders may be under way, so
/// that neither waits for the other's time slices to end.
unsigned threadsBesideEncoders(const Job& job);

/// Begins to make the bloom of the job's kernel on another thread, which the job has as bloomUnderWay.
void beginBloom(Job& job);

/// Makes the film the picture that the job asks for. What needs the device, bloom, is done when this returns; a thread
/// of its own finishes the picture, makes the bytes of the file and writes it once `before`, where that is valid, has
/// come: it throws what that throws. It reads nothing of the job that changes but its Finish. Where the film is without
/// sums (FilmUse), `backend` has them; where the job denoises, it also tells the film's layers better, unless it is
/// null. The job outlives what is returned. Nothing of a frame whose denoising was stopped: it gets no file, as a noisy
/// one would not be made again. Throws Error.
std::optional<PictureUnderWay> startPicture(Job& job, const FilmSums& film, RenderBackend* backend,
                                            const std::string& output, std::shared_future<WrittenPicture> before = {});

/// Waits for the picture's file. What this thread waited for counts as the stages Finish and Write. Throws Error: what
/// ended the other thread.
void finishPicture(Job& job, PictureUnderWay picture);

/// One after the other.
void savePicture(Job& job, const FilmSums& film, RenderBackend* backend, const std::string& output);

} // namespace aureole
