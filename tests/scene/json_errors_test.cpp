// What is wrong with a scene is said with its place, what was found, what was expected and the nearest name.

#include "json_test_util.h"

#include "core/error.h"

namespace aureole {
namespace {

namespace fs = std::filesystem;

struct BadScene {
    const char* name;
    const char* find;    ///< in minimalScene(), to be replaced...
    const char* replace; ///< ...by this
    const char* pointer; ///< of the one problem
    std::size_t line;
    std::vector<std::string> says; ///< parts of its message
};

class BadSceneTest : public SceneJsonTest, public ::testing::WithParamInterface<BadScene> {};

TEST_P(BadSceneTest, IsReportedWithItsPlace) {
    const BadScene& bad = GetParam();
    std::string text = minimalScene();
    const std::size_t at = text.find(bad.find);
    ASSERT_NE(at, std::string::npos);
    write("texture.png", tinyPng());
    text.replace(at, std::string(bad.find).size(), bad.replace);
    const auto found = problems(text);
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, bad.pointer);
    EXPECT_EQ(found[0].line, bad.line);
    for (const std::string& part : bad.says) {
        EXPECT_NE(found[0].message.find(part), std::string::npos) << found[0].message << "\nlacks: " << part;
    }
    try {
        loadScene(sceneFile, {});
        ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        EXPECT_EQ(error.what(), describeProblem(sceneFile, found[0]));
    }
}

const std::vector<BadScene> kBadScenes = {
    {"NoVersion", R"("version": 1,)", "", "", 1, {"expected the key 'version'"}},
    {"WrongVersion", R"("version": 1)", R"("version": 2)", "/version", 1, {"found 2", "expected 1"}},
    {"UnknownKey",
     "\"albedo\": 0.5",
     "\"albdeo\": 0.5",
     "/materials/wall/albdeo",
     4,
     {"'albdeo'", "did you mean 'albedo'"}},
    {"UnknownRootKey", "\"materials\": {", "\"filmm\": {}, \"materials\": {", "/filmm", 4, {"did you mean 'film'"}},
    {"AlbedoAboveOne", "0.5", "1.5", "/materials/wall/albedo", 4, {"found 1.5", "from 0 to 1"}},
    {"AlbedoBelowZero", "0.5", "[0.5, -0.1, 0]", "/materials/wall/albedo/1", 4, {"found -0.1", "from 0 to 1"}},
    {"AlbedoOfTwo", "0.5", "[0.5, 0.1]", "/materials/wall/albedo", 4, {"an array of 2", "an array of three"}},
    {"BadHexColour", "0.5", "\"#12345g\"", "/materials/wall/albedo", 4, {"'#12345g'", "#ff8000"}},
    {"EmissionNegative",
     "\"albedo\": 0.5",
     "\"emission\": -1",
     "/materials/wall/emission",
     4,
     {"found -1", "from 0 up"}},
    {"EmissionHuge", "\"albedo\": 0.5", "\"emission\": 1e39", "/materials/wall/emission", 4, {"found 1e+39"}},
    {"BooleanForNumber", "0.5", "true", "/materials/wall/albedo", 4, {"found true"}},
    {"NullValue", "0.5", "null", "/materials/wall/albedo", 4, {"found null"}},
    {"UnknownMaterial",
     "\"material\": \"wall\"",
     "\"material\": \"wal\"",
     "/instances/ball/material",
     3,
     {"'wal'", "did you mean 'wall'"}},
    {"UnknownAsset",
     "\"asset\": \"ball\"",
     "\"asset\": \"bal\"",
     "/instances/ball/asset",
     3,
     {"'bal'", "did you mean 'ball'"}},
    {"UnknownCamera",
     "\"cameras\"",
     "\"camera\": \"mian\",\n \"cameras\"",
     "/camera",
     5,
     {"'mian'", "did you mean 'main'"}},
    {"NoAsset", "\"asset\": \"ball\",", "", "/instances/ball", 3, {"expected the key 'asset'"}},
    {"NoInstances",
     "\"instances\": { \"ball\": { \"asset\": \"ball\", \"material\": \"wall\" } },",
     "",
     "",
     1,
     {"'instances'"}},
    {"InstanceIsArray",
     "{ \"asset\": \"ball\", \"material\": \"wall\" }",
     "[1]",
     "/instances/ball",
     3,
     {"an array of 1", "an object"}},
    {"ScaleZero",
     "\"asset\": \"ball\",",
     "\"asset\": \"ball\", \"scale\": 0,",
     "/instances/ball/scale",
     3,
     {"found 0"}},
    {"MatrixOf15",
     "\"asset\": \"ball\",",
     "\"asset\": \"ball\", \"matrix\": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0],",
     "/instances/ball/matrix",
     3,
     {"array of 15", "array of 16"}},
    {"MatrixFlat",
     "\"asset\": \"ball\",",
     "\"asset\": \"ball\", \"matrix\": [1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1],",
     "/instances/ball/matrix",
     3,
     {"inverted"}},
    {"MatrixProjective",
     "\"asset\": \"ball\",",
     "\"asset\": \"ball\", \"matrix\": [1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1],",
     "/instances/ball/matrix",
     3,
     {"affine"}},
    {"MatrixAndScale",
     "\"asset\": \"ball\",",
     "\"asset\": \"ball\", \"scale\": 2, \"matrix\": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],",
     "/instances/ball/matrix",
     3,
     {"either"}},
    {"NoCameras",
     "\"cameras\": { \"main\": { \"position\": [0, 0, 5], \"target\": [0, 0, 0] } }",
     "\"cameras\": {}",
     "/cameras",
     5,
     {"at least one camera"}},
    {"CameraAtTarget", "[0, 0, 5]", "[0, 0, 0]", "/cameras/main", 5, {"'target' equal to 'position'"}},
    {"CameraUpParallel", "\"target\"", "\"up\": [0, 0, 1], \"target\"", "/cameras/main", 5, {"'up'"}},
    {"CameraFov", "\"target\"", "\"verticalFov\": 180, \"target\"", "/cameras/main/verticalFov", 5, {"0.1 to 179"}},
    {"NegativeAperture",
     "\"target\"",
     "\"apertureRadius\": -0.1, \"target\"",
     "/cameras/main/apertureRadius",
     5,
     {"found -0.1"}},
    {"ResolutionZero",
     "\"materials\"",
     "\"voxels\": {\n\"resolution\": 0 },\"materials\"",
     "/voxels/resolution",
     5,
     {"found 0", "16 to 16384"}},
    {"ResolutionHuge",
     "\"materials\"",
     "\"voxels\": { \"resolution\": 1048576 },\"materials\"",
     "/voxels/resolution",
     4,
     {"found 1048576", "16 to 16384"}},
    {"ResolutionFraction",
     "\"materials\"",
     "\"voxels\": { \"resolution\": 64.5 },\"materials\"",
     "/voxels/resolution",
     4,
     {"found 64.5", "whole"}},
    {"NegativeRadius",
     "\"subdivisions\": 0",
     "\"radius\": -1",
     "/assets/ball/sphere/radius",
     2,
     {"found -1", "above 0"}},
    {"ZeroRadius", "\"subdivisions\": 0", "\"radius\": 0", "/assets/ball/sphere/radius", 2, {"found 0"}},
    {"ManySubdivisions",
     "\"subdivisions\": 0",
     "\"subdivisions\": 9",
     "/assets/ball/sphere/subdivisions",
     2,
     {"0 to 8"}},
    {"TwoKindsOfAsset",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"sphere\": {}, \"box\": {}",
     "/assets/ball",
     2,
     {"found 2 of", "exactly one"}},
    {"NoKindOfAsset", "\"sphere\": { \"subdivisions\": 0 }", "", "/assets/ball", 2, {"found 0 of"}},
    {"UnknownKindOfAsset",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"box\": {}, \"sphree\": {}",
     "/assets/ball/sphree",
     2,
     {"did you mean 'sphere'"}},
    {"InsideOutBox",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"box\": { \"max\": [1, 1, -1] }",
     "/assets/ball/box",
     2,
     {"max"}},
    {"FlatQuad",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"quad\": { \"u\": [0, 0, 2] }",
     "/assets/ball/quad",
     2,
     {"parallel"}},
    {"EmptyMesh",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"mesh\": { \"positions\": [[0,0,0]], \"triangles\": [] }",
     "/assets/ball/mesh/triangles",
     2,
     {"at least one triangle"}},
    {"IndexOutOfRange",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"mesh\": { \"positions\": [[0,0,0],[1,0,0],[0,1,0]],\n\"triangles\": [[0, 1, 3]] }",
     "/assets/ball/mesh/triangles/0/2",
     3,
     {"found 3", "from 0 to 2"}},
    {"ShortNormals",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"mesh\": { \"positions\": [[0,0,0],[1,0,0],[0,1,0]], \"normals\": [[0,0,1]], \"triangles\": [[0, 1, 2]] }",
     "/assets/ball/mesh/normals",
     2,
     {"array of 1", "array of 3"}},
    {"UnknownEnum",
     "\"materials\"",
     "\"integrator\": { \"lightSampling\": \"miss\" }, \"materials\"",
     "/integrator/lightSampling",
     4,
     {"'miss'", "'bsdf', 'lights', 'mis'", "did you mean 'mis'"}},
    {"SeedTooLarge",
     "\"materials\"",
     "\"integrator\": { \"seed\": 4294967296 }, \"materials\"",
     "/integrator/seed",
     4,
     {"4294967295"}},
    {"NoSamples",
     "\"materials\"",
     "\"integrator\": { \"samplesPerPixel\": 0 }, \"materials\"",
     "/integrator/samplesPerPixel",
     4,
     {"found 0"}},
    {"FilmTooLarge",
     "\"materials\"",
     "\"film\": { \"size\": [65536, 65536] }, \"materials\"",
     "/film/size",
     4,
     {"4294967296 pixels"}},
    {"FilmZero", "\"materials\"", "\"film\": { \"size\": [0, 10] }, \"materials\"", "/film/size/0", 4, {"found 0"}},
    {"UnknownTonemap",
     "\"materials\"",
     "\"film\": { \"tonemap\": \"aces2\" }, \"materials\"",
     "/film/tonemap",
     4,
     {"did you mean 'aces'"}},
    {"LightWithoutType",
     "\"materials\"",
     "\"lights\": { \"l\": { \"position\": [0,0,0] } }, \"materials\"",
     "/lights/l",
     4,
     {"'type'"}},
    {"LightOfUnknownType",
     "\"materials\"",
     "\"lights\": { \"l\": { \"type\": \"spott\" } }, \"materials\"",
     "/lights/l/type",
     4,
     {"did you mean 'spot'"}},
    {"PointWithDirection",
     "\"materials\"",
     "\"lights\": { \"l\": { \"type\": \"point\", \"position\": [0,0,0], \"direction\": [0,0,1] } }, \"materials\"",
     "/lights/l/direction",
     4,
     {"unknown key 'direction'"}},
    {"LightWithoutDirection",
     "\"materials\"",
     "\"lights\": { \"l\": { \"type\": \"directional\" } }, \"materials\"",
     "/lights/l",
     4,
     {"'direction'"}},
    {"LightZeroDirection",
     "\"materials\"",
     "\"lights\": { \"l\": { \"type\": \"directional\", \"direction\": [0,0,0] } }, \"materials\"",
     "/lights/l/direction",
     4,
     {"length above 0"}},
    {"ConeInsideOut",
     "\"materials\"",
     "\"lights\": { \"l\": { \"type\": \"spot\", \"position\": [0,0,0], \"direction\": [0,0,1], \"innerConeAngle\": 50 "
     "} }, \"materials\"",
     "/lights/l",
     4,
     {"innerConeAngle"}},
    {"EnvironmentOfUnknownType",
     "\"materials\"",
     "\"environment\": { \"type\": \"images\", \"file\": \"x\" }, \"materials\"",
     "/environment/type",
     4,
     {"did you mean 'image'"}},
    {"EnvironmentWithoutFile",
     "\"materials\"",
     "\"environment\": { \"type\": \"image\" }, \"materials\"",
     "/environment",
     4,
     {"'file'"}},
    {"SunWithoutDiameter",
     "\"materials\"",
     "\"environment\": { \"type\": \"constant\", \"sun\": { \"direction\": [0,1,0], \"angularDiameter\": 0 } }, "
     "\"materials\"",
     "/environment/sun/angularDiameter",
     4,
     {"0.001 to 180"}},
    {"MissingMesh",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"file\": \"bunny.obj\"",
     "/assets/ball/file",
     2,
     {"bunny.obj", "does not exist"}},
    {"AbsolutePath",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"file\": \"/etc/passwd\"",
     "/assets/ball/file",
     2,
     {"absolute"}},
    {"Url",
     "\"sphere\": { \"subdivisions\": 0 }",
     "\"file\": \"https://example.org/a.obj\"",
     "/assets/ball/file",
     2,
     {"URL"}},
    {"PathOut", "\"sphere\": { \"subdivisions\": 0 }", "\"file\": \"../a.obj\"", "/assets/ball/file", 2, {"leaves"}},
    {"TextureOut",
     "\"albedo\": 0.5",
     "\"albedoTexture\": { \"file\": \"a/../../b.png\" }",
     "/materials/wall/albedoTexture/file",
     4,
     {"leaves"}},
    {"TextureWrap",
     "\"albedo\": 0.5",
     "\"albedoTexture\": { \"file\": \"texture.png\", \"wrap\": [\"repeat\", \"clmap\"] }",
     "/materials/wall/albedoTexture/wrap/1",
     4,
     {"did you mean 'clamp'"}},
    {"DuplicateKey", "\"albedo\": 0.5", "\"albedo\": 0.5,\n \"albedo\": 0.6", "/materials/wall/albedo", 5, {"twice"}},
    {"BrokenJson", "\"albedo\": 0.5", "\"albedo\" 0.5", "", 4, {"broken JSON in column 37", "expected ':'"}},
    {"NaN", "0.5", "NaN", "", 4, {"broken JSON"}},
    {"EmptyName", "\"wall\": {", "\"wall\": {}, \"\": {", "/materials/", 4, {"empty name"}},
    {"BloomSharpen",
     "\"materials\"",
     "\"bloom\": { \"sharpen\": 2 }, \"materials\"",
     "/bloom/sharpen",
     4,
     {"from 0 to 1"}},
    {"BloomKernelMissing",
     "\"materials\"",
     "\"bloom\": { \"kernel\": \"psf.exr\" }, \"materials\"",
     "/bloom/kernel",
     4,
     {"psf.exr"}},
    {"BloomKernelSlip",
     "\"materials\"",
     "\"bloom\": { \"kernel\": \"aperure\" }, \"materials\"",
     "/bloom/kernel",
     4,
     {"did you mean 'aperture'", "'gaussians'"}},
    {"BloomKernelFormat",
     "\"materials\"",
     "\"bloom\": { \"kernel\": \"scene.json\" }, \"materials\"",
     "/bloom/kernel",
     4,
     {".exr"}},
    {"BloomUnknownKey",
     "\"materials\"",
     "\"bloom\": { \"eye\": { \"adaption\": 1 } }, \"materials\"",
     "/bloom/eye/adaption",
     4,
     {"did you mean 'adaptation'"}},
    {"BloomBlades",
     "\"materials\"",
     "\"bloom\": { \"aperture\": { \"blades\": 2 } }, \"materials\"",
     "/bloom/aperture/blades",
     4,
     {"from 3 to 64"}},
    {"BloomFNumber",
     "\"materials\"",
     "\"bloom\": { \"airy\": { \"fNumber\": 0 } }, \"materials\"",
     "/bloom/airy/fNumber",
     4,
     {"from 0.1 to 1000"}},
    {"BloomApertureImage",
     "\"materials\"",
     "\"bloom\": { \"aperture\": { \"image\": \"iris.png\" } }, \"materials\"",
     "/bloom/aperture/image",
     4,
     {"iris.png"}},
    {"BloomGaussianSigma",
     "\"materials\"",
     "\"bloom\": { \"gaussians\": [{ \"weight\": 1 }] }, \"materials\"",
     "/bloom/gaussians/0",
     4,
     {"'sigma'"}},
    {"BloomGaussiansEmpty",
     "\"materials\"",
     "\"bloom\": { \"gaussians\": [] }, \"materials\"",
     "/bloom/gaussians",
     4,
     {"at least one"}},
    {"BloomGaussiansDark",
     "\"materials\"",
     "\"bloom\": { \"gaussians\": [{ \"weight\": 1, \"sigma\": 1, \"colour\": [1, 0, 1] }] }, \"materials\"",
     "/bloom/gaussians",
     4,
     {"green"}},
};

INSTANTIATE_TEST_SUITE_P(Json, BadSceneTest, ::testing::ValuesIn(kBadScenes),
                         [](const auto& test) { return std::string(test.param.name); });

class JsonErrors : public SceneJsonTest {};

TEST_F(JsonErrors, TheMinimalSceneItselfIsRight) {
    EXPECT_EQ(join(problems(minimalScene())), "");
}

TEST_F(JsonErrors, AllProblemsAreReportedInTheOrderOfTheFile) {
    const auto found = problems("{ \"version\": 1,\n"
                                "\"voxels\": { \"resolution\": 3 },\n"
                                "\"instances\": { \"a\": { \"asset\": \"none\", \"colour\": 1 } },\n"
                                "\"assets\": { \"ball\": { \"sphere\": { \"radius\": \"big\" } } },\n"
                                "\"cameras\": 5 }");
    std::vector<std::string> pointers;
    for (const SceneProblem& problem : found) {
        pointers.push_back(problem.pointer);
    }
    EXPECT_EQ(pointers, (std::vector<std::string>{"/voxels/resolution", "/instances/a/asset", "/instances/a/colour",
                                                  "/assets/ball/sphere/radius", "/cameras"}));
    try {
        loadScene(sceneFile, {});
        ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 4);
        EXPECT_NE(message.find(sceneFile.string() + ":3: /instances/a/asset: found 'none'"), std::string::npos)
            << message;
    }
}

