// Palettes: of textures, and of finished pictures.

#include <array>
#include <utility>

#include <fmt/format.h>

#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

constexpr std::size_t kMostColours = 256;
constexpr Range kTerms{-100.0, 100.0};

void readColours(const ValueReader& value, Range range, ColourPalette& palette) {
    ColourList colours;
    value.readArray([&](const ValueReader& element) {
        glm::vec3 colour(0.0F);
        element.readColour(colour, range);
        colours.emplace_back(colour);
    });
    if (colours.size() < 2 || colours.size() > kMostColours) {
        value.expected(fmt::format("2 to {} colours", kMostColours));
    } else {
        palette = std::move(colours);
    }
}

} // namespace

void readPalette(const ValueReader& value, Range range, ColourPalette& palette) {
    if (value.json().is_array()) {
        readColours(value, range, palette);
        return;
    }
    if (!value.json().is_object()) {
        value.expected(fmt::format("2 to {} colours, or an object with 'cosine'", kMostColours));
        return;
    }
    value.readObject([&](ObjectReader& reader) {
        CosinePalette found;
        const std::array<std::pair<const char*, glm::dvec3*>, 4> terms = {
            {{"a", &found.mean}, {"b", &found.amplitude}, {"c", &found.frequency}, {"d", &found.phase}}};
        if (const auto cosine = reader.require("cosine")) {
            cosine->readObject([&](ObjectReader& in) {
                for (const auto& [name, term] : terms) {
                    if (const auto triple = in.require(name)) {
                        triple->read(*term, kTerms);
                    }
                }
            });
        }
        palette = found;
    });
}

} // namespace aureole
