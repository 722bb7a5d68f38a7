#include "cli/program.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "core/current_error.h"
#include "core/interrupt.h"
#include "core/leave.h"
#include "core/log.h"
#include "core/printable.h"
#include "core/standard_streams.h"

namespace aureole::cli {

namespace {

int report(ExitCode code, const char* message) {
    try {
        if (logStyle() == LogStyle::JsonLines) {
            logError("{}", message);
        } else {
            std::fprintf(stderr, "aureole: error: %s\n", printable(message).c_str());
        }
    } catch (const std::exception&) { // no memory for it; then as it is
        std::fprintf(stderr, "aureole: error: %s\n", message);
    }
    return static_cast<int>(code);
}

/// The XDG Base Directory Specification has relative paths ignored. Drivers read the variable too, and some would make
/// a cache in the current folder.
void ignoreRelativeCacheHome() {
    if (const char* const folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != '/') {
        ::unsetenv("XDG_CACHE_HOME");
    }
}

} // namespace

int runProgram(int argc, char** argv, std::span<const AddCommand> commands) {
    fillStandardStreams();
    // Whoever read the messages of a long render may go; it goes on without. Of standard output: writeOutput.
    std::signal(SIGPIPE, SIG_IGN);
    // A limit on the size of files is then an error of writing like others, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    ignoreRelativeCacheHome();
    exitOnInterrupts(); // until a command has something to save
    if (const char* const validation = std::getenv("AUREOLE_VALIDATION");
        validation == nullptr || *validation == '\0') {
        allowLeaving(); // the validation layer also tells of what is not destroyed
    }
    try {
        return static_cast<int>(runCommandLine(argc, argv, commands));
    } catch (const std::bad_alloc&) { // which an Error may not fit into either
        return report(ExitCode::OutOfMemory, "out of memory");
    } catch (...) {
        const Error error = currentError();
        return report(error.code(), error.what());
    }
}

} // namespace aureole::cli
