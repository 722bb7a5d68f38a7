#include "cli/standard_output.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "core/error.h"
#include "core/printable.h"

namespace aureole::cli {

namespace {

[[noreturn]] void failOutput() {
    if (errno == EPIPE) { // main has the signal ignored, for the sake of standard error
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    fail(ExitCode::CannotWrite, "standard output: cannot be written: {}", std::strerror(errno));
}

} // namespace

void writeOutput(std::string_view text) {
    const std::string shown = printable(text);
    if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size()) {
        failOutput();
    }
}

void flushOutput() {
    if (std::fflush(stdout) != 0) {
        failOutput();
    }
}

} // namespace aureole::cli
