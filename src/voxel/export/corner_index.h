#pragma once

#include <cstdint>
#include <unordered_map>

#include "voxel/export/exposed_quads.h"

namespace aureole {

/// Numbers the corners of quads, those of one place and colour alike. Forgets them from tile to tile, so that memory
/// stays small: vertices on the border of two tiles stand in files twice.
class CornerIndex {
public:
    /// The number of a corner, and whether it is new.
    struct Vertex {
        std::uint64_t number = 0;
        bool isNew = false;
    };
    Vertex find(const QuadCorner& corner, std::uint32_t colour) {
        // Within a tile a corner is one of 65^3, up to three bits of inset.
        std::uint64_t key = colour;
        for (int axis = 0; axis < 3; ++axis) {
            key = (key << 8U) | (static_cast<std::uint32_t>(corner.cell[axis]) & (2U * kQuadTile - 1U));
        }
        const auto [found, isNew] = numbers_.try_emplace((key << 3U) | corner.inset, count_);
        count_ += isNew ? 1 : 0;
        return {found->second, isNew};
    }
    void leaveTile() { numbers_.clear(); }
    std::uint64_t count() const { return count_; }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> numbers_;
    std::uint64_t count_ = 0;
};

} // namespace aureole