TEST_F(JsonErrors, ManyProblemsAreCutShort) {
    std::string materials;
    for (int i = 0; i < 200; ++i) {
        materials += "\"m" + std::to_string(i) + "\": { \"albedo\": 2 }, ";
    }
    std::string text = minimalScene();
    text.insert(text.find("\"wall\": {"), materials);
    EXPECT_EQ(problems(text).size(), 200U);
    try {
        loadScene(sceneFile, {});
        ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("and 160 more"), std::string::npos) << error.what();
    }
}

TEST_F(JsonErrors, FilesThatCannotBeRead) {
    const auto absent = validateScene(folder / "none.json", {});
    ASSERT_EQ(absent.size(), 1U);
    EXPECT_EQ(describeProblem("none.json", absent[0]), "none.json: no such file");
    fs::create_directories(folder / "folder.json");
    EXPECT_EQ(validateScene(folder / "folder.json", {}).size(), 1U);
    const auto unknown = validateScene(write("scene.jsn", "{}"), {});
    ASSERT_EQ(unknown.size(), 1U);
    EXPECT_NE(unknown[0].message.find("'.jsn'"), std::string::npos);
    EXPECT_NE(unknown[0].message.find("expected .json or a model"), std::string::npos) << unknown[0].message;
    EXPECT_EQ(validateScene(write("noextension", "{}"), {}).size(), 1U);
}

