#pragma once

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace aureole {

/// Expects the action to throw an Error of that code whose message holds every one of the parts.
template <typename Action>
void expectError(ExitCode code, std::initializer_list<const char*> parts, const Action& action) {
    try {
        action();
        ADD_FAILURE() << "no error was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        for (const char* part : parts) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
                << "'" << part << "' is not in: " << error.what();
        }
    }
}

} // namespace aureole
