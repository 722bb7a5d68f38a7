#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace aureole {

/// Exit codes of the program; part of its interface.
enum class ExitCode : int {
    Done = 0,
    Internal = 1,
    Usage = 2,
    BadInput = 3,
    NoDevice = 4,
    CannotWrite = 5,
    OutOfMemory = 6,
    ComparisonFailed = 10,
    Interrupted = 75,
};

/// What an exit code says of a run.
struct ExitCodeMeaning {
    ExitCode code;
    std::string_view meaning;
};

/// All of them, as the help and the manual pages tell them.
inline constexpr auto kExitCodes = std::to_array<ExitCodeMeaning>({
    {ExitCode::Done, "done"},
    {ExitCode::Internal, "internal error"},
    {ExitCode::Usage, "wrong usage"},
    {ExitCode::BadInput, "bad or missing scene or asset"},
    {ExitCode::NoDevice, "no usable device"},
    {ExitCode::CannotWrite, "output that cannot be written"},
    {ExitCode::OutOfMemory, "out of memory"},
    {ExitCode::ComparisonFailed, "comparison failed"},
    {ExitCode::Interrupted, "interrupted: render has written what it has so far, other commands nothing"},
});

/// The one exception of the project: a message for a person, and the exit code the program ends with.
/// A message names the file, the place in it, what was found and what was expected.
class Error : public std::runtime_error {
public:
    Error(ExitCode code, const std::string& message);
    ExitCode code() const { return code_; }

private:
    ExitCode code_;
};

/// Throws an Error with a formatted message.
template <typename... Args>
[[noreturn]] void fail(ExitCode code, fmt::format_string<Args...> format, Args&&... args) {
    throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace aureole
