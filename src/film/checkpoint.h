#pragma once

// Checkpoint files: a film under way, and which render it is of.
//
// Little-endian: the eight characters "aureckpt", a version, then the parts of Checkpoint, each with its length before
// it, and last a checksum of all bytes before. The characters, the version and the checksum keep their places and their
// meaning in every version. Written whole or not at all.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/format_version.h"
#include "film/state.h"

namespace aureole {

/// Version 1 had one more float for each pixel with layers. Its films without layers are the same, and are read.
inline constexpr FormatVersions kCheckpointVersions = {"checkpoints", 1, 2, "render it from the start"};
inline constexpr FormatVersions kCheckpointsWithLayers = {"checkpoints with layers", 2, kCheckpointVersions.newest,
                                                          kCheckpointVersions.ofOlder};

/// Which render a film under way is of. Each field is what an attribute of the picture says, or empty where the
/// picture has no such attribute.
struct RenderIdentity {
    // What a sample depends on, and the film that it goes into. Must be the same.
    std::string version;
    std::string seed;
    std::string camera;
    std::string size;
    std::string crop;
    std::string backend;
    std::string aovs;
    // All else that a sample depends on. Must be the same.
    std::string sceneHash;
    /// Settings that the hash covers, which options set, by attribute (settings/fields.h): they say what differs where
    /// the hashes differ.
    std::map<std::string, std::string> settings;
    // What may change the last bits of a sample.
    std::string device;
    std::string driver;
    // The command that rendered, for messages.
    std::string command;

    bool operator==(const RenderIdentity&) const = default;
};

/// A picture's attributes, or those of a checkpoint file, as the identity that they tell of; and back. Attributes that
/// are no field of it are left out.
RenderIdentity identityFrom(const std::map<std::string, std::string>& attributes);
std::map<std::string, std::string> attributesOf(const RenderIdentity& identity);

/// Everything that makes `found` another render than `expected`, as "aureole.seed is 2, expected 1". Empty where they
/// are one render.
std::vector<std::string> renderDifferences(const RenderIdentity& found, const RenderIdentity& expected);

/// Each difference, of what may change a sample's last bits, as "aureole.driver was A and is B now".
std::vector<std::string> lastBitDifferences(const RenderIdentity& before, const RenderIdentity& now);

struct Checkpoint {
    RenderIdentity identity;
    FilmState state;
};

/// Throws Error (CannotWrite); a file from before is then still there.
void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

/// Throws Error (BadInput) where the file is missing, no checkpoint, damaged or of a version that is not read
/// (kCheckpointVersions, kCheckpointsWithLayers).
Checkpoint readCheckpoint(const std::filesystem::path& path);

} // namespace aureole
