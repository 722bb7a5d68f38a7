#pragma once

#include <string_view>

#include <fmt/format.h>

namespace aureole::cli {

/// Writes a command's result to stdout. Throws Error (CannotWrite), as where the disk that it goes to is full; a pipe
/// that nobody reads any more ends the program by SIGPIPE.
void writeOutput(std::string_view text);

/// Writes out all that writeOutput still holds back. Throws also where an earlier write has failed.
void flushOutput();

template <typename... Args>
void printOutput(fmt::format_string<Args...> format, Args&&... args) {
    writeOutput(fmt::format(format, std::forward<Args>(args)...));
}

} // namespace aureole::cli
