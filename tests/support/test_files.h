#pragma once

// Files beside the test programs that tests need: programs, libraries, documents, scenes.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace aureole {

/// The place of a file or folder that the build knows at `built`. On another machine the environment names a folder,
/// AUREOLE_TEST_FILES, that has all of them under their own names (tools/bundle.sh).
inline std::string testFile(const char* built) {
    const char* folder = std::getenv("AUREOLE_TEST_FILES"); // NOLINT(concurrency-mt-unsafe): tests set none
    return folder != nullptr ? (std::filesystem::path(folder) / std::filesystem::path(built).filename()).string()
                             : built;
}

} // namespace aureole
