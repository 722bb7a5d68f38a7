#include "import/gltf/animation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/log.h"
#include "core/suggest.h"
#include "import/gltf/accessor.h"

namespace aureole::gltf {

namespace {

std::vector<double> readTimes(const Document& document, const JsonValue& reference) {
    const Accessor accessor(document, reference);
    if (accessor.components() != 1 || accessor.count() == 0) {
        fail(ExitCode::BadInput, "{}: found {} elements of {} components, expected at least one key of 1 component",
             reference.place(), accessor.count(), accessor.components());
    }
    std::vector<double> times = accessor.numbers();
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!(times[i] >= 0.0 && std::isfinite(times[i])) || (i > 0 && times[i] <= times[i - 1])) {
            fail(ExitCode::BadInput, "{}: key {}: found the time {:g}, expected times from 0 on that ascend",
                 reference.place(), i, times[i]);
        }
    }
    return times;
}

/// `width`: numbers of a value; 0: as many as there are for each key.
Sampler readSampler(const Document& document, const JsonValue& json, std::size_t width) {
    Sampler sampler;
    const std::string interpolation = json.textOr("interpolation", "LINEAR");
    if (interpolation != "LINEAR" && interpolation != "STEP" && interpolation != "CUBICSPLINE") {
        fail(ExitCode::BadInput, "{}: found '{}', expected LINEAR, STEP or CUBICSPLINE", json["interpolation"].place(),
             interpolation);
    }
    sampler.steps = interpolation == "STEP";
    sampler.isSpline = interpolation == "CUBICSPLINE";
    sampler.isRotation = width == 4;
    sampler.times = readTimes(document, json["input"]);
    const Accessor output(document, json["output"]);
    sampler.values = output.numbers();
    const std::size_t keys = sampler.times.size() * (sampler.isSpline ? 3 : 1);
    sampler.width = width != 0 ? width : sampler.values.size() / keys;
    const std::size_t components = width != 0 ? width : 1;
    if (output.components() != components || sampler.width == 0 || sampler.values.size() != keys * sampler.width) {
        fail(ExitCode::BadInput, "{}: found {} elements of {} components, expected {} of {} for {} keys{}",
             json["output"].place(), output.count(), output.components(),
             width != 0 ? fmt::format("{}", keys) : "a multiple of " + fmt::format("{}", keys), components,
             sampler.times.size(), sampler.isSpline ? " with their tangents" : "");
    }
    if (!std::all_of(sampler.values.begin(), sampler.values.end(), [](double value) { return std::isfinite(value); })) {
        fail(ExitCode::BadInput, "{}: found a value that is not finite", json["output"].place());
    }
    return sampler;
}

std::vector<double> valueOf(const Sampler& sampler, std::size_t key, std::size_t part) {
    const std::size_t parts = sampler.isSpline ? 3 : 1;
    const auto first = sampler.values.begin() +
                       static_cast<std::ptrdiff_t>((parts * key + (sampler.isSpline ? part : 0)) * sampler.width);
    return {first, first + static_cast<std::ptrdiff_t>(sampler.width)};
}

constexpr std::size_t kInTangent = 0;
constexpr std::size_t kOwnValue = 1;
constexpr std::size_t kOutTangent = 2;

glm::dquat quaternionOf(const std::vector<double>& value) {
    const glm::dquat rotation(value[3], value[0], value[1], value[2]);
    const double length = glm::length(rotation);
    return length > 0.0 ? rotation / length : glm::dquat(1.0, 0.0, 0.0, 0.0);
}

/// Between two keys, `t` of the way: section "Interpolation" of glTF's appendix C.
std::vector<double> valueBetween(const Sampler& sampler, std::size_t key, double t) {
    std::vector<double> from = valueOf(sampler, key, kOwnValue);
    const std::vector<double> to = valueOf(sampler, key + 1, kOwnValue);
    if (sampler.steps) {
        return from;
    }
    std::vector<double> value(sampler.width);
    if (sampler.isSpline) {
        const double duration = sampler.times[key + 1] - sampler.times[key];
        const std::vector<double> out = valueOf(sampler, key, kOutTangent);
        const std::vector<double> in = valueOf(sampler, key + 1, kInTangent);
        const double t2 = t * t;
        const double t3 = t2 * t;
        for (std::size_t i = 0; i < value.size(); ++i) {
            value[i] = (2.0 * t3 - 3.0 * t2 + 1.0) * from[i] + duration * (t3 - 2.0 * t2 + t) * out[i] +
                       (3.0 * t2 - 2.0 * t3) * to[i] + duration * (t3 - t2) * in[i];
        }
        return value;
    }
    if (sampler.isRotation) {
        const glm::dquat q = glm::slerp(quaternionOf(from), quaternionOf(to), t); // by the shorter way
        return {q.x, q.y, q.z, q.w};
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        value[i] = from[i] + (to[i] - from[i]) * t;
    }
    return value;
}

