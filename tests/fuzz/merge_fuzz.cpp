// What merge takes from its parts: attributes and channels of small images, as a file could have them. What is merged
// lies in the crops' bounds, has sane numbers where the parts have, and stays as it is when it is merged alone.

#include <cmath>
#include <cstring>
#include <vector>

#include "film/crops.h"
#include "film/merge.h"
#include "fuzz.h"
#include "takes.h"

namespace aureole::fuzz {

namespace {

constexpr std::uint32_t kMostParts = 4;
const std::vector<std::string> kChannels = {"R", "G", "B"};
const std::vector<std::string> kMoreChannels = {"hits.Y",     "depth.Z",    "P.X",       "id.Y",    "albedo.R",
                                                "variance.R", "variance.G", "samples.Y", "alpha.Y", "Y"};
const std::vector<std::string> kAttributes = {"aureole.crop",          "aureole.size",    "aureole.seed",
                                              "aureole.sample_counts", "aureole.bloom",   "aureole.finish",
                                              "aureole.denoise",       "aureole.version", "aureole.command"};

Image takePart(Takes& input) {
    const std::uint32_t width = 1 + input.number() % 4;
    const std::uint32_t height = 1 + input.number() % 4;
    std::vector<std::string> channels = kChannels;
    // Of independent samples a part has their squares, of Sobol points the mean of one half.
    const std::string told = input.number() % 2 == 0 ? "moment." : "halfA.";
    for (const char* colour : {"R", "G", "B"}) {
        channels.push_back(told + colour);
    }
    for (std::uint32_t bits = input.number(), i = 0; i < 8; ++i) {
        if ((bits >> i & 1U) != 0) {
            channels.push_back(kMoreChannels[i]);
        }
    }
    Image image = makeImage(width, height, channels);
    const auto value = input.take<float>();
    for (Channel& channel : image.channels) {
        channel.values.assign(channel.values.size(), value);
    }
    image.attributes["aureole.samples"] = input.line();
    while (const std::uint32_t attribute = input.number() % 16) {
        image.attributes[kAttributes[attribute % kAttributes.size()]] = input.line();
    }
    return image;
}

bool sameValues(const Image& a, const Image& b) {
    for (const Channel& channel : a.channels) {
        const Channel* other = b.find(channel.name);
        if (other == nullptr || other->values.size() != channel.values.size()) {
            return false;
        }
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
            const float difference = std::abs(channel.values[i] - other->values[i]);
            if (difference > 1e-5F * std::abs(channel.values[i])) { // false where one is not finite
                return false;
            }
        }
    }
    return a.width == b.width && a.height == b.height;
}

Image merged(const std::vector<Image>& parts) {
    std::vector<std::string> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        files.emplace_back("part.exr");
    }
    const auto part = [&](std::size_t i) { return parts[i]; };
    return mergeParts({files, part, part});
}

} // namespace

void runInput(Bytes input) {
    Takes left(input);
    std::vector<Image> parts;
    do {
        parts.push_back(takePart(left));
    } while (!left.empty() && parts.size() < kMostParts);
    Image whole;
    if (!goesThrough("part.exr", [&] { whole = merged(parts); })) {
        return;
    }
    for (const Channel& channel : whole.channels) {
        require(channel.values.size() == whole.pixelCount(), "a channel has a value for each pixel");
    }
    if (whole.attributes.contains("aureole.samples")) {
        const Image again = merged({whole});
        require(again.attributes == whole.attributes, "what is merged alone keeps its attributes");
        require(sameValues(again, whole), "what is merged alone keeps its values");
    }
}

} // namespace aureole::fuzz
