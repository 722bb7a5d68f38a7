#pragma once

// Versions of the files that aureole writes for itself and reads again. CONTRIBUTING, "Versions of files", has the
// policy: which changes make a version, and what happens to files of others.

#include <cstdint>
#include <string>
#include <string_view>

namespace aureole {

/// The versions of one kind of file that this program reads. It writes the newest of them.
struct FormatVersions {
    const char* files; ///< what they are, in the plural: "octree files"
    std::uint32_t oldest = 1;
    std::uint32_t newest = 1;
    const char* ofOlder = ""; ///< what to do about a file that is too old, said behind the error
};

/// Passes where this program reads a file of the version `found`. Else throws Error (BadInput), which names the file
/// and both versions, and says whether the file is too new, too old or damaged; 0 never was a version.
void checkFormatVersion(const std::string& file, std::uint64_t found, const FormatVersions& reads);

/// Checks a version that a file has as text. What is no number is damaged.
void checkFormatVersion(const std::string& file, std::string_view found, const FormatVersions& reads);

} // namespace aureole
