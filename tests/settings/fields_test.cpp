// The tables of settings: each row goes through the scene's file and through its option, and the published schema
// follows from the rows, those of materials' constants too.

#include "settings/fields.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "json_test_util.h"
#include "model/material_constants.h"
#include "settings/changes.h"

namespace aureole {
namespace {

using Json = nlohmann::json;

/// Calls visit(object of the schema, rows, struct) for every table.
template <typename Visit>
void forEachObject(const Visit& visit) {
    visit("film", kFilmFields, FilmSettings());
    visit("integrator", kIntegratorFields, IntegratorSettings());
    visit("voxels", kVoxelFields, VoxelSettings());
    visit("bloom", kBloomFields, BloomSettings());
    visit("bloom/properties/airy", kBloomLensFields, BloomLens());
    visit("bloom/properties/aperture", kBloomLensFields, BloomLens());
    visit("bloom/properties/aperture", kBloomApertureFields, BloomAperture());
    visit("bloom/properties/eye", kBloomEyeFields, BloomEye());
    visit("finish", kFinishFields, FinishSettings());
    visit("finish/properties/palette", kPaletteToneFields, PaletteTone());
    visit("finish/properties/relief", kReliefFields, Relief());
    visit("finish/properties/thinFilm", kThinFilmFields, ThinFilm());
    visit("finish/properties/bulge", kBulgeFields, Bulge());
    visit("finish/properties/distortion", kDistortionFields, LensDistortion());
    visit("finish/properties/grain", kGrainFields, Grain());
}

/// What is no flat setting, by object: it has a reader of its own.
const std::map<std::string, std::set<std::string>>& others() {
    static const std::map<std::string, std::set<std::string>> kOthers = {
        {"film", {"size", "aovs"}},
        {"bloom", {"kernel", "airy", "aperture", "eye", "gaussians"}},
        {"bloom/properties/aperture", {"image"}},
        {"finish", {"palette", "relief", "thinFilm", "bulge", "distortion", "grain"}},
        {"finish/properties/palette", {"colours"}},
        {"finish/properties/relief", {"image"}},
        {"finish/properties/bulge", {"centre"}}};
    return kOthers;
}

/// The schema's words for the values that a row allows.
std::string domainText(const Switch& /*domain*/) {
    return R"("type": "boolean")";
}
std::string domainText(const CountRange& range) {
    if (range.leastButZero > 0) {
        return fmt::format(R"("anyOf": [{{ "const": 0 }}, {{ {} }}])", domainText({range.leastButZero, range.most}));
    }
    std::string text = fmt::format(R"("type": "integer", "minimum": {}, "maximum": {})", range.least, range.most);
    return range.word.empty() ? text : fmt::format(R"("anyOf": [{{ {} }}, {{ "const": "{}" }}])", text, range.word);
}
std::string domainText(const NumberRange& range) {
    std::string text =
        fmt::format(R"("type": "number", "minimum": {:.9g}, "maximum": {:.9g})", range.least, range.most);
    return range.word.empty() ? text : fmt::format(R"("anyOf": [{{ {} }}, {{ "const": "{}" }}])", text, range.word);
}
std::string namesText(const std::vector<std::string>& names) {
    return fmt::format(R"("enum": ["{}"])", fmt::join(names, R"(", ")"));
}
std::string domainText(const Words& words) {
    return namesText(words.names());
}

/// The schema's entry for a row, where `value` is the default.
std::string entryOf(const Setting& setting, const std::optional<SettingValue>& value) {
    std::string text = std::visit([](const auto& domain) { return domainText(domain); }, setting.domain);
    if (value && !setting.required && !setting.defaultDepends) {
        const std::string plain = settingText(setting, *value);
        text += ", \"default\": " + (std::holds_alternative<Words>(setting.domain) ? Json(plain).dump() : plain);
    }
    std::string description(setting.description);
    if (description.empty() && !setting.help.empty()) {
        description = settingHelp(setting, value) + ".";
        std::replace(description.begin(), description.end(), '\n', ' ');
    }
    return description.empty() ? "{ " + text + " }"
                               : fmt::format(R"({{ {}, "description": {} }})", text, Json(description).dump());
}

/// The schema's entry for a constant of materials. Its description has the default, since models that lack the constant
/// have none.
std::string entryOf(const MaterialConstant& row) {
    const MaterialConstants defaults;
    std::string text;
    float value = 0.0F;
    if (const auto* const number = std::get_if<float MaterialConstants::*>(&row.member)) {
        text = domainText(NumberRange{row.least, row.most});
        value = defaults.*(*number);
    } else {
        const glm::vec3 colour = defaults.*std::get<glm::vec3 MaterialConstants::*>(row.member);
        const bool isShare = row.most == 1.0;
        EXPECT_TRUE(row.least == 0.0 && (isShare || row.most == double{std::numeric_limits<float>::max()}))
            << "neither a share of light nor a radiance: " << row.key;
        EXPECT_EQ(colour, glm::vec3(colour.x)) << row.key;
        text = isShare ? R"("$ref": "#/$defs/reflectance")" : R"("$ref": "#/$defs/radiance")";
        value = colour.x;
    }
    const Json description = fmt::format("{} {:g} by default.", row.description, value);
    return fmt::format(R"({{ {}, "description": {} }})", text, description.dump());
}

/// Replaces the entry of a key in an object of the schema, which has a line of its own, or adds it as the last one.
/// What people write in the schema stays as they wrote it.
void putEntry(std::string& schema, const std::string& object, const std::string& key, const std::string& entry) {
    std::size_t begin = 0;
    std::string indent = "\n";
    std::istringstream names(object);
    for (std::string name; std::getline(names, name, '/');) {
        indent += "  ";
        begin = schema.find(indent + '"' + name + "\": {\n", begin);
        ASSERT_NE(begin, std::string::npos) << "the schema has no " << object;
    }
    const std::size_t end = schema.find(indent + "}", begin);
    const std::string start = indent + "  \"" + key + "\": ";
    const std::size_t found = schema.find(start, begin);
    if (found > end) {
        schema.insert(end, "," + start + entry);
        return;
    }
    const std::size_t from = found + start.size();
    const std::size_t line = schema.find('\n', from);
    schema.replace(from, line - from - (schema[line - 1] == ',' ? 1 : 0), entry);
}

class SettingsSchema : public ::testing::Test {
protected:
    SettingsSchema()
        : text_(readTextFile(path_, 1U << 20U))
        , schema_(Json::parse(text_)) {}

