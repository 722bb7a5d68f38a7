#include "ranks/open_messenger.h"

#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "core/error.h"
#include "core/file.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libaureole_mpi.so";

/// Where the library may lie: in the build folder, or installed.
std::vector<fs::path> places() {
    std::error_code unreadable;
    const fs::path folder = fs::read_symlink("/proc/self/exe", unreadable).parent_path();
    return {folder / kLibrary, folder.parent_path() / AUREOLE_PLUGIN_FOLDER / kLibrary};
}

std::string describe(const Launch& launch) {
    return launch.processes > 0 ? fmt::format("{} processes of {} ({})", launch.processes, launch.launcher, launch.sign)
                                : fmt::format("processes of {} ({})", launch.launcher, launch.sign);
}

/// The function of the library in a file that opens a messenger; null where the file is missing.
OpenMessenger* openerIn(const fs::path& file, const Launch& launch) {
    if (!pathExists(file)) {
        return nullptr;
    }
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL); // Open MPI's own plugins look for its symbols
    void* const symbol = library == nullptr ? nullptr : ::dlsym(library, kOpenMessengerName);
    if (symbol == nullptr) {
        const char* const reason = ::dlerror(); // NOLINT(concurrency-mt-unsafe): before there are threads
        fail(ExitCode::Usage, "found {}, but {} cannot be opened: {}", describe(launch), file.string(),
             reason == nullptr ? "no reason given" : reason);
    }
    return reinterpret_cast<OpenMessenger*>(symbol);
}

std::unique_ptr<Messenger> join(OpenMessenger* open, const fs::path& file, const Launch& launch) {
    std::unique_ptr<Messenger> messenger(open(AUREOLE_VERSION));
    if (!messenger) {
        fail(ExitCode::Usage, "found {}, but {} is of another version than this program, {}", describe(launch),
             file.string(), AUREOLE_VERSION);
    }
    if (launch.processes > 0 && messenger->size() != launch.processes) {
        const int size = messenger->size();
        messenger->end();
        fail(ExitCode::Usage,
             "found {}, but they are {} to the MPI that aureole was built with: expected them started by that one's "
             "mpirun, or 'srun --mpi=pmix'",
             describe(launch), size);
    }
    return messenger;
}

} // namespace

std::unique_ptr<Messenger> openMessenger(const Launch& launch) {
    if (!launch.hasMpi) {
        fail(ExitCode::Usage,
             "found {} without MPI, expected 'srun --mpi=pmix', so that they share the picture; --ranks off lets each "
             "render by itself, with files of its own",
             describe(launch));
    }
    for (const fs::path& place : places()) {
        if (OpenMessenger* const open = openerIn(place, launch)) {
            return join(open, place, launch);
        }
    }
    if (launch.processes == 1) {
        return nullptr;
    }
    fail(ExitCode::Usage,
         "found {}, expected one: this aureole has no MPI ({} is neither {} nor {}), so that all would write the same "
         "files; build it where libopenmpi-dev is installed, or let each render by itself with --ranks off",
         describe(launch), kLibrary, places().front().string(), places().back().string());
}

} // namespace aureole
