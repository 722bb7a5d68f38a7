#include "core/error.h"

namespace aureole {

namespace {

/// what() ends at a zero byte, which what was found in a file may hold.
std::string withoutZeros(std::string message) {
    for (std::size_t at = 0; (at = message.find('\0', at)) != std::string::npos;) {
        message.replace(at, 1, "\\x00");
    }
    return message;
}

} // namespace

Error::Error(ExitCode code, const std::string& message)
    : std::runtime_error(withoutZeros(message))
    , code_(code) {}

} // namespace aureole
