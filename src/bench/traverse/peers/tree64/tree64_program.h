#pragma once

#include "bench/peers/peer_program.h"
#include "bench/traverse/peers/hosted_peer.h"
#include "gpu/device.h"
#include "voxel/tree/octree.h"

namespace aureole::bench {

/// The walk of tree64_peer.h in plain CUDA, by a program that nvcc of this machine makes: what the compilers of the two
/// differ by.
class Tree64Program final : public HostedPeer {
public:
    /// Takes an octree of cubes as a tree. Throws Error (Usage) where there is no nvcc, or no such device.
    Tree64Program(const gpu::DeviceInfo& device, const Octree& octree);

    std::string name() const override { return "tree64-cuda, thread"; }
    std::uint64_t bytes() const override { return bytes_; }
    std::optional<double> buildSeconds() const override { return std::nullopt; }
    Spread trace(const std::vector<shared::RayRecord>& rays, float reach, std::uint32_t repeats,
                 std::vector<shared::HitRecord>& hits) const override;

private:
    std::string uuid_;
    std::uint32_t levels_;
    std::uint64_t bytes_;
    PeerProgram program_;
};

} // namespace aureole::bench