    const Json& object(const std::string& path) const { return schema_.at(Json::json_pointer("/$defs/" + path)); }

    std::filesystem::path path_ = scenesFolder() / "aureole.schema.json";
    std::string text_;
    Json schema_;
};

TEST_F(SettingsSchema, FollowsFromTheRows) {
    std::string made = text_;
    forEachObject([&](const std::string& path, const auto& fields, const auto& defaults) {
        const Json required = object(path).value("required", Json::array());
        for (const auto& field : fields) {
            const std::string key(field.key);
            putEntry(made, "$defs/" + path + "/properties", key, entryOf(field, field.in(defaults)));
            EXPECT_EQ(field.required, std::count(required.begin(), required.end(), Json(key)) == 1)
                << path << ' ' << key;
        }
    });
    for (const MaterialConstant& row : kMaterialConstants) {
        putEntry(made, "$defs/material/properties", std::string(row.key), entryOf(row));
    }
    putEntry(made, "$defs/film/properties/aovs", "items", "{ " + namesText(aovNames()) + " }");
    if (std::getenv("AUREOLE_UPDATE") != nullptr) { // NOLINT(concurrency-mt-unsafe)
        std::ofstream(path_) << made;
        return;
    }
    EXPECT_EQ(text_, made) << "run this test with AUREOLE_UPDATE=1, and then tools/scene_format.py";
}

TEST_F(SettingsSchema, HasNoKeyWithoutARow) {
    std::map<std::string, std::set<std::string>> known = others();
    forEachObject([&](const std::string& path, const auto& fields, const auto& /*defaults*/) {
        for (const auto& field : fields) {
            known[path].emplace(field.key);
        }
    });
    for (const auto& [path, keys] : known) {
        std::set<std::string> found;
        for (const auto& [key, unused] : object(path).at("properties").items()) {
            found.insert(key);
        }
        EXPECT_EQ(found, keys) << path;
    }
}

/// What an asset says of its own voxels has the same bounds, and the scene's values where it says nothing.
TEST_F(SettingsSchema, VoxelsOfAssetsAreThoseOfTheScene) {
    Json expected = object("voxels").at("properties");
    expected.erase("normals"); // of the whole scene
    Json found = object("assetVoxels").at("properties");
    for (const auto& [key, entry] : expected.items()) {
        entry.erase("default");
        entry.erase("description");
        found.at(key).erase("description");
    }
    EXPECT_EQ(found, expected);
}

/// Values of a row: its bounds, or all its words.
std::vector<SettingValue> valuesOf(const Setting& setting) {
    if (const auto* const words = std::get_if<Words>(&setting.domain)) {
        std::vector<SettingValue> places;
        for (std::uint32_t i = 0; i < words->names().size(); ++i) {
            places.emplace_back(i);
        }
        return places;
    }
    if (const auto* const count = std::get_if<CountRange>(&setting.domain)) {
        std::vector<SettingValue> values = {std::max(count->least, count->leastOption), count->most};
        if (!count->word.empty()) {
            values.emplace_back(kCountWord);
        }
        return values;
    }
    if (const auto* const number = std::get_if<NumberRange>(&setting.domain)) {
        std::vector<SettingValue> values = {number->least, 0.5 * (number->least + number->most), number->most};
        if (!number->word.empty()) {
            values.emplace_back(kWordInstead);
        }
        return values;
    }
    return {true, false};
}

TEST(SettingsFields, KeepWhatIsPutIntoThem) {
    forEachObject([](const std::string& path, const auto& fields, auto settings) {
        for (const auto& field : fields) {
            for (const SettingValue& value : valuesOf(field)) {
                field.put(settings, value);
                EXPECT_EQ(field.in(settings), std::optional(value)) << path << ' ' << field.key;
            }
        }
    });
}

TEST(SettingsFields, ReadTheTextThatTheyWrite) {
    forEachObject([](const std::string& /*path*/, const auto& fields, const auto& /*defaults*/) {
        for (const auto& field : fields) {
            for (const SettingValue& value : valuesOf(field)) {
                EXPECT_EQ(settingText(field, parseSetting(field, settingText(field, value))),
                          settingText(field, value));
            }
        }
    });
}

void expectRefused(const Setting& setting, const std::string& text) {
    try {
        parseSetting(setting, text);
        ADD_FAILURE() << setting.key << " took " << text;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::Usage);
        const std::string start = std::string(setting.option) + ": found '" + text + "', expected ";
        EXPECT_EQ(std::string(error.what()).substr(0, start.size()), start);
    }
}

TEST(SettingsFields, RefuseWhatLiesBeyondThem) {
    forEachObject([](const std::string& /*path*/, const auto& fields, const auto& /*defaults*/) {
        for (const auto& field : fields) {
            expectRefused(field, "surprise");
            if (const auto* const range = std::get_if<CountRange>(&field.domain)) {
                expectRefused(field, std::to_string(std::uint64_t{range->most} + 1));
                expectRefused(field, "-1");
            } else if (const auto* const numbers = std::get_if<NumberRange>(&field.domain)) {
                expectRefused(field, std::to_string(numbers->most * 1.5 + 1.0));
                expectRefused(field, std::to_string(numbers->least - 1.0));
            }
        }
    });
    expectRefused(fieldOf(kIntegratorFields, "noise"), "0.000001"); // above 0, and below the least
    expectRefused(fieldOf(kBloomApertureFields, "blades"), "2");
}

Json jsonOf(const Setting& setting, const SettingValue& value) {
    return std::holds_alternative<Words>(setting.domain) || isWord(setting, value)
               ? Json(settingText(setting, value))
               : std::visit([](const auto& plain) { return Json(plain); }, value);
}

class SettingsChange : public SceneJsonTest {
protected:
    Scene loadWith(const SettingsChanges& changes, const std::vector<SceneOverride>& overrides = {}) const {
        write("scene.json", minimalScene());
        return loadScene(sceneFile, overrides, nullptr, changes);
    }
};

// The part of a scene that has the type of another one.
const FilmSettings& partLike(const FilmSettings& /*other*/, const Scene& scene) {
    return scene.film;
}
const IntegratorSettings& partLike(const IntegratorSettings& /*other*/, const Scene& scene) {
    return scene.integrator;
}
const VoxelSettings& partLike(const VoxelSettings& /*other*/, const Scene& scene) {
    return scene.voxels;
}

TEST_F(SettingsChange, GoesThroughTheSceneAndItsHash) {
    const Scene plain = loadWith({});
    forEachTable(plain, [&](const std::string& path, const auto& fields, const auto& settings) {
        for (const auto& field : fields) {
            const std::string pointer = path + "/" + std::string(field.key);
            std::vector<SettingValue> values = valuesOf(field);
            // The word of a count is settled while the scene is read.
            std::erase_if(values, [&](const SettingValue& one) {
                return std::holds_alternative<CountRange>(field.domain) && isWord(field, one);
            });
            // The shutter may not close before it opens.
            const bool takesFirst = field.in(settings) == values.back() || field.key == "shutterOpen";
            const SettingValue value = takesFirst ? values.front() : values.back();
            const Scene changed = loadWith({{{&field, value}}, {}, {}, {}});
            const Scene same = loadWith({}, {{pointer, jsonOf(field, value).dump()}});
            EXPECT_EQ(field.in(partLike(settings, changed)), std::optional(value)) << pointer;
            EXPECT_EQ(summary(changed), summary(same)) << pointer;
            EXPECT_EQ(changed.hash != plain.hash, field.changesSamples) << pointer;
        }
    });
}

TEST_F(SettingsChange, NamesItsOption) {
    SettingsChanges changes;
    changes.settings.push_back({&fieldOf(kIntegratorFields, "seed"), 7U});
    EXPECT_EQ(changes.optionAt("/integrator/seed"), "--seed");
    EXPECT_EQ(changes.optionAt("/integrator/noise"), "");
    EXPECT_TRUE(changes.has(fieldOf(kIntegratorFields, "seed")));
    EXPECT_FALSE(changes.has(fieldOf(kIntegratorFields, "noise")));
    EXPECT_EQ(pointerOf(fieldOf(kVoxelFields, "error")), "/voxels/error");
    EXPECT_EQ(loadWith(changes).integrator.seed, 7U);
    EXPECT_EQ(loadWith(changes).hash, loadWith({}, {{"/integrator/seed", "7"}}).hash);
}

} // namespace
} // namespace aureole
