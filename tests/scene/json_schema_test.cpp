// The published schema and the readers describe one format.

#include "json_schema.h"

#include <algorithm>
#include <fstream>
#include <numeric>

#include "full_sweep.h"
#include "hosek_files.h"
#include "image/png/png.h"
#include "json_test_util.h"
#include "scene/json/scene_reader.h"
#include "volume_files.h"
#include "waving_model.h"

namespace aureole {
namespace {

namespace fs = std::filesystem;

Json parseFile(const fs::path& file) {
    std::ifstream stream(file);
    return Json::parse(stream);
}

const fs::path kScenes = scenesFolder();

class SchemaTest : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("texture.png", tinyPng());
        writePng(folder / "hills.png", makeImage(2, 2, {"Y"}));
        write("sky/sunsky_datasets.bin", mitsubaFile(madeUpTensors()));
        write("smoke.nvdb", test::makeNvdb(
                                {{0, 0, 0}}, [](const glm::dvec3& at) { return at.x; }, true));
        write("waving.gltf", wavingModel());
        write("model.mtl", "newmtl red\nKd 1 0 0\n");
        write("model.obj", "mtllib model.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
    }
    SceneReading read(const Json& document) const { return readSceneText(sceneFile, document.dump()); }
    static std::vector<Json> fullScenes() {
        std::vector<Json> scenes = {Json::parse(fullScene(kGradientEnvironment)),
                                    Json::parse(fullScene(kConstantEnvironment)),
                                    Json::parse(fullScene(kImageEnvironment)), Json::parse(fullScene(kSkyEnvironment)),
                                    Json::parse(fullScene(kHosekEnvironment))};
        scenes[0]["assets"]["hills"]["heightmap"] = {
            {"file", "hills.png"}, {"size", {3, 2}}, {"height", 0.5}, {"base", -0.25}};
        scenes[0]["assets"]["smoke"]["volume"] = {{"file", "smoke.nvdb"}, {"grid", "ball"},  {"density", 0.5},
                                                  {"albedo", 0.5},        {"emission", 0.5}, {"anisotropy", 0.5}};
        scenes[0]["assets"]["smoke"]["volume"]["temperature"] = {{"grid", "ball"}, {"scale", 0.5}, {"offset", 0.5}};
        scenes[0]["assets"]["waving"] = {
            {"file", "waving.gltf"},
            {"animation", {{"clip", "wave"}, {"framesPerSecond", 12}, {"start", 0.5}, {"loop", false}}}};
        return scenes;
    }

    /// The full scenes without what they share, and without the model, which would be slow to import a thousand times.
    static std::vector<Json> variedScenes() {
        std::vector<Json> scenes = fullScenes();
        scenes[0]["assets"].erase("model");
        scenes[0]["assets"].erase("waving");
        scenes[0]["instances"].erase("e");
        for (std::size_t i = 1; i < scenes.size(); ++i) {
            const Json full = scenes[i];
            scenes[i] = Json::parse(minimalScene());
            for (const char* key : {"environment", "animation"}) {
                scenes[i][key] = full[key];
            }
        }
        return scenes;
    }

    const JsonSchema schema{parseFile(kScenes / "aureole.schema.json")};
};

/// Every value of a document that is no object, with its pointer; arrays count, and the first two of their elements.
void collectLeaves(const Json& node, const std::string& pointer, std::vector<std::string>& leaves) {
    if (!node.is_object()) {
        leaves.push_back(pointer);
    }
    if (node.is_object()) {
        for (const auto& [key, child] : node.items()) {
            collectLeaves(child, childPointer(pointer, key), leaves);
        }
    }
    if (node.is_array()) {
        for (std::size_t i = 0; i < std::min<std::size_t>(node.size(), 2); ++i) {
            collectLeaves(node[i], childPointer(pointer, std::to_string(i)), leaves);
        }
    }
}

TEST_F(SchemaTest, EveryShippedSceneConformsAndLoads) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(kScenes)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".json" || file.filename() == "aureole.schema.json") {
            continue;
        }
        ++count;
        const Json document = parseFile(file);
        for (const std::string& error : schema.errors(document)) {
            ADD_FAILURE() << file << error;
        }
        EXPECT_EQ(document.value("$schema", ""), "aureole.schema.json") << file;
        EXPECT_EQ(join(problemsOf(file, {})), "") << file;
    }
    EXPECT_GE(count, 1U);
}

