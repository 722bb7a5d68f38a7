#pragma once

#include <string>
#include <vector>

#include "json_test_util.h"

namespace aureole {

struct BadScene {
    const char* name;
    const char* find;    ///< in minimalScene(), to be replaced...
    const char* replace; ///< ...by this
    const char* pointer; ///< of the one problem
    std::size_t line;
    std::vector<std::string> says; ///< parts of its message
};

class BadSceneTest : public SceneJsonTest, public ::testing::WithParamInterface<BadScene> {};

} // namespace aureole
