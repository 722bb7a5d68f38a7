#pragma once

#include <cmath>
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

/// The same of parts whose files are called "0.exr", "1.exr" and so on.
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

/// Every channel of `whole` stands in `merged` with the same values, but for 1e-6 of them.
inline void expectMergedIsWhole(const Image& merged, const Image& whole) {
    for (const Channel& channel : whole.channels) {
        const Channel* other = merged.find(channel.name);
        ASSERT_NE(other, nullptr) << channel.name;
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
            ASSERT_NEAR(other->values[i], channel.values[i], 1e-6 * (1.0 + std::abs(channel.values[i])))
                << channel.name;
        }
    }
}

} // namespace aureole
