#pragma once

// Embree on the cores of the host: the parts of 4^3 voxels that octrees have as leaves are primitives of its own kind
// for users, in whose boxes the voxels are tried one after the other.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/traverse/peers/hosted_peer.h"
#include "voxel/tree/octree.h"

namespace aureole::bench {

class EmbreePeer final : public HostedPeer {
public:
    /// Builds its hierarchy over an octree of cubes as a tree.
    explicit EmbreePeer(const Octree& octree);
    EmbreePeer(const EmbreePeer&) = delete;
    EmbreePeer& operator=(const EmbreePeer&) = delete;
    EmbreePeer(EmbreePeer&&) = delete;
    EmbreePeer& operator=(EmbreePeer&&) = delete;
    ~EmbreePeer() override;

    std::string name() const override;
    std::uint64_t bytes() const override; ///< of Embree's, and of the masks
    std::optional<double> buildSeconds() const override;
    /// On all cores, few times, as each takes long.
    Spread trace(const std::vector<shared::RayRecord>& rays, float reach, std::uint32_t repeats,
                 std::vector<shared::HitRecord>& hits) const override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace aureole::bench
