#include "session/ranks/rank_exchange.h"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/log.h"
#include "core/plural.h"
#include "sandbox/json_pack.h"

namespace aureole {

template <typename Archive>
void pack(Archive& archive, DeviceUse& use) {
    archive(use.samples, use.rays, use.seconds, use.failure);
}

template <typename Archive>
void pack(Archive& archive, ReportedDevice& device) {
    archive(device.index, device.name, device.uuid, device.driver, device.use);
}

template <typename Archive>
void pack(Archive& archive, RankReady& ready) {
    std::map<std::string, std::string> attributes = attributesOf(ready.identity);
    archive(attributes, ready.asked, ready.parts, ready.host, ready.devices);
    ready.identity = identityFrom(attributes);
}

template <typename Archive>
void pack(Archive& archive, RankWork& work) {
    archive(work.samples, work.resumed, work.saved, work.rays, work.devices, work.frames, work.framesFound,
            work.samplesTotal, work.outputBytes, work.framesThere);
}

namespace {

/// Paths need not be UTF-8.
template <typename T>
std::string messageOf(T told) {
    return sandbox::JsonPacker::jsonOf(told).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <typename T>
T toldBy(const std::string& message) {
    T told;
    sandbox::JsonUnpacker::read(nlohmann::json::parse(message), told);
    return told;
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
    return messageOf(ready);
}

RankReady readyFrom(const std::string& message) {
    return toldBy<RankReady>(message);
}

std::string toMessage(const RankWork& work) {
    return messageOf(work);
}

RankWork workFrom(const std::string& message) {
    return toldBy<RankWork>(message);
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