TEST_F(SchemaTest, TheFullScenesConformAndLoad) {
    for (const Json& document : fullScenes()) {
        for (const std::string& error : schema.errors(document)) {
            ADD_FAILURE() << error;
        }
        EXPECT_EQ(join(read(document).log.problems), "");
    }
}

TEST_F(SchemaTest, ReadersAndSchemaHaveTheSameKeys) {
    std::set<const Json*> unseen = schema.objects();
    for (const Json& document : fullScenes()) {
        const SceneReading reading = read(document);
        ASSERT_TRUE(reading.log.problems.empty());
        for (const auto& [pointer, asked] : reading.log.keys) {
            const std::set<std::string> readerKeys(asked.begin(), asked.end());
            std::set<std::string> schemaKeys;
            const bool isAsset =
                pointer.starts_with("/assets/") && std::count(pointer.begin(), pointer.end(), '/') == 2;
            for (const Json* object : schema.at(document, pointer)) {
                unseen.erase(object);
                const Json properties = object->value("properties", Json::object());
                for (const auto& [key, unused] : properties.items()) {
                    schemaKeys.insert(key);
                }
            }
            // The kinds of asset are told apart by their only key, so each branch of the schema has its own.
            if (isAsset) {
                for (const char* kind : {"file", "box", "sphere", "quad", "mesh", "heightmap", "volume"}) {
                    EXPECT_TRUE(readerKeys.contains(kind));
                    schemaKeys.insert(kind);
                }
            }
            EXPECT_EQ(readerKeys, schemaKeys) << pointer;
        }
    }
    for (const Json* object : unseen) {
        ADD_FAILURE() << "no reader for " << object->dump();
    }
}

/// Where the schema takes what the reader refuses: names and files that must exist, and rules between several values.
bool isBeyondSchema(const std::string& pointer, const Json& value) {
    static const std::set<std::string> kReferences = {"asset", "material", "camera",     "red",  "file",    "kernel",
                                                      "image", "data",     "seed_image", "grid", "density", "clip"};
    const std::string last = pointer.substr(pointer.rfind('/') + 1);
    if (value.is_string()) {
        return kReferences.contains(last);
    }
    const auto holds = [&](const char* part) { return pointer.find(part) != std::string::npos; };
    return holds("/box/") || holds("/quad/") || holds("/mesh/") || holds("/heightmap/base") ||
           holds("/volume/density") || holds("/environment/fog") || holds("/scale") || holds("/matrix") ||
           holds("/axis") || holds("/level") || holds("/direction") || holds("ConeAngle") || holds("/cameras/") ||
           holds("/frame") || holds("/animation/values/") || holds("/texture/") || holds("/finish/palette/") ||
           holds("/distortion") || holds("/film/shutter");
}

TEST_F(SchemaTest, ReadersAndSchemaRefuseTheSameValues) {
    // Values to put in every place: of each type, and about every bound that the schema has.
    const std::vector<Json> values = {nullptr,
                                      true,
                                      "zzz",
                                      "#00ff00",
                                      Json::array(),
                                      Json::object(),
                                      -1,
                                      -0.001,
                                      0,
                                      0.5,
                                      0.75,
                                      1,
                                      1.001,
                                      2,
                                      8,
                                      9,
                                      15,
                                      16,
                                      16.5,
                                      90,
                                      91,
                                      179,
                                      181,
                                      16384,
                                      16385,
                                      65536,
                                      65537,
                                      4294967295U,
                                      4294967296U,
                                      1e12,
                                      2e12,
                                      -1e12,
                                      -2e12,
                                      Json{1, 2},
                                      Json{0, 0, 1},
                                      Json{0, 0, 2},
                                      Json{0, -1, 1},
                                      Json{1, 2, "x"},
                                      Json{1, 2, 3, 4}};
    std::size_t refused = 0;
    std::size_t accepted = 0;
    const auto compare = [&](const Json& changed, const std::string& pointer, const Json& value) {
        const bool schemaAccepts = schema.accepts(changed);
        const std::string problems = join(read(changed).log.problems);
        (problems.empty() ? accepted : refused) += 1;
        if (problems.empty() != schemaAccepts && !(schemaAccepts && isBeyondSchema(pointer, value))) {
            ADD_FAILURE() << pointer << " = " << value << ": the schema " << (schemaAccepts ? "takes" : "refuses")
                          << " it, the reader says: " << problems;
        }
    };
    const auto step = quickOrFull<std::size_t>(10, 1); // places take the values by turns, each by its name
    for (const Json& document : variedScenes()) {
        std::vector<std::string> leaves;
        collectLeaves(document, "", leaves);
        for (const std::string& pointer : leaves) {
            const Json::json_pointer place(pointer);
            Json changed = document;
            const auto turn = static_cast<std::size_t>(std::accumulate(pointer.begin(), pointer.end(), 0));
            for (std::size_t i = turn % step; i < values.size(); i += step) {
                changed[place] = values[i];
                compare(changed, pointer, values[i]);
            }
        }
    }
    EXPECT_GT(accepted, 500U);
    EXPECT_GT(refused, 500U);
}

