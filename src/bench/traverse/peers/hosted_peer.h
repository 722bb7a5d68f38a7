#pragma once

// Peers that rays are handed to by the host.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_measure.h"
#include "stream/stream_tracer.h"

namespace aureole::bench {

/// A peer that traces on cores of the host, or in a program of its own.
class HostedPeer {
public:
    HostedPeer() = default;
    HostedPeer(const HostedPeer&) = delete;
    HostedPeer& operator=(const HostedPeer&) = delete;
    HostedPeer(HostedPeer&&) = delete;
    HostedPeer& operator=(HostedPeer&&) = delete;
    virtual ~HostedPeer() = default;

    virtual std::string name() const = 0;
    virtual std::uint64_t bytes() const = 0;                ///< of what is traced through
    virtual std::optional<double> buildSeconds() const = 0; ///< from the voxels of the octree
    /// Traces all rays that are some, so often that their times tell something: hits by place, of voxel and distance
    /// alone. Beyond `reach`, in grid units, nothing is hit.
    virtual Spread trace(const std::vector<shared::RayRecord>& rays, float reach, std::uint32_t repeats,
                         std::vector<shared::HitRecord>& hits) const = 0;
};

} // namespace aureole::bench
