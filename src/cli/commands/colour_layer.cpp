#include "cli/commands/colour_layer.h"

#include <array>
#include <set>
#include <vector>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"

namespace aureole::cli {

namespace {

constexpr std::array<const char*, 3> kColours = {"R", "G", "B"};
/// Where channels of the image's own that would be mistaken for the layer's wait; no EXR file has such a name.
const std::string kAside = std::string("\n");

std::vector<std::string> colouredLayers(const Image& image) {
    std::set<std::string> layers;
    for (const Channel& channel : image.channels) {
        const std::size_t dot = channel.name.rfind('.');
        if (dot != std::string::npos && channel.name.substr(dot) == ".R") {
            layers.insert(channel.name.substr(0, dot));
        }
    }
    return {layers.begin(), layers.end()};
}

} // namespace

ColourLayer::ColourLayer(Image& image, const std::string& layer, const std::string& file) {
    if (layer.empty()) {
        const std::vector<std::string> layers = colouredLayers(image);
        if (!layers.empty() && image.find("R") == nullptr && image.find("Y") == nullptr) {
            fail(ExitCode::BadInput, "{}: found the layers {}, expected R, G and B; --layer {} takes one of them", file,
                 fmt::join(layers, ", "), layers.front());
        }
        return;
    }
    prefix_ = layer + ".";
    for (const char* colour : kColours) {
        if (image.find(prefix_ + colour) == nullptr) {
            const std::vector<std::string> layers = colouredLayers(image);
            fail(ExitCode::BadInput, "{}: found no channel '{}', expected a layer with R, G and B; those found: {}{}",
                 file, prefix_ + colour, layers.empty() ? "(none)" : fmt::format("{}", fmt::join(layers, ", ")),
                 didYouMean(layer, layers));
        }
    }
    for (const char* colour : kColours) {
        if (Channel* own = image.find(colour)) {
            own->name = kAside + colour;
        }
        image.find(prefix_ + colour)->name = colour;
    }
}

void ColourLayer::restore(Image& image) const {
    if (prefix_.empty()) {
        return;
    }
    for (const char* colour : kColours) {
        image.find(colour)->name = prefix_ + colour;
        if (Channel* own = image.find(kAside + colour)) {
            own->name = colour;
        }
    }
}

} // namespace aureole::cli
