#include "session/rank_report.h"

#include <nlohmann/json.hpp>

namespace aureole {

using Json = nlohmann::json;

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

Json toJson(const Rendered& rendered) {
    return {{"samples", rendered.samples},
            {"resumed", rendered.resumed},
            {"saved", rendered.saved},
            {"rays", rendered.rays},
            {"devices", devicesToJson(rendered.devices)},
            {"frames", rendered.frames},
            {"framesFound", rendered.framesFound},
            {"samplesTotal", rendered.samplesTotal},
            {"outputBytes", rendered.outputBytes},
            {"framesThere", rendered.framesThere}};
}

Rendered renderedFromJson(const Json& json) {
    Rendered rendered;
    json.at("samples").get_to(rendered.samples);
    json.at("resumed").get_to(rendered.resumed);
    json.at("saved").get_to(rendered.saved);
    json.at("rays").get_to(rendered.rays);
    rendered.devices = devicesFromJson(json.at("devices"));
    json.at("frames").get_to(rendered.frames);
    json.at("framesFound").get_to(rendered.framesFound);
    json.at("samplesTotal").get_to(rendered.samplesTotal);
    json.at("outputBytes").get_to(rendered.outputBytes);
    json.at("framesThere").get_to(rendered.framesThere);
    return rendered;
}

SampleRanges reportRanks(const std::vector<RankOutcome>& outcomes, double seconds, RenderReport& report) {
    Rendered all;
    for (const RankOutcome& outcome : outcomes) {
        if (outcome.data.empty()) {
            continue;
        }
        const Rendered one = renderedFromJson(Json::parse(outcome.data));
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
        report.devices = std::move(all.devices);
        report.nameDevices();
    }
    report.renderSeconds = seconds - report.buildSeconds - report.uploadSeconds - report.pipelineSeconds;
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
