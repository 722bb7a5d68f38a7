#include "cli/options/finish_options.h"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/options/arguments.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "image/colour/hex_colour.h"

namespace aureole::cli {

namespace {

using Text = const std::string&;
using Parts = std::vector<std::string>;

/// The numbers of "A,B,C", of which `least` to `most` must be there; `form` is what the option expects.
Parts numbersOf(const std::string& option, const std::string& text, std::size_t least, std::size_t most,
                const char* form) {
    Parts parts = splitList(text);
    if (parts.size() < least || parts.size() > most) {
        fail(ExitCode::Usage, "{}: found '{}', expected {}", option, text, form);
    }
    return parts;
}

void readPart(const std::string& option, const Parts& parts, std::size_t index, const FinishRange& range, double& out) {
    if (index < parts.size()) {
        out = parseNumber(option, parts[index], range.least, range.most);
    }
}

constexpr FinishRange kUnitRange{0.0, 1.0};

glm::dvec3 parseColour(const std::string& option, const std::string& text) {
    const std::optional<glm::vec3> colour = colourFromHex(text);
    if (!colour) {
        fail(ExitCode::Usage, "{}: found the colour '{}', expected one such as '#ff8000'", option, text);
    }
    return *colour;
}

/// "a;b;c;d", three numbers each.
CosinePalette parseCosines(const std::string& option, const std::string& text) {
    constexpr FinishRange kTerm{-100.0, 100.0};
    constexpr const char* kForm = "'a;b;c;d' of a + b cos(2 pi (c t + d)), each as R,G,B";
    CosinePalette palette;
    const Parts terms = splitList(text, ';');
    if (terms.size() != 4) {
        fail(ExitCode::Usage, "{}: found '{}', expected {}", option, text, kForm);
    }
    const std::array<glm::dvec3*, 4> targets = {&palette.mean, &palette.amplitude, &palette.frequency, &palette.phase};
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const Parts numbers = numbersOf(option, terms[i], 3, 3, kForm);
        for (std::size_t c = 0; c < 3; ++c) {
            readPart(option, numbers, c, kTerm, (*targets.at(i))[static_cast<glm::length_t>(c)]);
        }
    }
    return palette;
}

ColourPalette parsePalette(const std::string& option, const std::string& text) {
    if (text.find(';') != std::string::npos) {
        return parseCosines(option, text);
    }
    ColourList colours;
    for (const std::string& colour : splitList(text)) {
        colours.push_back(parseColour(option, colour));
    }
    if (colours.size() < 2) {
        fail(ExitCode::Usage, "{}: found one colour, expected two or more", option);
    }
    return colours;
}

ThinFilm parseThinFilm(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 1, 4, "NM, NM,INDEX, NM,INDEX,SPREAD or NM,INDEX,SPREAD,AMOUNT");
    ThinFilm film;
    readPart(option, parts, 0, ThinFilm::kThickness, film.thickness);
    readPart(option, parts, 1, ThinFilm::kIndex, film.index);
    readPart(option, parts, 2, ThinFilm::kSpread, film.spread);
    readPart(option, parts, 3, kUnitRange, film.amount);
    return film;
}

Bulge parseBulge(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 1, 4, "AMOUNT, AMOUNT,RADIUS or AMOUNT,RADIUS,X,Y");
    if (parts.size() == 3) {
        fail(ExitCode::Usage, "{}: found '{}', expected Y after X", option, text);
    }
    Bulge bulge;
    readPart(option, parts, 0, Bulge::kAmount, bulge.amount);
    readPart(option, parts, 1, Bulge::kRadius, bulge.radius);
    readPart(option, parts, 2, Bulge::kCentre, bulge.centre.x);
    readPart(option, parts, 3, Bulge::kCentre, bulge.centre.y);
    return bulge;
}

LensDistortion parseDistortion(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 1, 2, "K1 or K1,K2");
    LensDistortion lens;
    readPart(option, parts, 0, LensDistortion::kCoefficient, lens.k1);
    readPart(option, parts, 1, LensDistortion::kCoefficient, lens.k2);
    if (lens.folds()) {
        fail(
            ExitCode::Usage,
            "{}: found '{}', which shows some places twice, expected 1 + 3 K1 r^2 + 5 K2 r^4 above 0 for all r up to 1",
            option, text);
    }
    return lens;
}

Grain parseGrain(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 1, 3, "AMOUNT, AMOUNT,SIZE or AMOUNT,SIZE,SEED");
    Grain grain;
    readPart(option, parts, 0, Grain::kAmount, grain.amount);
    readPart(option, parts, 1, Grain::kSize, grain.size);
    if (parts.size() > 2) {
        grain.seed = parseCount(option, parts[2], 0);
    }
    return grain;
}

