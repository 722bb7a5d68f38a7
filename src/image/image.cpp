#include "image/image.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "core/error.h"

namespace aureole {

const Channel* Image::find(std::string_view name) const {
    const auto found = std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == name; });
    return found == channels.end() ? nullptr : &*found;
}

Channel* Image::find(std::string_view name) {
    const auto found = std::find_if(channels.begin(), channels.end(), [&](const Channel& c) { return c.name == name; });
    return found == channels.end() ? nullptr : &*found;
}

Channel& Image::add(std::string name, float value) {
    if (find(name) != nullptr) {
        fail(ExitCode::Internal, "an image already has a channel '{}'", name);
    }
    return channels.emplace_back(Channel{std::move(name), std::vector<float>(pixelCount(), value)});
}

std::array<const Channel*, 3> Image::rgb(const std::string& file) const {
    const Channel* const r = find("R");
    const Channel* const g = find("G");
    const Channel* const b = find("B");
    if (r != nullptr && g != nullptr && b != nullptr) {
        return {r, g, b};
    }
    const Channel* const grey = channels.size() == 1 ? channels.data() : find("Y");
    if (grey == nullptr) {
        std::vector<std::string> names;
        names.reserve(channels.size());
        for (const Channel& channel : channels) {
            names.push_back(channel.name);
        }
        fail(ExitCode::BadInput, "{}: found the channels {}, expected R, G and B, or Y, or a single channel", file,
             names.empty() ? "(none)" : fmt::format("{}", fmt::join(names, ", ")));
    }
    return {grey, grey, grey};
}

Image makeImage(std::uint32_t width, std::uint32_t height, const std::vector<std::string>& channels) {
    Image image;
    image.width = width;
    image.height = height;
    image.channels.reserve(channels.size());
    for (const std::string& name : channels) {
        image.add(name);
    }
    return image;
}

} // namespace aureole
