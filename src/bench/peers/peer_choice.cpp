#include "bench/peers/peer_choice.h"

#include <numeric>

#include "core/error.h"
#include "settings/parse_text.h"

namespace aureole::bench {

std::vector<std::string> withAll(std::vector<std::string> names) {
    names.emplace_back("all");
    return names;
}

PeerChoice parsePeers(const std::string& text, const std::vector<std::string>& names) {
    PeerChoice choice;
    if (text == "all") {
        choice.all = true;
        choice.peers.resize(names.size());
        std::iota(choice.peers.begin(), choice.peers.end(), std::size_t{0});
        return choice;
    }
    choice.peers = parseIndices("--against", text, withAll(names));
    for (const std::size_t peer : choice.peers) {
        if (peer == names.size()) {
            fail(ExitCode::Usage, "--against: found 'all' in '{}', expected it alone", text);
        }
    }
    return choice;
}

void preparePeer(bool all, const std::string& name, BenchReport& report, const std::function<void()>& prepare) {
    try {
        prepare();
    } catch (const Error& error) {
        if (!all) {
            throw;
        }
        report.note(fmt::format("{}: none: {}", name, error.what()));
    }
}

} // namespace aureole::bench
