#include "cli/frame_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "image/image_file.h"

namespace aureole::cli {

std::string frameFile(const std::string& pattern, std::uint32_t frame) {
    const std::filesystem::path path = pattern;
    const std::string name = path.filename().string();
    const std::size_t first = std::min(name.find('#'), name.size());
    const std::size_t end = std::min(name.find_first_not_of('#', first), name.size());
    if (first == end || name.find('#', end) != std::string::npos) {
        fail(ExitCode::Usage,
             "--frames: found the output {}, expected one run of # in its name for the frame's number, as in "
             "out.####.exr",
             pattern);
    }
    const std::string numbered = fmt::format("{}{:0{}}{}", name.substr(0, first), frame, end - first, name.substr(end));
    return (path.parent_path() / numbered).string();
}

bool hasWholeFrame(const std::string& file) {
    if (!std::filesystem::exists(file)) {
        return false;
    }
    try {
        readImage(file);
        return true;
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        logWarning("{}; the frame is rendered again", error.what());
        return false;
    }
}

} // namespace aureole::cli
