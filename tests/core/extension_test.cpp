#include "core/extension.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Extension, IsInLowerCaseWithItsDot) {
    EXPECT_EQ(lowerExtension("folder.d/Model.Old.AVO"), ".avo");
    EXPECT_EQ(lowerExtension("folder.d/model"), "");
    EXPECT_EQ(lowerExtension(".avo"), ""); // a hidden file without
    EXPECT_EQ(lowerExtension("a.\xc3\x84Z"), ".\xc3\x84z");
}

} // namespace
} // namespace aureole
