#include "session/ranks/rank_exchange.h"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "core/plural.h"

namespace aureole {

namespace {

using Json = nlohmann::json;

/// Paths need not be UTF-8.
std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json devicesToJson(const std::vector<ReportedDevice>& devices) {
    Json list = Json::array();
    for (const ReportedDevice& device : devices) {
        list.push_back({device.index, device.name, device.uuid, device.driver, device.use.samples, device.use.rays,
                        device.use.seconds, device.use.failure});
    }
    return list;
}

std::vector<ReportedDevice> devicesFromJson(const Json& json) {
    std::vector<ReportedDevice> devices;
    for (const Json& device : json) {
        devices.push_back({device.at(0).get<std::uint32_t>(),
                           device.at(1).get<std::string>(),
                           device.at(2).get<std::string>(),
                           device.at(3).get<std::string>(),
                           {device.at(4).get<std::uint64_t>(), device.at(5).get<std::uint64_t>(),
                            device.at(6).get<double>(), device.at(7).get<std::string>()}});
    }
    return devices;
}

} // namespace

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
        refuse(options.asksForNoise(), "--noise", "adaptive sampling decides by all samples so far");
    }
}

std::string toMessage(const RankReady& ready) {
    return dump({{"attributes", attributesOf(ready.identity)},
                 {"asked", ready.asked},
                 {"parts", ready.parts},
                 {"host", ready.host},
                 {"devices", devicesToJson(ready.devices)}});
}

RankReady readyFrom(const std::string& message) {
    const Json json = Json::parse(message);
    RankReady ready;
    ready.identity = identityFrom(json.at("attributes").get<std::map<std::string, std::string>>());
    json.at("asked").get_to(ready.asked);
    json.at("parts").get_to(ready.parts);
    json.at("host").get_to(ready.host);
    ready.devices = devicesFromJson(json.at("devices"));
    return ready;
}

std::string toMessage(const RankWork& work) {
    return dump({{"samples", work.samples},
                 {"resumed", work.resumed},
                 {"saved", work.saved},
                 {"rays", work.rays},
                 {"devices", devicesToJson(work.devices)},
                 {"frames", work.frames},
                 {"framesFound", work.framesFound},
                 {"samplesTotal", work.samplesTotal},
                 {"outputBytes", work.outputBytes},
                 {"framesThere", work.framesThere}});
}

RankWork workFrom(const std::string& message) {
    const Json json = Json::parse(message);
    RankWork work;
    json.at("samples").get_to(work.samples);
    json.at("resumed").get_to(work.resumed);
    json.at("saved").get_to(work.saved);
    json.at("rays").get_to(work.rays);
    work.devices = devicesFromJson(json.at("devices"));
    json.at("frames").get_to(work.frames);
    json.at("framesFound").get_to(work.framesFound);
    json.at("samplesTotal").get_to(work.samplesTotal);
    json.at("outputBytes").get_to(work.outputBytes);
    json.at("framesThere").get_to(work.framesThere);
    return work;
}

void comparePictures(const std::vector<RankOutcome>& ready) {
    const RankReady first = readyFrom(ready.front().data);
    for (const RankOutcome& outcome : ready) {
        const RankReady other = readyFrom(outcome.data);
        std::vector<std::string> differences = renderDifferences(other.identity, first.identity);
        for (const auto& [name, value] : other.asked) {
            if (value != first.asked.at(name)) {
                differences.push_back(fmt::format("{} is {}, expected {}", name, value, first.asked.at(name)));
            }
        }
        if (!differences.empty()) {
            fail(ExitCode::BadInput, "{}: found another picture than that of {}: {}", outcome.name, ready.front().name,
                 fmt::join(differences, "; "));
        }
    }
}

void tellOfDevices(const std::vector<RankOutcome>& ready) {
    std::map<std::string, int> users; // how many ranks use a device of a host
    std::set<std::string> hosts;
    for (const RankOutcome& outcome : ready) {
        const RankReady rank = readyFrom(outcome.data);
        hosts.insert(rank.host);
        std::set<std::string> own;
        for (const ReportedDevice& device : rank.devices) {
            own.insert(fmt::format("device {} of {} ({})", device.index, rank.host, device.name));
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

IndexRanges reportRanks(const std::vector<RankOutcome>& outcomes, double seconds, RenderReport& report) {
    RankWork all;
    for (const RankOutcome& outcome : outcomes) {
        if (outcome.data.empty()) {
            continue;
        }
        const RankWork one = workFrom(outcome.data);
        all.resumed += one.resumed;
        all.rays += one.rays;
        all.frames += one.frames;
        all.framesFound += one.framesFound;
        all.samplesTotal += one.samplesTotal;
        all.outputBytes += one.outputBytes;
        all.devices.insert(all.devices.end(), one.devices.begin(), one.devices.end());
        all.framesThere.insert(all.framesThere.end(), one.framesThere.begin(), one.framesThere.end());
    }
    if (!all.devices.empty()) {
        report.setDevices(std::move(all.devices));
    }
    StageTimes& stages = report.stages;
    stages.set(Stage::Render,
               seconds - stages.of(Stage::Build) - stages.of(Stage::Upload) - stages.of(Stage::Pipelines));
    report.rays = all.rays;
    if (report.frames) {
        report.frames = all.frames;
        report.framesFound = all.framesFound;
        report.samplesTotal = all.samplesTotal;
        report.outputBytes = all.outputBytes;
    } else if (all.resumed > 0) {
        report.resumedSamples = all.resumed;
    }
    return joinRanges(all.framesThere, "frames");
}

} // namespace aureole
