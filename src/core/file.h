#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace aureole {

/// Reads a whole file. Throws Error (BadInput) where it is missing, unreadable, no regular file or larger than
/// `maximumBytes`.
std::vector<std::byte> readFile(const std::filesystem::path& path, std::uintmax_t maximumBytes);

/// Reads the first `count` bytes of a file, or all of a shorter one. Throws as readFile.
std::vector<std::byte> readFileStart(const std::filesystem::path& path, std::uintmax_t count,
                                     std::uintmax_t maximumBytes);

/// readFile as text.
std::string readTextFile(const std::filesystem::path& path, std::uintmax_t maximumBytes);

/// Whether a file or folder is there. Of a name that cannot be followed, as one that is too long, it says no: who opens
/// or writes the file tells why.
bool pathExists(const std::filesystem::path& path);

/// What a file's name leads to where it is a symbolic link, whether or not that is there; else the name itself. Throws
/// Error (CannotWrite) where links lead in a circle.
std::filesystem::path followLinks(const std::filesystem::path& path);

/// The folder that a file is in, as its path has it; "." where that is a name alone.
std::filesystem::path folderOf(const std::filesystem::path& file);

/// Whether a new file is on the disk before it gets its name. Without that, the file may be there in part where the
/// machine stops soon after: for files that are checked when they are read, and can be made again, as those of caches.
enum class FileSync { Yes, No };

/// Writes a file so that it is there whole or not at all: under a temporary name beside the target, synced, renamed.
/// A link stays one, and what it leads to is written; a file that is replaced hands its permissions on. Throws Error
/// (CannotWrite).
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                         FileSync sync = FileSync::Yes);

/// As above for libraries that write files themselves: `write` gets the temporary name. What it throws passes
/// through, and the temporary file is removed.
void writeFileAtomically(const std::filesystem::path& path,
                         const std::function<void(const std::filesystem::path&)>& write, FileSync sync = FileSync::Yes);

/// Checks before long work that `path` can be written: the folder is there and takes a new file (one is made and
/// removed), and the path is no folder, device or pipe. Throws Error (CannotWrite).
void checkWritable(const std::filesystem::path& path);

/// The folder for caches: $XDG_CACHE_HOME/aureole or ~/.cache/aureole; empty where there is none. Not created.
std::filesystem::path cacheFolder();

/// The folder for what users install beside aureole: $XDG_DATA_HOME/aureole or ~/.local/share/aureole; empty where
/// there is none. Not created.
std::filesystem::path dataFolder();

} // namespace aureole
