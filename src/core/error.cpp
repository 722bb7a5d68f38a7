#include "core/error.h"

namespace aureole {

Error::Error(ExitCode code, const std::string& message)
    : std::runtime_error(message)
    , code_(code) {}

} // namespace aureole
