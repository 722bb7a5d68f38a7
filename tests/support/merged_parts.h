#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "film/merge.h"
#include "image/image.h"

namespace aureole {

/// Merges parts that are in memory.
inline Image mergeImages(const std::vector<Image>& parts, const std::vector<std::string>& files) {
    const auto part = [&](std::size_t i) { return parts[i]; };
    return mergeParts({files, part, part});
}

/// Merges parts that are in memory and whose files are called "0.exr", "1.exr" and so on.
inline Image mergeImages(const std::vector<Image>& parts) {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.push_back(std::to_string(i) + ".exr");
    }
    return mergeImages(parts, files);
}

/// The message with which such parts are refused as bad input; "" where they are merged.
inline std::string mergeRefusal(const std::vector<Image>& parts) {
    try {
        mergeImages(parts);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        return error.what();
    }
    return "";
}

/// How many floats lie between two, and one more where they differ; of the same sign.
inline std::int64_t unitsApart(float a, float b) {
    return std::abs(std::int64_t{std::bit_cast<std::int32_t>(a)} - std::bit_cast<std::int32_t>(b));
}

/// Every channel of `whole` stands in `merged`. Parts hold means as floats, so that a mean of what is never negative is
/// the same float or the one beside it, and that one's neighbour where parts cut a batch, whose sums are floats too
/// (tests/bench/record/waves_tests.md); what is made of differences has such an error by the size of what it is made
/// of.
inline void expectMergedIsWhole(const Image& merged, const Image& whole) {
    constexpr std::array kOfDifferences = {"variance", "halfB", "N", "P"};
    for (const Channel& channel : whole.channels) {
        const Channel* other = merged.find(channel.name);
        ASSERT_NE(other, nullptr) << channel.name;
        const std::string layer = channel.name.substr(0, channel.name.rfind('.'));
        const bool ofDifferences =
            std::find(kOfDifferences.begin(), kOfDifferences.end(), layer) != kOfDifferences.end();
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
            const float expected = channel.values[i];
            if (ofDifferences) {
                ASSERT_NEAR(other->values[i], expected, 1e-6 * (1.0 + std::abs(expected))) << channel.name;
            } else {
                ASSERT_LE(unitsApart(other->values[i], expected), 2) << channel.name << ' ' << expected;
            }
        }
    }
}

} // namespace aureole
