#include "session/rank_checks.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/log.h"
#include "core/plural.h"
#include "film/film.h"
#include "session/rank_plan.h"
#include "session/rank_report.h"
#include "session/render_checkpoint.h"

namespace aureole {

using Json = nlohmann::json;

void refuseRankOptions(const RenderOptions& options, std::size_t ranks) {
    const auto refuse = [&](bool given, const char* option, const std::string& reason) {
        if (given) {
            fail(ExitCode::Usage, "{}: found it with {}, expected none: {}", option, countOf(ranks, "rank"), reason);
        }
    };
    const std::string parts = fmt::format("their parts are in {} until the picture is done, and the same command goes "
                                          "on from there",
                                          partsFolder(options.output).string());
    refuse(!options.checkpoint.empty(), "--checkpoint", parts);
    refuse(!options.resume.empty(), "--resume", parts);
    refuse(options.dropCheckpoint, "--drop-checkpoint", parts);
    if (!options.frames) {
        refuse(options.seconds.has_value(), "--time", "they share a number of samples; --spp");
        refuse(options.noise, "--noise", "adaptive sampling decides by all samples so far");
    }
}

std::map<std::string, std::string> askedOf(const RenderOptions& options, const RenderLimits& limits) {
    return {{"--frames", options.frames ? formatSamples({*options.frames}) : "none"},
            {"--output", options.output},
            {"samples", formatSamples({{limits.first, limits.end}})}};
}

void comparePictures(const std::vector<RankOutcome>& ready) {
    const auto readMap = [](const RankOutcome& outcome, const char* key) {
        return Json::parse(outcome.data).at(key).get<std::map<std::string, std::string>>();
    };
    const CheckpointAttributes first = readMap(ready.front(), "attributes");
    const std::map<std::string, std::string> asked = readMap(ready.front(), "asked");
    for (const RankOutcome& other : ready) {
        std::vector<std::string> differences = renderDifferences(readMap(other, "attributes"), first);
        for (const auto& [name, value] : readMap(other, "asked")) {
            if (value != asked.at(name)) {
                differences.push_back(fmt::format("{} is {}, expected {}", name, value, asked.at(name)));
            }
        }
        if (!differences.empty()) {
            fail(ExitCode::BadInput, "{}: found another picture than that of {}: {}", other.name, ready.front().name,
                 fmt::join(differences, "; "));
        }
    }
}

void tellOfDevices(const std::vector<RankOutcome>& ready) {
    std::map<std::string, int> users; // of a device of a host
    std::set<std::string> hosts;
    for (const RankOutcome& outcome : ready) {
        const Json data = Json::parse(outcome.data);
        const auto host = data.at("host").get<std::string>();
        hosts.insert(host);
        std::set<std::string> own;
        for (const ReportedDevice& device : devicesFromJson(data.at("devices"))) {
            own.insert(fmt::format("device {} of {} ({})", device.index, host, device.name));
        }
        for (const std::string& device : own) {
            ++users[device];
        }
    }
    logInfo("ranks    {} on {}", ready.size(), countOf(hosts.size(), "host"));
    for (const auto& [device, count] : users) {
        if (count > 1) {
            logWarning("{} is that of {} ranks, which render no faster than one", device, count);
        }
    }
}

} // namespace aureole