std::vector<double> valueAt(const Sampler& sampler, double seconds) {
    const auto after = std::upper_bound(sampler.times.begin(), sampler.times.end(), seconds);
    if (after == sampler.times.begin()) {
        return valueOf(sampler, 0, kOwnValue);
    }
    const auto key = static_cast<std::size_t>(after - sampler.times.begin()) - 1;
    if (after == sampler.times.end()) {
        return valueOf(sampler, key, kOwnValue);
    }
    return valueBetween(sampler, key, (seconds - sampler.times[key]) / (*after - sampler.times[key]));
}

/// None where it is left out.
std::optional<Channel> readChannel(const Document& document, const JsonValue& json, const JsonValue& samplers) {
    const JsonValue target = json["target"];
    const std::optional<JsonValue> node = target.find("node");
    const std::string& path = target["path"].text();
    if (!node) {
        if (path != "pointer") { // KHR_animation_pointer, of which the file's extensions tell
            logWarning("{}: names no node, the channel is left out", target.place());
        }
        return std::nullopt;
    }
    struct Kind {
        const char* name;
        ChannelPath path;
        std::size_t width;
    };
    constexpr std::array kKinds = {Kind{"translation", ChannelPath::Translation, 3},
                                   Kind{"rotation", ChannelPath::Rotation, 4}, Kind{"scale", ChannelPath::Scale, 3},
                                   Kind{"weights", ChannelPath::Weights, 0}};
    const auto* const kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& known) { return path == known.name; });
    const JsonValue sampler = samplers.at(json["sampler"].index(samplers.size(), "sampler"));
    const std::uint32_t number = node->index(document.count("nodes"), "node");
    if (kind == kKinds.end()) {
        logWarning("{}: found '{}', expected translation, rotation, scale or weights; the channel is left out",
                   target["path"].place(), path);
        return std::nullopt;
    }
    return Channel{number, kind->path, readSampler(document, sampler, kind->width)};
}

JsonValue findClip(const Document& document, const std::string& clip) {
    const std::vector<std::string> names = clipNames(document);
    const auto found = std::find(names.begin(), names.end(), clip);
    if (found == names.end()) {
        fail(ExitCode::BadInput, "{}: found no animation '{}', expected {}{}", document.name(), clip,
             names.empty() ? "a file with animations" : fmt::format("one of '{}'", fmt::join(names, "', '")),
             didYouMean(clip, names));
    }
    return document.element("animations", static_cast<std::size_t>(found - names.begin()));
}

/// The time of the last key of an animation.
double durationOf(const Document& document, const JsonValue& animation) {
    double last = 0.0;
    const JsonValue samplers = animation["samplers"];
    for (std::size_t i = 0; i < samplers.size(); ++i) {
        last = std::max(last, readTimes(document, samplers.at(i)["input"]).back());
    }
    return last;
}

} // namespace

std::vector<std::string> clipNames(const Document& document) {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < document.count("animations"); ++i) {
        const std::string name = document.element("animations", i).nameOr(fmt::format("animation {}", i));
        const std::size_t before = seen[name]++;
        names.push_back(before == 0 ? name : fmt::format("{}[{}]", name, before));
    }
    return names;
}

Clip::Clip(const Document& document, const std::string& name) {
    const JsonValue animation = findClip(document, name);
    duration_ = durationOf(document, animation);
    const JsonValue channels = animation["channels"];
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (std::optional<Channel> channel = readChannel(document, channels.at(i), animation["samplers"])) {
            channels_.push_back(std::move(*channel));
        }
    }
}

Pose Clip::poseAt(double seconds) const {
    Pose pose;
    for (const Channel& channel : channels_) {
        addChannel(channel, seconds, pose[channel.node]);
    }
    return pose;
}

double Clip::secondOf(const ClipMoment& moment) const {
    const bool loops = moment.loops && duration_ > 0.0;
    return moment.seconds - (loops ? duration_ * std::floor(moment.seconds / duration_) : 0.0);
}

void addChannel(const Channel& channel, double seconds, NodePose& pose) {
    const std::vector<double> value = valueAt(channel.sampler, seconds);
    switch (channel.path) {
    case ChannelPath::Translation:
        pose.translation = glm::dvec3(value[0], value[1], value[2]);
        break;
    case ChannelPath::Rotation:
        pose.rotation = quaternionOf(value);
        break;
    case ChannelPath::Scale:
        pose.scale = glm::dvec3(value[0], value[1], value[2]);
        break;
    case ChannelPath::Weights:
        pose.weights = value;
        break;
    }
}

} // namespace aureole::gltf
