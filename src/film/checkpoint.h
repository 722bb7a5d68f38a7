#pragma once

// Checkpoint files: a film under way, and which render it is of.
//
// Little-endian: the eight characters "aureckpt", a version, then the parts of Checkpoint, each with its length before
// it, and last a checksum of all bytes before. The characters, the version and the checksum keep their places and their
// meaning in every version. Written whole or not at all.

#include <filesystem>
#include <map>
#include <string>

#include "core/format_version.h"
#include "film/film_state.h"

namespace aureole {

inline constexpr FormatVersions kCheckpointVersions = {"checkpoints", 1, 1, "render it from the start"};

struct Checkpoint {
    std::map<std::string, std::string> attributes; ///< which render: as the attributes of its image (aureole.*)
    FilmState state;
};

/// Throws Error (CannotWrite); a file from before is then still there.
void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws Error (BadInput) where the file is missing, no checkpoint, damaged or of a version that is not read
/// (kCheckpointVersions).
Checkpoint readCheckpoint(const std::filesystem::path& path);

} // namespace aureole
