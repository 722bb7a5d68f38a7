#include "image/finish/finish.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/threads/parallel.h"
#include "core/to_number.h"
#include "image/attributes.h"
#include "image/finish/grain.h"
#include "image/finish/interference.h"
#include "image/finish/relief_map.h"
#include "image/finish/warp.h"

namespace aureole {

namespace {

FinishPixels gathered(const Image& image, const std::string& file) {
    const std::array<const Channel*, 3> rgb = image.rgb(file);
    const Channel* const alpha = image.find("A");
    FinishPixels pixels{image.width, image.height, std::vector<glm::vec4>(image.pixelCount())};
    for (std::size_t i = 0; i < pixels.values.size(); ++i) {
        pixels.values[i] = {rgb[0]->values[i], rgb[1]->values[i], rgb[2]->values[i],
                            alpha != nullptr ? alpha->values[i] : 1.0F};
    }
    return pixels;
}

/// Puts the pixels back; a grey image's channel becomes three.
void scatter(const FinishPixels& pixels, Image& image) {
    constexpr std::array<const char*, 3> kNames = {"R", "G", "B"};
    if (image.find("R") == nullptr || image.find("G") == nullptr || image.find("B") == nullptr) {
        const std::string grey = image.channels.size() == 1 ? image.channels[0].name : "Y";
        std::erase_if(image.channels, [&](const Channel& channel) { return channel.name == grey; });
        for (const char* const name : kNames) {
            if (image.find(name) == nullptr) {
                image.add(name);
            }
        }
    }
    for (glm::length_t c = 0; c < 3; ++c) {
        std::vector<float>& values = image.find(kNames.at(static_cast<std::size_t>(c)))->values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = pixels.values[i][c];
        }
    }
    if (Channel* const alpha = image.find("A")) {
        for (std::size_t i = 0; i < alpha->values.size(); ++i) {
            alpha->values[i] = pixels.values[i].a;
        }
    }
}

/// The colour with the palette's tones. It must not be multiplied by alpha.
glm::dvec3 toned(const PaletteTone& tone, const glm::dvec3& colour) {
    const double light = luminance(colour.r, colour.g, colour.b);
    const double brighter = std::max(light / tone.high, 1.0);
    const glm::dvec3 palette = brighter * paletteColour(tone.palette, (light - tone.low) / (tone.high - tone.low));
    return glm::mix(colour, palette, tone.amount);
}

/// Light falls with the fourth power of the cosine of the angle, 1 at r = 0 and 1 - amount at r = 1.
double vignetteAt(double amount, double square) {
    const double tangentSquare = 1.0 / std::sqrt(1.0 - amount) - 1.0; // of the corner's angle
    return 1.0 / std::pow(1.0 + tangentSquare * square, 2.0);
}

/// The settings for an image, which may be a frame.
Grain grainOf(Grain grain, const Image& image) {
    grain.seed += toNumber<std::uint32_t>(attributeOf(image, kFrameAttribute)).value_or(0);
    return grain;
}

std::string describePalette(const PaletteTone& tone) {
    const std::string kind = std::holds_alternative<CosinePalette>(tone.palette)
                                 ? "of cosines"
                                 : fmt::format("of {}", std::get<ColourList>(tone.palette).size());
    return fmt::format("palette {} from {:g} to {:g} by {:g}", kind, tone.low, tone.high, tone.amount);
}

} // namespace

struct Finish::Parts {
    FinishSettings settings;
    std::optional<ReliefMap> relief;
    std::optional<InterferenceColours> film;

    bool coloured() const { return settings.palette || relief || film; }
    void colour(FinishPixels& pixels) const;
    glm::vec4 colour(const glm::vec4& value, const glm::dvec2& place, const glm::dvec2& size) const;
    double lightOn(const glm::dvec2& unit) const;
    glm::dvec3 tintAt(const glm::dvec2& place, const glm::dvec2& size) const;
    void darken(FinishPixels& pixels) const;
};

glm::vec4 Finish::Parts::colour(const glm::vec4& value, const glm::dvec2& place, const glm::dvec2& size) const {
    glm::dvec3 colour(value);
    const glm::dvec2 unit = place / size;
    if (settings.palette && value.a > 0.0F) {
        colour = double{value.a} * toned(*settings.palette, colour / double{value.a});
    }
    const double light = relief ? lightOn(unit) : 1.0;
    if (film) {
        const ThinFilm& kind = *settings.thinFilm;
        const glm::dvec3 tint = tintAt(place, size);
        colour *= kind.shade ? light + kind.amount * std::max(1.0 - light, 0.0) * tint
                             : light * glm::mix(glm::dvec3(1.0), tint, kind.amount);
    } else {
        colour *= light;
    }
    return {glm::vec3(colour), value.a};
}

