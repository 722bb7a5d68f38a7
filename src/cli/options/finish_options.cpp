#include "cli/options/finish_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/options/arguments.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "core/lines.h"
#include "image/colour/hex_colour.h"
#include "image/image_file.h"

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

void readPart(const std::string& option, const Parts& parts, std::size_t index, const NumberRange& range, double& out) {
    if (index < parts.size()) {
        out = parseNumber(option, parts[index], range.least, range.most);
    }
}

/// Reads the parts, as far as they go, as the settings of a table.
template <typename Fields, typename S>
void readParts(const std::string& option, const Parts& parts, const Fields& fields, S& settings) {
    for (std::size_t i = 0; i < std::min(parts.size(), fields.size()); ++i) {
        Setting setting = fields.at(i);
        setting.option = option;
        fields.at(i).put(settings, parseSetting(setting, parts[i]));
    }
}

glm::dvec3 parseColour(const std::string& option, const std::string& text) {
    const std::optional<glm::vec3> colour = colourFromHex(text);
    if (!colour) {
        fail(ExitCode::Usage, "{}: found the colour '{}', expected one such as '#ff8000'", option, text);
    }
    return *colour;
}

/// "a;b;c;d", three numbers each.
CosinePalette parseCosines(const std::string& option, const std::string& text) {
    constexpr NumberRange kTerm{-100.0, 100.0};
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
    constexpr std::string_view kShade = ",shade";
    ThinFilm film;
    film.shade = text.ends_with(kShade);
    const Parts parts = numbersOf(option, film.shade ? text.substr(0, text.size() - kShade.size()) : text, 1, 4,
                                  "NM, NM,INDEX, NM,INDEX,SPREAD or NM,INDEX,SPREAD,AMOUNT, and ',shade' or not");
    readParts(option, parts, kThinFilmFields, film);
    return film;
}

Bulge parseBulge(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 1, 4, "AMOUNT, AMOUNT,RADIUS or AMOUNT,RADIUS,X,Y");
    if (parts.size() == 3) {
        fail(ExitCode::Usage, "{}: found '{}', expected Y after X", option, text);
    }
    Bulge bulge;
    readParts(option, parts, kBulgeFields, bulge);
    readPart(option, parts, 2, Bulge::kCentre, bulge.centre.x);
    readPart(option, parts, 3, Bulge::kCentre, bulge.centre.y);
    return bulge;
}

LensDistortion parseDistortion(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 1, 2, "K1 or K1,K2");
    LensDistortion lens;
    readParts(option, parts, kDistortionFields, lens);
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
    readParts(option, parts, kGrainFields, grain);
    return grain;
}

PaletteTone parseTone(const std::string& option, const std::string& text) {
    const Parts parts = numbersOf(option, text, 2, 3, "LOW,HIGH or LOW,HIGH,AMOUNT");
    PaletteTone tone;
    readParts(option, parts, kPaletteToneFields, tone);
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
Step& needed(std::optional<Step>& step, std::string_view option, const char* other) {
    if (!step) {
        fail(ExitCode::Usage, "{}: found it without {}, expected both or none", option, other);
    }
    return *step;
}

/// Adds the option of a setting; `part` is where it belongs.
template <typename S, typename Part>
void addPart(CLI::App& command, FinishOptions& options, const Field<S>& field, const Part& part) {
    addSetting(command, field, [&options, &field, part](const SettingValue& value) {
        options.given.emplace_back(field.option);
        options.changes.emplace_back([=, &field](FinishSettings& settings) { field.put(part(settings), value); });
    });
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
        command, options, "--relief", "FILE", "Emboss: a picture whose luminance is a height, stretched over all",
        [](const char*, Text file) { return file; },
        [](FinishSettings& settings, const std::string& file) {
            Relief changed = settings.relief.value_or(Relief{});
            changed.image = file;
            changed.links = Links::Follow;
            settings.relief = changed;
        });
    setHint(command, relief, {.files = true, .extensions = imageExtensions(ImageUse::Read)});
    for (const Field<Relief>& field : kReliefFields) {
        addPart(command, options, field, [&field](FinishSettings& settings) -> Relief& {
            return needed(settings.relief, field.option, "--relief");
        });
    }
    addStep(command, options, "--thin-film", "NM[,INDEX[,SPREAD[,AMOUNT]]][,shade]",
            "Interference colours of a film of that many nanometres, of index 1.33, thicker by\n"
            "0.5 of it in the corners (or where a relief is high), 0 to 1 of it; in its shade alone",
            parseThinFilm, [](FinishSettings& settings, const ThinFilm& film) { settings.thinFilm = film; });
}

void addOptics(CLI::App& command, FinishOptions& options) {
    addStep(command, options, "--bulge", "AMOUNT[,RADIUS[,X,Y]]",
            "Magnify within a radius of the shorter side (0.5) around X,Y (0.5,0.5 of the size)", parseBulge,
            [](FinishSettings& settings, const Bulge& bulge) { settings.bulge = bulge; });
    addStep(command, options, "--distortion", "K1[,K2]",
            "Radial lens distortion, r (1 + K1 r^2 + K2 r^4) with 1 in the corners: barrels have\nK1 below 0",
            parseDistortion, [](FinishSettings& settings, const LensDistortion& lens) { settings.distortion = lens; });
    addPart(command, options, fieldOf(kFinishFields, "vignette"),
            [](FinishSettings& settings) -> FinishSettings& { return settings; });
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