TEST_F(SchemaTest, MissingAndUnknownKeysAreRefusedByBoth) {
    for (const Json& document : variedScenes()) {
        const SceneReading reading = read(document);
        for (const auto& [pointer, unused] : reading.log.keys) {
            Json changed = document;
            changed[Json::json_pointer(pointer)]["surprise"] = 1;
            EXPECT_FALSE(schema.accepts(changed)) << pointer;
            EXPECT_FALSE(read(changed).log.problems.empty()) << pointer;
            for (const auto& [key, value] : document[Json::json_pointer(pointer)].items()) {
                changed = document;
                changed[Json::json_pointer(pointer)].erase(key);
                const bool readerAccepts = read(changed).log.problems.empty();
                // What others need, or need none of; the model says what other keys there may be.
                static const std::set<std::string> kNeeded = {
                    "camera",        "assets",  "materials",     "angularDiameter",  "projection", "height",
                    "shutter",       "fNumber", "model",         "blades",           "emission",   "alphaMode",
                    "normalTexture", "mapping", "heightTexture", "occlusionTexture", "finish",     "bulge",
                    "relief",        "bloom",   "clearcoat",     "scattering"};
                const bool isNamedGrid = pointer.ends_with("/temperature") && key == "grid"; // of that file
                const bool beyond = kNeeded.contains(key) || isNamedGrid;
                EXPECT_TRUE(readerAccepts == schema.accepts(changed) || beyond) << pointer << " without " << key;
            }
        }
    }
}

TEST_F(SchemaTest, StatedDefaultsAreTheReadersDefaults) {
    std::size_t count = 0;
    for (const Json& document : variedScenes()) {
        const SceneReading reading = read(document);
        for (const auto& [pointer, unused] : reading.log.keys) {
            for (const Json* object : schema.at(document, pointer)) {
                const Json properties = object->value("properties", Json::object());
                for (const auto& [key, property] : properties.items()) {
                    if (!property.contains("default")) {
                        continue;
                    }
                    Json without = document;
                    Json& target = without[Json::json_pointer(pointer)];
                    if (key == "translate" || key == "rotate" || key == "scale") {
                        target.erase("matrix");
                    }
                    target.erase(key);
                    Json with = without;
                    with[Json::json_pointer(pointer)][key] = property["default"];
                    const SceneReading first = read(without);
                    const SceneReading second = read(with);
                    // Keys that others must stand beside, or without which others do nothing.
                    static const std::set<std::string> kBeside = {
                        "sensorHeight",     "focusDistance",     "blades",
                        "bladeRotation",    "lightGroup",        "alpha",
                        "emissionStrength", "normalScale",       "alphaCutoff",
                        "normalGreenDown",  "alphaMode",         "tile",
                        "heightScale",      "occlusionStrength", "along",
                        "metalness",        "roughness",         "anisotropy"};
                    if (kBeside.contains(key) && first.log.problems.empty() != second.log.problems.empty()) {
                        continue;
                    }
                    // What is wrong with a value is told at its key where that is there, else at what lacks it.
                    std::string told = join(second.log.problems);
                    if (const std::size_t at = told.find(pointer + '/' + key + ':'); at != std::string::npos) {
                        told.erase(at + pointer.size(), key.size() + 1);
                    }
                    EXPECT_EQ(join(first.log.problems), told) << pointer << ' ' << key;
                    EXPECT_EQ(summary(first.scene), summary(second.scene)) << pointer << ' ' << key;
                    ++count;
                }
            }
        }
    }
    EXPECT_GT(count, 40U);
}

} // namespace
} // namespace aureole
