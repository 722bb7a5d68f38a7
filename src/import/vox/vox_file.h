#pragma once

// MagicaVoxel's .vox file as it stands: chunks after the published format text and its extension
// (ephtracy/voxel-model).

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// The most frames of an animation.
inline constexpr std::int64_t kMostFrames = 4096;

enum class NodeType { Transform, Group, Shape };

/// What an animation is given, by frames. One that loops repeats the frames from its first key to its last.
template <typename T>
struct Keys {
    std::map<std::int64_t, T> byFrame;
    bool loops = false;

    /// The frame of the keys that a frame of the animation shows.
    std::int64_t frameOf(std::int64_t frame) const {
        if (!loops || byFrame.empty()) {
            return frame;
        }
        const std::int64_t first = byFrame.begin()->first;
        const std::int64_t behind = (frame - first) % count();
        return first + (behind < 0 ? behind + count() : behind);
    }

    /// The frames from the first key to the last. There is one.
    std::int64_t count() const { return byFrame.rbegin()->first - byFrame.begin()->first + 1; }

    /// What was given last at a frame of the keys, or what comes first. There is one.
    auto lastBefore(std::int64_t frame) const {
        const auto next = byFrame.upper_bound(frame);
        return next == byFrame.begin() ? next : std::prev(next);
    }

    const T& at(std::int64_t frame) const { return lastBefore(frameOf(frame))->second; }
};

/// A node of the scene graph.
struct Node {
    NodeType type = NodeType::Group;
    std::size_t offset = 0;
    Dictionary attributes;
    std::int32_t layer = -1;         ///< Transform
    Keys<Dictionary> frames;         ///< Transform: "_r" from each frame on, "_t" at it
    Keys<std::uint32_t> shown;       ///< Shape: its model from each frame on
    std::vector<std::uint32_t> refs; ///< child nodes
};

using Palette = std::array<std::array<std::uint8_t, 4>, 256>; ///< RGBA; [0] is unused

struct VoxFile {
    std::vector<Model> models; ///< without a scene graph, the frames of an animation
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
