#pragma once

#include <string>

#include <gtest/gtest.h>

namespace aureole {

inline void expectHas(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

} // namespace aureole
