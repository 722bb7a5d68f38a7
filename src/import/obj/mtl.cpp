// After Wavefront's "MTL material format" (1995) and its physically based extension (Pr, Pm, norm, map_Pr...).

#include "import/obj/mtl.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/lower_case.h"
#include "core/to_number.h"

namespace aureole::obj {

namespace {

std::string_view trim(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n\f\v";
    const std::size_t first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Takes the first word off `text`.
std::string_view takeWord(std::string_view& text) {
    text = trim(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trim(text.substr(end));
    return word;
}

std::optional<float> finiteNumber(std::string_view word) {
    if (!word.empty() && word.front() == '+') {
        word.remove_prefix(1);
    }
    const std::optional<float> value = toNumber<float>(word);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

/// One statement: what stands behind its key, and where.
struct Statement {
    std::string_view rest;
    const std::string& file;
    int line;

    float number() {
        const std::string_view word = takeWord(rest);
        const std::optional<float> value = finiteNumber(word);
        if (!value) {
            fail(ExitCode::BadInput, "{}: line {}: found '{}', expected a finite number", file, line, word);
        }
        return *value;
    }

    /// Three numbers, or one for all channels.
    glm::vec3 colour() {
        const float red = number();
        if (rest.empty() || rest.front() == '#') {
            return glm::vec3(red);
        }
        const float green = number();
        return {red, green, number()};
    }

    /// Up to three numbers; the first two count.
    glm::vec2 option(float otherwise) {
        glm::vec2 result(otherwise);
        result.x = number();
        for (int i = 1; i < 3; ++i) {
            std::string_view ahead = rest;
            const std::optional<float> value = finiteNumber(takeWord(ahead));
            if (!value || ahead.empty()) { // the last word is the file, whatever it looks like
                break;
            }
            rest = ahead;
            if (i == 1) {
                result.y = *value;
            }
        }
        return result;
    }

    MtlMap map() {
        MtlMap result;
        result.line = line;
        while (!rest.empty() && rest.front() == '-') {
            const std::string key = lowerCase(takeWord(rest));
            if (key == "-s") {
                result.scale = option(1.0F);
            } else if (key == "-o") {
                result.offset = option(0.0F);
            } else if (key == "-t") {
                option(0.0F);
            } else if (key == "-clamp") {
                result.clamp = lowerCase(takeWord(rest)) == "on";
            } else if (key == "-bm") {
                result.bump = number();
            } else if (key == "-mm") {
                takeWord(rest);
                takeWord(rest);
            } else {
                takeWord(rest); // -blendu, -blendv, -boost, -cc, -imfchan, -texres, -type: one word each
            }
        }
        if (rest.empty()) {
            fail(ExitCode::BadInput, "{}: line {}: found no file name, expected one", file, line);
        }
        result.path = std::string(rest);
        std::replace(result.path.begin(), result.path.end(), '\\', '/');
        return result;
    }
};

using Reader = std::function<void(MtlMaterial&, Statement&)>;

const std::map<std::string, Reader>& readers() {
    static const std::map<std::string, Reader> kReaders = {
        {"kd", [](MtlMaterial& m, Statement& s) { m.diffuse = s.colour(); }},
        {"ks", [](MtlMaterial& m, Statement& s) { m.specular = s.colour(); }},
        {"ke", [](MtlMaterial& m, Statement& s) { m.emission = s.colour(); }},
        {"ns", [](MtlMaterial& m, Statement& s) { m.shininess = s.number(); }},
        {"d",
         [](MtlMaterial& m, Statement& s) {
             if (s.rest.rfind("-halo", 0) == 0) {
                 takeWord(s.rest);
             }
             m.opacity = s.number();
         }},
        {"tr",
         [](MtlMaterial& m, Statement& s) {
             const float transparency = s.number();
             m.opacity = m.opacity.value_or(1.0F - transparency); // d says it better where both are there
         }},
        {"pr", [](MtlMaterial& m, Statement& s) { m.roughness = s.number(); }},
        {"pm", [](MtlMaterial& m, Statement& s) { m.metalness = s.number(); }},
        {"ni", [](MtlMaterial& m, Statement& s) { m.ior = s.number(); }},
        {"illum", [](MtlMaterial& m, Statement& s) { m.illumination = s.number(); }},
        {"tf",
         [](MtlMaterial& m, Statement& s) {
             if (s.rest.rfind("spectral", 0) != 0 && s.rest.rfind("xyz", 0) != 0) {
                 m.filter = s.colour();
             }
         }},
        {"map_kd", [](MtlMaterial& m, Statement& s) { m.diffuseMap = s.map(); }},
        {"map_ke", [](MtlMaterial& m, Statement& s) { m.emissionMap = s.map(); }},
        {"map_emissive", [](MtlMaterial& m, Statement& s) { m.emissionMap = s.map(); }},
        {"map_d", [](MtlMaterial& m, Statement& s) { m.opacityMap = s.map(); }},
        {"map_opacity", [](MtlMaterial& m, Statement& s) { m.opacityMap = s.map(); }},
        {"map_pr", [](MtlMaterial& m, Statement& s) { m.roughnessMap = s.map(); }},
        {"map_pm", [](MtlMaterial& m, Statement& s) { m.metalnessMap = s.map(); }},
        {"norm", [](MtlMaterial& m, Statement& s) { m.normalMap = s.map(); }},
        {"map_norm", [](MtlMaterial& m, Statement& s) { m.normalMap = s.map(); }},
        {"map_kn", [](MtlMaterial& m, Statement& s) { m.normalMap = s.map(); }},
        {"bump", [](MtlMaterial& m, Statement& s) { m.bumpMap = s.map(); }},
        {"map_bump", [](MtlMaterial& m, Statement& s) { m.bumpMap = s.map(); }},
    };
    return kReaders;
}

} // namespace

std::vector<MtlMaterial> parseMtl(std::string_view text, const std::string& name) {
    std::vector<MtlMaterial> materials;
    int line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view rest = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line == 1 && rest.rfind("\xef\xbb\xbf", 0) == 0) {
            rest = trim(rest.substr(3));
        }
        if (rest.empty() || rest.front() == '#') {
            continue;
        }
        const std::string key = lowerCase(takeWord(rest));
        if (key == "newmtl") {
            materials.emplace_back().name = std::string(rest);
            continue;
        }
        const auto reader = readers().find(key);
        if (reader == readers().end()) {
            continue;
        }
        if (materials.empty()) {
            fail(ExitCode::BadInput, "{}: line {}: found '{}', expected 'newmtl' before it", name, line, key);
        }
        Statement statement{rest, name, line};
        reader->second(materials.back(), statement);
    }
    return materials;
}

} // namespace aureole::obj
