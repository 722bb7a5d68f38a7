#include "voxel/tree/octree_starts.h"

#include <algorithm>

#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

class StartWalk {
public:
    StartWalk(const Octree& octree, std::uint32_t bits)
        : octree_(octree)
        , side_(1U << bits)
        , lastLevel_(std::min(bits / 2, octree.levels - 2))
        , starts_(std::size_t{side_} * side_ * side_) {}

    /// Enters a node for all of its parts, then its children for theirs. `start` has its words; `low` is the lowest
    /// part, on each axis.
    void enter(const shared::OctreeStart& start, const glm::uvec3& low) {
        const std::uint32_t level = start.words.w;
        fill(start, low, side_ >> (2 * level));
        const shared::OctreeNode node = innerNode(octree_, start.words.x);
        if (level == lastLevel_ || node.flags != 0) { // the root may be full
            return;
        }
        const shared::uvec2 mask(node.maskLow, node.maskHigh);
        std::uint32_t child = node.firstChild;
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            if (shared::maskHasBit(mask, bit) == 0) {
                continue;
            }
            if (innerNode(octree_, child).flags == 0) {
                shared::OctreeStart below = start;
                below.words.x = child;
                below.words.w = level + 1;
                if (level + 1 < OCTREE_START_LEVELS) {
                    below.words[static_cast<int>(level) + 1] = child;
                }
                enter(below, low + shared::bitCell(bit) * (side_ >> (2 * level + 2)));
            }
            ++child;
        }
    }

    std::vector<shared::OctreeStart> take() { return std::move(starts_); }

private:
    void fill(const shared::OctreeStart& start, const glm::uvec3& low, std::uint32_t side) {
        for (std::uint32_t z = low.z; z < low.z + side; ++z) {
            for (std::uint32_t y = low.y; y < low.y + side; ++y) {
                const std::size_t first = (std::size_t{z} * side_ + y) * side_ + low.x;
                std::fill_n(starts_.begin() + static_cast<std::ptrdiff_t>(first), side, start);
            }
        }
    }

    const Octree& octree_;
    std::uint32_t side_;
    std::uint32_t lastLevel_;
    std::vector<shared::OctreeStart> starts_;
};

} // namespace

std::vector<shared::OctreeStart> octreeStarts(const Octree& octree, std::uint32_t bits) {
    StartWalk walk(octree, bits);
    walk.enter(shared::OctreeStart{shared::uvec4(0)}, glm::uvec3(0));
    return walk.take();
}

std::uint32_t startBitsThatPay(const Octree& octree) {
    std::uint32_t bits = std::clamp(2 * (octree.levels - 2), 2U, OCTREE_START_BITS);
    while (bits > 2 && sizeof(shared::OctreeStart) << 3 * bits > 4 * octree.bytes()) {
        bits -= 2;
    }
    return bits;
}

} // namespace aureole
