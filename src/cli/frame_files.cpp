#include "cli/frame_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"

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

} // namespace aureole::cli
