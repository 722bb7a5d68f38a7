#include "film/marks.h"

#include <fmt/format.h>

#include "core/error.h"
#include "film/picture.h"
#include "image/attributes.h"

namespace aureole {

namespace {

/// What the note of a layer's bloom begins with.
std::string beginning(const std::string& layer) {
    return fmt::format("{}: ", layer.empty() ? "R, G, B" : layer);
}

std::optional<std::string> notes(const Image& image, const char* attribute) {
    const auto found = image.attributes.find(attribute);
    return found == image.attributes.end() ? std::nullopt : std::optional(found->second);
}

void addNote(Image& image, const char* attribute, const std::string& layer, const std::string& how) {
    std::string note = beginning(layer) + how;
    if (layer.empty()) {
        if (const std::string samples = dropSums(image); !samples.empty()) {
            note += fmt::format("; of samples {}", samples);
        }
    }
    const std::optional<std::string> before = notes(image, attribute);
    image.attributes[attribute] = before ? fmt::format("{}\n{}", *before, note) : note;
}

} // namespace

void markDenoised(Image& image, const std::string& how) {
    addNote(image, kDenoiseAttribute, "", how);
}

void markBloomed(Image& image, const std::string& layer, const std::string& how) {
    addNote(image, kBloomAttribute, layer, how);
}

void markFinished(Image& image, const std::string& layer, const std::string& how) {
    addNote(image, kFinishAttribute, layer, how);
}

std::optional<std::string> denoiseMark(const Image& image) {
    return notes(image, kDenoiseAttribute);
}

std::optional<std::string> bloomMark(const Image& image) {
    return notes(image, kBloomAttribute);
}

std::map<std::string, std::string> pngNotes(const Image& image, bool isMetered) {
    std::map<std::string, std::string> texts;
    if (const std::optional<std::string> mark = denoiseMark(image)) {
        texts[kDenoiseAttribute] = *mark;
    }
    if (isMetered) {
        texts[kExposureAttribute] = image.attributes.at(kExposureAttribute);
    }
    return texts;
}

void refuseProcessed(const Image& image, const std::string& file, const std::string& expected) {
    const auto refuse = [&](const char* attribute, const char* found) {
        if (const std::optional<std::string> mark = notes(image, attribute)) {
            fail(ExitCode::BadInput, "{}: found an image that {} ({}: {}), expected {}", file, found, attribute, *mark,
                 expected);
        }
    };
    refuse(kDenoiseAttribute, "is denoised");
    refuse(kBloomAttribute, "bloom went over");
    refuse(kFinishAttribute, "is finished");
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
