#pragma once

#include <string>

#include "core/error.h"

namespace aureole::testing {

struct Caught {
    ExitCode code = ExitCode::Done;
    std::string message;

    bool names(const std::string& part) const { return message.find(part) != std::string::npos; }
};

/// What an action throws as Error; code Done where it throws nothing.
template <typename Action>
Caught errorOf(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

} // namespace aureole::testing
