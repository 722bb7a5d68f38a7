#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/bench_report.h"

namespace aureole::bench {

/// The peers that --against names.
struct PeerChoice {
    std::vector<std::size_t> peers; ///< by their names' places
    bool all = false;               ///< all that can be had where this runs; the others are told in the report
};

/// The names, and "all".
std::vector<std::string> withAll(std::vector<std::string> names);

/// Reads a list of these names, or "all". Throws Error (Usage).
PeerChoice parsePeers(const std::string& text, const std::vector<std::string>& names);

/// Makes ready for a peer. Where it cannot be had, and `all` are asked for, the report tells why; else what `prepare`
/// throws is thrown.
void preparePeer(bool all, const std::string& name, BenchReport& report, const std::function<void()>& prepare);

} // namespace aureole::bench