TEST_F(JsonErrors, SymbolicLinksDoNotLeadOut) {
    const fs::path outside = folder.string() + "_outside.png";
    std::ofstream(outside) << tinyPng();
    fs::create_symlink(outside, folder / "link.png");
    std::string text = minimalScene();
    text.replace(text.find("\"albedo\": 0.5"), 13, R"("albedoTexture": { "file": "link.png" })");
    const auto found = problems(text);
    fs::remove(outside);
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/materials/wall/albedoTexture/file");
    EXPECT_NE(found[0].message.find("leaves"), std::string::npos) << found[0].message;
}

TEST_F(JsonErrors, DamagedAssetsNameTheirPlace) {
    write("bad.png", "no picture");
    write("bad.exr", "no picture");
    std::string text = minimalScene();
    text.replace(text.find("\"albedo\": 0.5"), 13, R"("albedoTexture": { "file": "bad.png" })");
    text.insert(text.find("\"materials\""), R"("environment": { "type": "image", "file": "bad.exr" }, )");
    const auto found = problems(text);
    ASSERT_EQ(found.size(), 2U) << join(found);
    EXPECT_NE(join(found).find("/environment/file"), std::string::npos);
    EXPECT_NE(join(found).find("bad.exr"), std::string::npos);
    EXPECT_NE(join(found).find("/materials/wall/albedoTexture/file"), std::string::npos);
    EXPECT_NE(join(found).find("bad.png"), std::string::npos);
}

TEST_F(JsonErrors, NoTextCrashesTheReader) {
    // Every prefix of a scene, and every scene with one byte changed, loads or is refused.
    const std::string text = minimalScene();
    for (std::size_t length = 0; length < text.size(); ++length) {
        EXPECT_FALSE(problems(text.substr(0, length)).empty());
    }
    const std::string replacements = "{}[]\":,0-e\\x";
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string changed = text;
        changed[i] = replacements[i % replacements.size()];
        EXPECT_NO_THROW(problems(changed)) << changed;
    }
}

} // namespace
} // namespace aureole
