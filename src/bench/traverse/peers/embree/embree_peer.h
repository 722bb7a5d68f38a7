#pragma once

// Embree on the cores of the host: the parts of 4^3 voxels that octrees have as leaves are primitives of its own kind
// for users, in whose boxes the voxels are tried one after the other.

#include <cstdint>
#include <memory>
#include <vector>

#include "stream/stream_tracer.h"
#include "voxel/tree/octree.h"

namespace aureole::bench {

/// A part of 4^3 voxels of which some are solid.
struct EmbreePart {
    glm::uvec3 corner{0}; ///< in voxels
    std::uint64_t mask = 0;
};

class EmbreePeer {
public:
    /// Builds its hierarchy over an octree of cubes as a tree.
    explicit EmbreePeer(const Octree& octree);
    EmbreePeer(const EmbreePeer&) = delete;
    EmbreePeer& operator=(const EmbreePeer&) = delete;
    EmbreePeer(EmbreePeer&&) = delete;
    EmbreePeer& operator=(EmbreePeer&&) = delete;
    ~EmbreePeer();

    std::uint64_t bytes() const; ///< of Embree's, and of the masks
    double buildSeconds() const;

    /// Traces all rays that are some on all cores: hits by place, of voxel and distance alone. Beyond `reach`, in grid
    /// units, nothing is hit.
    void trace(const std::vector<shared::RayRecord>& rays, float reach, std::vector<shared::HitRecord>& hits) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace aureole::bench
