#include "image/bloom_mark.h"

#include <fmt/format.h>

#include "image/film.h"

namespace aureole {

namespace {

constexpr const char* kBloomAttribute = "aureole.bloom";

/// What the note of a layer's bloom begins with.
std::string beginning(const std::string& layer) {
    return fmt::format("{}: ", layer.empty() ? "R, G, B" : layer);
}

} // namespace

void markBloomed(Image& image, const std::string& layer, const std::string& how) {
    std::string note = beginning(layer) + how;
    if (layer.empty()) {
        if (const std::string samples = dropSums(image); !samples.empty()) {
            note += fmt::format("; of samples {}", samples);
        }
    }
    const std::optional<std::string> before = bloomMark(image);
    image.attributes[kBloomAttribute] = before ? fmt::format("{}\n{}", *before, note) : note;
}

std::optional<std::string> bloomMark(const Image& image) {
    const auto found = image.attributes.find(kBloomAttribute);
    return found == image.attributes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> bloomMarkOf(const Image& image, const std::string& layer) {
    const std::string notes = fmt::format("\n{}", bloomMark(image).value_or(""));
    const std::size_t found = notes.rfind(fmt::format("\n{}", beginning(layer)));
    if (found == std::string::npos) {
        return std::nullopt;
    }
    return notes.substr(found + 1, notes.find('\n', found + 1) - found - 1);
}

} // namespace aureole