PaletteTone parseTone(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 2, 3, "LOW,HIGH or LOW,HIGH,AMOUNT");
    PaletteTone tone;
    readPart(option, parts, 0, PaletteTone::kLuminance, tone.low);
    readPart(option, parts, 1, PaletteTone::kLuminance, tone.high);
    readPart(option, parts, 2, kUnitRange, tone.amount);
    if (tone.low >= tone.high) {
        fail(ExitCode::Usage, "{}: found '{}', expected LOW below HIGH", option, text);
    }
    return tone;
}

/// Adds an option whose value `parse` reads at once; `change` puts it into the settings later.
template <typename Parse, typename Change>
CLI::Option* addStep(CLI::App& command, FinishOptions& options, const char* name, const char* type, const char* help,
                     const Parse& parse, const Change& change) {
    return addValue(command, name, type, help, [=, &options](Text text) {
        options.given.emplace_back(name);
        options.changes.emplace_back(
            [=, value = parse(name, text)](FinishSettings& settings) { change(settings, value); });
    });
}

template <typename Step>
Step& needed(std::optional<Step>& step, const char* option, const char* other) {
    if (!step) {
        fail(ExitCode::Usage, "{}: found it without {}, expected both or none", option, other);
    }
    return *step;
}

/// One of which the value is a number.
auto numberIn(const FinishRange& range) {
    return [range](const char* option, Text text) { return parseNumber(option, text, range.least, range.most); };
}

void addColours(CLI::App& command, FinishOptions& options) {
    addStep(command, options, "--palette", "COLOURS",
            "Colours by luminance: '#rrggbb,#rrggbb...', evenly spaced, or 'a;b;c;d' of\n"
            "a + b cos(2 pi (c t + d)), each as R,G,B",
            parsePalette, [](FinishSettings& settings, const ColourPalette& palette) {
                PaletteTone tone = settings.palette.value_or(PaletteTone{});
                tone.palette = palette;
                settings.palette = tone;
            });
    addStep(command, options, "--palette-range", "LOW,HIGH[,AMOUNT]",
            "Luminances of the palette's ends, 0,1 by default, and how much of it to take, 0 to 1", parseTone,
            [](FinishSettings& settings, const PaletteTone& range) {
                PaletteTone& tone = needed(settings.palette, "--palette-range", "--palette");
                tone = {tone.palette, range.low, range.high, range.amount};
            });
    CLI::Option* const relief = addStep(
        command, options, "--relief", "FILE", "Emboss: an EXR or PNG whose luminance is a height, stretched over all",
        [](const char*, Text file) { return file; },
        [](FinishSettings& settings, const std::string& file) {
            Relief changed = settings.relief.value_or(Relief{});
            changed.image = file;
            changed.links = Links::Follow;
            settings.relief = changed;
        });
    setHint(command, relief, {.files = true, .extensions = imageExtensions()});
    addStep(command, options, "--relief-strength", "X", "How strongly, -100 to 100; 1 by default",
            numberIn(Relief::kStrength), [](FinishSettings& settings, double strength) {
                needed(settings.relief, "--relief-strength", "--relief").strength = strength;
            });
    addStep(command, options, "--relief-angle", "DEGREES",
            "From where its light comes: 0 right, 90 above; 135 by default", numberIn(Relief::kAngle),
            [](FinishSettings& settings, double angle) {
                needed(settings.relief, "--relief-angle", "--relief").angle = angle;
            });
    addStep(command, options, "--thin-film", "NM[,INDEX[,SPREAD[,AMOUNT]]]",
            "Interference colours of a film of that many nanometres, of index 1.33, thicker by\n"
            "0.5 of it in the corners (or where a relief is high), 0 to 1 of it",
            parseThinFilm, [](FinishSettings& settings, const ThinFilm& film) { settings.thinFilm = film; });
}

void addOptics(CLI::App& command, FinishOptions& options) {
    addStep(command, options, "--bulge", "AMOUNT[,RADIUS[,X,Y]]",
            "Magnify within a radius of the shorter side (0.5) around X,Y (0.5,0.5 of the size)", parseBulge,
            [](FinishSettings& settings, const Bulge& bulge) { settings.bulge = bulge; });
    addStep(command, options, "--distortion", "K1[,K2]",
            "Radial lens distortion, r (1 + K1 r^2 + K2 r^4) with 1 in the corners: barrels have\nK1 below 0",
            parseDistortion, [](FinishSettings& settings, const LensDistortion& lens) { settings.distortion = lens; });
    addStep(command, options, "--vignette", "X", "The part of the light that the corners lose, 0 to 0.99",
            numberIn(FinishSettings::kVignette),
            [](FinishSettings& settings, double part) { settings.vignette = part; });
    addStep(command, options, "--grain", "AMOUNT[,SIZE[,SEED]]",
            "Film grain: the deviation of the light's logarithm, its size in pixels (1), its seed (0),\n"
            "to which frames of an animation add their number",
            parseGrain, [](FinishSettings& settings, const Grain& grain) { settings.grain = grain; });
}

} // namespace

void addFinishOptions(CLI::App& command, FinishOptions& options) {
    addColours(command, options);
    addOptics(command, options);
}

} // namespace aureole::cli
