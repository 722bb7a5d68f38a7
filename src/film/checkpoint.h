#pragma once

// Checkpoint files: a film under way, and which render it is of.
//
// Little-endian: the eight characters "aureckpt", a version, then the parts of Checkpoint, each with its length before
// it, and last a checksum of all bytes before. Written whole or not at all.

#include <filesystem>
#include <map>
#include <string>

#include "film/film_state.h"

namespace aureole {

struct Checkpoint {
    std::map<std::string, std::string> attributes; ///< which render: as the attributes of its image (aureole.*)
    FilmState state;
};

/// Throws Error (CannotWrite); a file from before is then still there.
void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws Error (BadInput) where the file is missing, no checkpoint, of another version or damaged.
Checkpoint readCheckpoint(const std::filesystem::path& path);

} // namespace aureole
