#pragma once

// The files of an animation's frames.

#include <cstdint>
#include <string>

#include "film/film.h"

namespace aureole {

/// The file of a frame: its number stands for the run of # in the pattern's file name, with zeros before it up to the
/// run's length. Throws Error (Usage) where the name has no such run, or several.
std::string frameFile(const std::string& pattern, std::uint32_t frame);

/// Fails where a file of the frames [first, end) notes another scene, or other settings of it, than `sceneHash`, or
/// another frame: left as it is, it would stand among frames unlike it. A PNG notes none; a damaged file counts as
/// none. Throws Error (BadInput).
void checkFramesAlike(const std::string& pattern, std::uint32_t first, std::uint32_t end, const std::string& sceneHash);

/// Whether a frame's file is there and whole: one that cannot be read as a picture is warned of, and is none. Throws
/// what readImage throws of other causes.
bool hasWholeFrame(const std::string& file);

/// The frames of these ranges that have no file here.
IndexRanges framesWithoutFile(const std::string& pattern, const IndexRanges& frames);

} // namespace aureole
