#pragma once

// From a film to a picture in a file: layers and attributes, denoising, bloom, finish, and the bytes of an EXR or a
// PNG.

#include <cstddef>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "film/film.h"
#include "session/job.h"

namespace aureole {

/// A picture's file as it is made by another thread.
struct EncodedPicture {
    std::vector<std::byte> bytes;
    double finishSeconds = 0.0; ///< that went to the finishing chain
};
struct PictureUnderWay {
    std::string output;
    std::future<EncodedPicture> encoded;
};

/// Whether the exposure of the job's frames follows from frame to frame: they are metered, and become PNGs.
bool adapts(const Job& job);

/// What the next picture's exposure adapts from, if anything.
void adaptTo(Job& job, const std::optional<double>& stops);

/// Makes the film the picture that the job asks for. What needs the device, bloom, is done when this returns; a thread
/// of its own finishes the picture and makes the bytes of the file, from nothing of the job that changes but its
/// Finish. The job outlives what is returned. Throws Error.
PictureUnderWay startPicture(Job& job, const FilmSums& film, const std::string& output);

/// Waits for the picture and writes its file. What this thread waited for counts as the stages Finish and Write. Throws
/// Error, also what ended the other thread.
void writePicture(Job& job, PictureUnderWay picture);

/// One after the other.
void savePicture(Job& job, const FilmSums& film, const std::string& output);

} // namespace aureole
