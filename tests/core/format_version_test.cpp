#include "core/format_version.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace aureole {
namespace {

constexpr FormatVersions kReads = {"pictures", 3, 5, "paint it again"};

template <typename Version>
std::string refusal(Version version, const FormatVersions& reads = kReads) {
    try {
        checkFormatVersion("a.pic", version, reads);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        return error.what();
    }
    return "";
}

TEST(FormatVersion, ThoseThatAreReadPass) {
    for (const std::uint64_t version : {3U, 4U, 5U}) {
        EXPECT_EQ(refusal(version), "");
        EXPECT_EQ(refusal(std::string_view(std::to_string(version))), "");
    }
}

TEST(FormatVersion, NewerAndOlderOnesAreToldApartWithBothVersions) {
    EXPECT_EQ(refusal(std::uint64_t{6}),
              "a.pic: written by a newer aureole: version 6 of pictures, this one reads 3 to 5");
    EXPECT_EQ(refusal(std::uint64_t{2}),
              "a.pic: written by an older aureole: version 2 of pictures, this one reads 3 to 5; paint it again");
    EXPECT_EQ(refusal(std::string_view("6")), refusal(std::uint64_t{6}));
    const FormatVersions one = {"notes", 4, 4};
    EXPECT_EQ(refusal(std::uint64_t{5}, one),
              "a.pic: written by a newer aureole: version 5 of notes, this one reads 4");
    EXPECT_EQ(refusal(std::uint64_t{1}, one),
              "a.pic: written by an older aureole: version 1 of notes, this one reads 4");
}

TEST(FormatVersion, WhatIsNoVersionIsDamage) {
    EXPECT_EQ(refusal(std::uint64_t{0}), "a.pic: the file is damaged: found version 0 of pictures, expected 3 to 5");
    for (const std::string_view text : {"", "x", "4x", " 4", "-4", "4.0", "99999999999999999999"}) {
        EXPECT_EQ(refusal(text),
                  "a.pic: the file is damaged: found version '" + std::string(text) + "' of pictures, expected 3 to 5");
    }
}

} // namespace
} // namespace aureole
