#pragma once

// MagicaVoxel's .vox file as it stands: chunks after the published format text and its extension
// (ephtracy/voxel-model).

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole::vox {

using Dictionary = std::map<std::string, std::string>;

struct Voxel {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    std::uint8_t z = 0;
    std::uint8_t colour = 0; ///< palette index, 1 to 255
};

struct Model {
    glm::uvec3 size{0};
    std::size_t offset = 0;            ///< of its SIZE chunk in the file
    std::span<const std::byte> voxels; ///< 4 bytes each; see voxelAt
};

Voxel voxelAt(const Model& model, std::size_t index);

enum class NodeType { Transform, Group, Shape };

/// A node of the scene graph.
struct Node {
    NodeType type = NodeType::Group;
    std::size_t offset = 0;
    Dictionary attributes;
    Dictionary frame;                ///< Transform: the first frame's attributes, "_r" and "_t"
    std::int32_t layer = -1;         ///< Transform
    std::vector<std::uint32_t> refs; ///< child nodes; for Shape, its first model
};

using Palette = std::array<std::array<std::uint8_t, 4>, 256>; ///< RGBA; [0] is unused

struct VoxFile {
    std::vector<Model> models;
    std::map<std::uint32_t, Node> nodes;
    std::map<std::uint32_t, Dictionary> materials; ///< by palette index
    std::map<std::int32_t, Dictionary> layers;
    std::map<std::int32_t, Dictionary> cameras;
    std::map<std::string, Dictionary> settings; ///< of rendering, by what they are of: "_inf" is the sun's
    Palette palette;                            ///< the file's, or MagicaVoxel's default
};

/// Reads the chunks; the result points into `bytes`. Throws Error (BadInput) naming offset, found and expected.
VoxFile parseVox(std::span<const std::byte> bytes, const std::string& name);

/// The palette of files that bring none.
Palette defaultPalette();

} // namespace aureole::vox
