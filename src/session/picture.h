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

/// A picture whose file is written.
struct WrittenPicture {
    std::uint64_t bytes = 0;    ///< of the file
    double finishSeconds = 0.0; ///< the part of the writing thread's time that the finish took
};

/// A picture whose file another thread is writing. Its destructor waits for that thread.
struct PictureUnderWay {
    std::string output;
    gpu::Buffer colours;                        ///< where its colours came from the device, which still holds them
    std::shared_future<WrittenPicture> written; ///< or the Error that kept it from being written
};

/// Whether the exposure of the job's frames follows from frame to frame: they are metered, and become PNGs.
bool adapts(const Job& job);

/// Sets the stops that the next picture's exposure adapts from; without a value it adapts from none.
void adaptTo(Job& job, const std::optional<double>& stops);

/// The number of threads that make pictures of films. For frames it is half of all threads, since as many encoders may
/// run beside them; with more threads than cores both would wait for each other.
unsigned threadsBesideEncoders(const Job& job);

/// Begins to make the bloom filter of the job's kernel on another thread, JobBloom::underWay.
void beginBloom(Job& job);

/// Begins to make the pipelines of a bloom that is to come, unless its device is software, whose cores have other work.
void beginBloomPipelines(Job& job);

/// Makes the picture that the job asks for from the film. Bloom, which needs the device, is done when this returns.
/// Another thread then finishes the picture, encodes it and writes the file, after the file `before` where that is
/// valid; it throws what `before` throws. Of the job that thread reads the Finish, and nothing else that changes.
/// `backend` has the sums of a film that has none itself (FilmUse), and traces more camera rays for a denoiser; it may
/// be null otherwise. The job outlives what is returned. Returns nothing for a frame whose denoising was interrupted:
/// it gets no file, since a noisy file would be kept by the next run. Throws Error.
std::optional<PictureUnderWay> startPicture(Job& job, const FilmSums& film, RenderBackend* backend,
                                            const std::string& output, std::shared_future<WrittenPicture> before = {});

/// Waits for the picture's file. The time that this takes counts as the stages Finish and Write. Throws the Error that
/// ended the writing thread.
void finishPicture(Job& job, PictureUnderWay picture);

/// startPicture and finishPicture, one after the other.
void savePicture(Job& job, const FilmSums& film, RenderBackend* backend, const std::string& output);

} // namespace aureole