/// How much of the light falls on the relief at a place of the unit square.
double Finish::Parts::lightOn(const glm::dvec2& unit) const {
    const double angle = settings.relief->angle * kPi / 180.0;
    const glm::dvec2 light(std::cos(angle), -std::sin(angle));
    return std::max(1.0 + settings.relief->strength * relief->facing(unit, light), 0.0);
}

/// The film's colour: twice what it reflects, as a film of all thicknesses reflects half of its most.
glm::dvec3 Finish::Parts::tintAt(const glm::dvec2& place, const glm::dvec2& size) const {
    const glm::dvec2 from = fromMiddle(place, size);
    const double thicker = relief ? std::clamp(relief->height(place / size), 0.0, 1.0) : glm::dot(from, from);
    return 2.0 * film->at(settings.thinFilm->thickness * (1.0 + settings.thinFilm->spread * thicker));
}

void Finish::Parts::colour(FinishPixels& pixels) const {
    parallelFor(pixels.height, 1, [&](std::int64_t y) {
        for (std::uint32_t x = 0; x < pixels.width; ++x) {
            glm::vec4& value = pixels.values[static_cast<std::size_t>(y) * pixels.width + x];
            value = colour(value, {x + 0.5, static_cast<double>(y) + 0.5}, pixels.size());
        }
    });
}

void Finish::Parts::darken(FinishPixels& pixels) const {
    parallelFor(pixels.height, 1, [&](std::int64_t y) {
        for (std::uint32_t x = 0; x < pixels.width; ++x) {
            const glm::dvec2 from = fromMiddle({x + 0.5, static_cast<double>(y) + 0.5}, pixels.size());
            const double factor = vignetteAt(settings.vignette, glm::dot(from, from));
            glm::vec4& value = pixels.values[static_cast<std::size_t>(y) * pixels.width + x];
            value = glm::vec4(glm::vec3(value) * static_cast<float>(factor), value.a);
        }
    });
}

Finish::Finish(const FinishSettings& settings) {
    auto parts = std::make_unique<Parts>();
    parts->settings = settings;
    if (settings.relief) {
        parts->relief.emplace(*settings.relief);
    }
    if (settings.thinFilm) {
        const double thickest = settings.thinFilm->thickness * (1.0 + std::max(settings.thinFilm->spread, 0.0));
        parts->film.emplace(settings.thinFilm->index, thickest);
    }
    parts_ = std::move(parts);
}

Finish::~Finish() = default;
Finish::Finish(Finish&& other) noexcept = default;
Finish& Finish::operator=(Finish&& other) noexcept = default;

void Finish::apply(Image& image, const std::string& file) const {
    const FinishSettings& settings = parts_->settings;
    FinishPixels pixels = gathered(image, file);
    if (parts_->coloured()) {
        parts_->colour(pixels);
    }
    if (settings.bulge || settings.distortion) {
        pixels = warped(pixels, Warp(pixels.size(), settings.bulge, settings.distortion));
    }
    if (settings.vignette > 0.0) {
        parts_->darken(pixels);
    }
    if (settings.grain) {
        addGrain(pixels, grainOf(*settings.grain, image));
    }
    scatter(pixels, image);
}

std::string Finish::describe(const Image& image) const {
    const FinishSettings& s = parts_->settings;
    std::vector<std::string> steps;
    if (s.palette) {
        steps.push_back(describePalette(*s.palette));
    }
    if (s.relief) {
        steps.push_back(fmt::format("relief of strength {:g} at {:g} degrees", s.relief->strength, s.relief->angle));
    }
    if (s.thinFilm) {
        steps.push_back(fmt::format("thin film of {:g} nm, index {:g}, spread {:g}, by {:g}{}", s.thinFilm->thickness,
                                    s.thinFilm->index, s.thinFilm->spread, s.thinFilm->amount,
                                    s.thinFilm->shade ? " in the shade" : ""));
    }
    if (s.bulge) {
        steps.push_back(fmt::format("bulge {:g} within {:g} at {:g},{:g}", s.bulge->amount, s.bulge->radius,
                                    s.bulge->centre.x, s.bulge->centre.y));
    }
    if (s.distortion) {
        steps.push_back(fmt::format("distortion {:g},{:g}", s.distortion->k1, s.distortion->k2));
    }
    if (s.vignette > 0.0) {
        steps.push_back(fmt::format("vignette {:g}", s.vignette));
    }
    if (s.grain) {
        const Grain grain = grainOf(*s.grain, image);
        steps.push_back(fmt::format("grain {:g} of {:g} pixels with seed {}", grain.amount, grain.size, grain.seed));
    }
    return fmt::format("{}", fmt::join(steps, ", "));
}

} // namespace aureole
