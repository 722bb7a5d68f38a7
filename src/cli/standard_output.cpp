#include "cli/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"

namespace aureole::cli {

namespace {

[[noreturn]] void failOutput() {
    fail(ExitCode::CannotWrite, "standard output: cannot be written: {}", std::strerror(errno));
}

} // namespace

void writeOutput(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
        failOutput();
    }
}

void flushOutput() {
    if (std::fflush(stdout) != 0) {
        failOutput();
    }
}

} // namespace aureole::cli
