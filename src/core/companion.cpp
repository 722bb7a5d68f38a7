#include "core/companion.h"

#include <array>
#include <system_error>

#include "core/error.h"
#include "core/file.h"

namespace aureole {

namespace fs = std::filesystem;

fs::path findCompanion(const std::string& program, const std::string& purpose, const std::string& advice) {
    std::error_code status;
    const fs::path folder = fs::read_symlink("/proc/self/exe", status).parent_path();
    const std::array<fs::path, 2> places = {folder / program, folder.parent_path() / "libexec" / "aureole" / program};
    for (const fs::path& place : places) {
        if (pathExists(place)) {
            return place;
        }
    }
    fail(ExitCode::Internal, "found no {}, {}: expected it as {} or {}; {}", program, purpose, places[0].string(),
         places[1].string(), advice);
}

} // namespace aureole
