#include "cli/commands/image_layer.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"

namespace aureole::cli {

namespace {

/// The names of a layer's channels without the layer's own, in the order of the file.
std::vector<std::string> partsOf(const Image& image, const std::string& layer) {
    std::vector<std::string> parts;
    for (const Channel& channel : image.channels) {
        if (channel.name.substr(0, channel.name.rfind('.')) == layer && channel.name.size() > layer.size()) {
            parts.push_back(channel.name.substr(layer.size() + 1));
        }
    }
    return parts;
}

[[noreturn]] void failUnknown(const Image& image, const std::string& layer, const std::string& file) {
    std::set<std::string> layers;
    for (const Channel& channel : image.channels) {
        if (const std::size_t dot = channel.name.rfind('.'); dot != std::string::npos) {
            layers.insert(channel.name.substr(0, dot));
        }
    }
    const std::vector<std::string> names(layers.begin(), layers.end());
    fail(ExitCode::BadInput, "{}: found no layer '{}', expected {}{}", file, layer,
         names.empty() ? "none: it has none" : fmt::format("one of {}", fmt::join(names, ", ")),
         didYouMean(layer, names));
}

} // namespace

Image takeLayer(Image image, const std::string& layer, const std::string& file) {
    const std::vector<std::string> parts = partsOf(image, layer);
    if (parts.empty()) {
        failUnknown(image, layer, file);
    }
    const auto has = [&](const char* part) { return std::find(parts.begin(), parts.end(), part) != parts.end(); };
    const std::string prefix = layer + ".";
    std::vector<std::pair<std::string, std::string>> names; // of the layer's channels, and what they become
    if (has("R") && has("G") && has("B")) {
        names = {{"R", "R"}, {"G", "G"}, {"B", "B"}};
        if (has("A")) {
            names.emplace_back("A", "A");
        }
    } else if (has("X") && has("Y") && has("Z")) {
        names = {{"X", "R"}, {"Y", "G"}, {"Z", "B"}};
    } else if (parts.size() == 1) {
        names = {{parts.front(), "Y"}};
    } else {
        fail(ExitCode::BadInput, "{}: found the channels {} in layer '{}', expected R, G and B, X, Y and Z, or one",
             file, fmt::join(parts, ", "), layer);
    }
    std::vector<Channel> channels;
    channels.reserve(names.size());
    for (const auto& [part, name] : names) {
        channels.push_back({name, std::move(image.find(prefix + part)->values)});
    }
    std::sort(channels.begin(), channels.end(), [](const Channel& a, const Channel& b) { return a.name < b.name; });
    image.channels = std::move(channels);
    return image;
}

} // namespace aureole::cli
