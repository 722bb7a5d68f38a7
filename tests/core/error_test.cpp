#include "core/error.h"

#include <string>

#include <gtest/gtest.h>

namespace aureole {
namespace {

TEST(Error, MessagesGoOnBehindZeroBytes) {
    using namespace std::string_literals;
    const Error error(ExitCode::BadInput, "a.ply: found 'v\0\0', expected 'vertex'"s);
    EXPECT_STREQ(error.what(), "a.ply: found 'v\\x00\\x00', expected 'vertex'");
}

} // namespace
} // namespace aureole
