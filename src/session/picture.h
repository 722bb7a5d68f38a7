#pragma once

// From a film to a picture in a file: layers and attributes, bloom, finish, and the bytes of an EXR or a PNG.

#include <string>

#include "film/film.h"
#include "session/job.h"

namespace aureole {

/// Makes the film the picture that the job asks for, and writes it to `output`. Throws Error.
void savePicture(Job& job, const FilmSums& film, const std::string& output);

} // namespace aureole
