#pragma once

// The chunks of MagicaVoxel's .vox files. The names are short, so that they have a namespace of their own.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "import_files.h"

namespace aureole::test::vox {

inline std::string chunk(const std::string& id, const std::string& content, const std::string& children = "") {
    std::string bytes = id;
    append(bytes, static_cast<std::uint32_t>(content.size()));
    append(bytes, static_cast<std::uint32_t>(children.size()));
    return bytes + content + children;
}

inline std::string number(std::uint32_t value) {
    std::string bytes;
    append(bytes, value);
    return bytes;
}

inline std::string text(const std::string& value) {
    return number(static_cast<std::uint32_t>(value.size())) + value;
}

inline std::string dictionary(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string bytes = number(static_cast<std::uint32_t>(entries.size()));
    for (const auto& [key, value] : entries) {
        bytes += text(key) + text(value);
    }
    return bytes;
}

using Voxels = std::vector<std::array<std::uint8_t, 4>>;

inline std::string model(std::uint32_t x, std::uint32_t y, std::uint32_t z, const Voxels& voxels) {
    return chunk("SIZE", number(x) + number(y) + number(z)) +
           chunk("XYZI", number(static_cast<std::uint32_t>(voxels.size())) + bytesOf(voxels));
}

inline std::string voxFile(const std::string& chunks) {
    return "VOX " + number(150) + chunk("MAIN", "", chunks);
}

inline std::string transformNode(std::uint32_t id, std::uint32_t child, const std::string& frame,
                                 const std::string& attributes = dictionary({}), std::uint32_t layer = 0) {
    return chunk("nTRN", number(id) + attributes + number(child) + number(~0U) + number(layer) + number(1) + frame);
}

inline std::string shapeNode(std::uint32_t id, std::uint32_t model) {
    return chunk("nSHP", number(id) + dictionary({}) + number(1) + number(model) + dictionary({}));
}

inline std::string groupNode(std::uint32_t id, const std::vector<std::uint32_t>& children) {
    return chunk("nGRP",
                 number(id) + dictionary({}) + number(static_cast<std::uint32_t>(children.size())) + bytesOf(children));
}

} // namespace aureole::test::vox
