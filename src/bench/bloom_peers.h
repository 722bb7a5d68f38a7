#pragma once

// Libraries of transforms beside the bloom, each in a program of its own (peers/peer_program.h).

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_report.h"
#include "bench/bloom_lights.h"
#include "bench/peers/peer_choice.h"
#include "bench/peers/peer_program.h"
#include "gpu/device.h"

namespace aureole::bench {

/// "fftw", "cufft", "vkfft".
const std::vector<std::string>& bloomPeerNames();

class BloomPeers {
public:
    /// Compiles the programs of those peers, and where all are asked for tries each. Throws Error (Usage) that names
    /// the peer where one cannot be had; of all, the report tells which.
    BloomPeers(const gpu::DeviceInfo& device, const PeerChoice& choice, std::uint32_t repeats, BenchReport& report);

    /// Has all of them bloom what aureole did in `whole` microseconds with that error. Throws Error (Internal) where
    /// one is wrong by more than `tolerance`.
    void measure(const BloomTask& task, const BloomKernel& kernel, double whole, double error, double tolerance);
    void addTable(BenchReport& report) const;

private:
    struct Peer {
        std::string name;
        std::unique_ptr<PeerProgram> program;
    };

    nlohmann::json bloom(const Peer& peer, const BloomTask& task, const BloomKernel& kernel) const;

    std::string uuid_;
    std::uint32_t repeats_;
    std::vector<Peer> peers_;
    std::vector<BenchRow> rows_;
};

} // namespace aureole::bench
