#include <gtest/gtest.h>

#include "import/threemf/package.h"
#include "import_files.h"
#include "model/texture_sample.h"
#include "zip_file.h"

namespace aureole::test {
namespace {

/// Three vertices and the triangles given.
std::string meshOf(const std::string& triangles, const std::string& attributes = "") {
    return R"(<object id="1" )" + attributes +
           R"(><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>)"
           "</vertices><triangles>" +
           triangles + "</triangles></mesh></object>";
}

const std::string kColours = R"(<m:colorgroup id="3"><m:color color="#ff8000"/><m:color color="#0000ff80"/>)"
                             R"(</m:colorgroup>)";
const std::string kBases = R"(<basematerials id="2"><base name="clay" displaycolor="#804020"/>)"
                           R"(<base name="sea" displaycolor="#00408080"/></basematerials>)";

/// The colours of the corners of a mesh's triangle.
std::array<glm::vec4, 3> coloursOf(const Mesh& mesh, std::size_t triangle) {
    const glm::uvec3 corners = mesh.triangles.at(triangle);
    return {mesh.colours.at(corners[0]), mesh.colours.at(corners[1]), mesh.colours.at(corners[2])};
}

glm::vec4 linear(int r, int g, int b, int a = 255) {
    return {srgbToLinear(std::uint8_t(r)), srgbToLinear(std::uint8_t(g)), srgbToLinear(std::uint8_t(b)),
            float(a) / 255.0F};
}

/// Where an instance of a mesh puts a point of it.
glm::dvec3 placeOf(const ImportedModel& model, std::size_t instance, const glm::dvec3& point) {
    return {model.meshInstances.at(instance).worldFromMesh * glm::dvec4(point, 1.0)};
}

constexpr glm::dvec3 kX{1.0, 0.0, 0.0};
constexpr glm::dvec3 kY{0.0, 1.0, 0.0};
constexpr glm::dvec3 kZ{0.0, 0.0, 1.0};

TEST(Import3mf, ReadsMeshesInMetresWithYUp) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import("a.3mf", make3mf(tetrahedron3mf(R"(name="cone")")));
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(model.meshes[0].triangles.size(), 4U);
    EXPECT_EQ(model.meshes[0].positions.size(), 4U);
    EXPECT_EQ(model.meshes[0].name, "cone");
    EXPECT_TRUE(model.meshes[0].colours.empty());
    ASSERT_EQ(model.meshInstances.size(), 1U);
    EXPECT_EQ(placeOf(model, 0, kX), glm::dvec3(0.001, 0.0, 0.0));
    EXPECT_EQ(placeOf(model, 0, kY), glm::dvec3(0.0, 0.0, -0.001));
    EXPECT_EQ(placeOf(model, 0, kZ), glm::dvec3(0.0, 0.001, 0.0));
    for (const auto& [unit, metres] : std::map<std::string, double>{
             {"micron", 1e-6}, {"centimeter", 0.01}, {"inch", 0.0254}, {"foot", 0.3048}, {"meter", 1.0}}) {
        const std::string package = package3mf(model3mf(tetrahedron3mf(), R"(<item objectid="1"/>)", unit));
        EXPECT_DOUBLE_EQ(placeOf(folder.import("b.3mf", package), 0, kX).x, metres) << unit;
    }
}

TEST(Import3mf, TrianglesAndTheirCornersHaveColours) {
    const TemporaryFolder folder;
    const ImportedModel model = folder.import(
        "a.3mf", make3mf(kColours + meshOf(R"(<triangle v1="0" v2="1" v3="2" pid="3" p1="0"/>)"
                                           R"(<triangle v1="2" v2="1" v3="0" pid="3" p1="0" p2="1" p3="0"/>)"
                                           R"(<triangle v1="0" v2="2" v3="1"/>)")));
    ASSERT_EQ(model.meshes.size(), 1U);
    const Mesh& mesh = model.meshes[0];
    const glm::vec4 orange = linear(255, 128, 0);
    const glm::vec4 blue = linear(0, 0, 255, 128);
    const glm::vec4 plain(0.8F, 0.8F, 0.8F, 1.0F);
    EXPECT_EQ(coloursOf(mesh, 0), (std::array{orange, orange, orange}));
    EXPECT_EQ(coloursOf(mesh, 1), (std::array{orange, blue, orange}));
    EXPECT_EQ(coloursOf(mesh, 2), (std::array{plain, plain, plain}));
    EXPECT_EQ(mesh.positions.size(), 3U + 1U + 3U);
    EXPECT_EQ(mesh.positions.at(mesh.triangles[1][1]), glm::vec3(1.0F, 0.0F, 0.0F));
    EXPECT_EQ(model.materials.at(mesh.material).albedo, glm::vec3(1.0F));
}

TEST(Import3mf, BaseMaterialsKeepTheirNames) {
    const TemporaryFolder folder;
    const ImportedModel model =
        folder.import("a.3mf", make3mf(kBases + kColours +
                                       meshOf(R"(<triangle v1="0" v2="1" v3="2"/>)"
                                              R"(<triangle v1="0" v2="1" v3="2" pid="3" p1="0"/>)"
                                              R"(<triangle v1="2" v2="1" v3="0" pid="2" p1="1"/>)",
                                              R"(pid="2" pindex="0")")));
    ASSERT_EQ(model.meshes.size(), 3U);
    std::map<std::string, Material> byName;
    for (const Mesh& mesh : model.meshes) {
        EXPECT_EQ(mesh.triangles.size(), 1U);
        const Material& material = model.materials.at(mesh.material);
        byName[material.name] = material;
        EXPECT_EQ(mesh.colours.empty(), material.name != "default");
    }
    EXPECT_EQ(byName.at("clay").albedo, glm::vec3(linear(128, 64, 32)));
    EXPECT_EQ(byName.at("sea").albedo, glm::vec3(linear(0, 64, 128)));
    EXPECT_EQ(byName.at("sea").model, MaterialModel::ThinGlass); // blended
    EXPECT_EQ(byName.at("default").albedo, glm::vec3(1.0F));
}

TEST(Import3mf, LayersAndMixturesOfColours) {
    const TemporaryFolder folder;
    const std::string mixed = R"(<m:compositematerials id="4" matid="2" matindices="0 1"><m:composite values="1 3"/>)"
                              R"(</m:compositematerials>)";
    const std::string layers = R"(<m:multiproperties id="5" pids="2 3"><m:multi pindices="0 1"/>)"
                               R"(</m:multiproperties><m:multiproperties id="6" pids="2 3" blendmethods="multiply">)"
                               R"(<m:multi pindices="0"/></m:multiproperties>)";
    const ImportedModel model =
        folder.import("a.3mf", make3mf(kBases + kColours + mixed + layers +
                                       meshOf(R"(<triangle v1="0" v2="1" v3="2" pid="4" p1="0"/>)"
                                              R"(<triangle v1="0" v2="1" v3="2" pid="5" p1="0"/>)"
                                              R"(<triangle v1="0" v2="1" v3="2" pid="6" p1="0"/>)")));
    ASSERT_EQ(model.meshes.size(), 1U);
    const glm::vec4 clay = linear(128, 64, 32);
    const glm::vec4 sea = linear(0, 64, 128, 128);
    const glm::vec4 blue = linear(0, 0, 255, 128);
    const auto close = [&](std::size_t triangle, const glm::vec4& expected) {
        EXPECT_LT(glm::distance(coloursOf(model.meshes[0], triangle)[0], expected), 1e-6F) << triangle;
    };
    close(0, 0.25F * clay + 0.75F * sea);
    close(1, glm::vec4(glm::mix(glm::vec3(clay), glm::vec3(blue), blue.a), 1.0F));
    close(2, clay * linear(255, 128, 0));
}

TEST(Import3mf, PicturesLieOnTriangles) {
    const TemporaryFolder folder;
    const std::string picture = makePng(2, 2, std::vector<std::uint8_t>(16, 200));
    const std::string resources =
        R"(<m:texture2d id="2" path="/3D/Textures/A.png" contenttype="image/png" tilestylev="mirror"/>)"
        R"(<m:texture2dgroup id="3" texid="2"><m:tex2coord u="0" v="0"/><m:tex2coord u="1" v="0.25"/>)"
        R"(</m:texture2dgroup>)" +
        meshOf(R"(<triangle v1="0" v2="1" v3="2" pid="3" p1="0" p2="1" p3="0"/>)");
    const ImportedModel model = folder.import("a.3mf", make3mf(resources, {{"3D/Textures/a.png", picture}}));
    ASSERT_EQ(model.textures.size(), 1U);
    EXPECT_EQ(model.textures[0].rgba.at(0), 200);
    const Mesh& mesh = model.meshes.at(0);
    EXPECT_EQ(mesh.uvs[0].at(mesh.triangles[0][1]), glm::vec2(1.0F, 0.75F));
    EXPECT_TRUE(mesh.colours.empty());
    const TextureSlot& slot = model.materials.at(mesh.material).albedoTexture;
    EXPECT_EQ(slot.texture, 0U);
    EXPECT_TRUE(slot.srgb);
    EXPECT_EQ(slot.wrap, (std::array{Wrap::Repeat, Wrap::Mirror}));

    testing::internal::CaptureStderr();
    EXPECT_TRUE(folder.import("b.3mf", make3mf(resources)).textures.empty());
    EXPECT_TRUE(containsAll(testing::internal::GetCapturedStderr(), {"b.3mf", "/3D/Textures/A.png"}));
}

TEST(Import3mf, ComponentsAndItemsAreWhereTheirTransformsPutThem) {
    const TemporaryFolder folder;
    const std::string turned = R"(transform="0 1 0 -1 0 0 0 0 1 10 20 30")"; // x to y, y to -x
    const std::string resources = tetrahedron3mf() + R"(<object id="2"><components><component objectid="1" )" + turned +
                                  R"(/><component objectid="1" p:path="/3D/other.model"/></components></object>)";
    const std::string items = R"(<item objectid="2" transform="1 0 0 0 1 0 0 0 1 100 0 0"/><item objectid="1"/>)";
    const ImportedModel model = folder.import(
        "a.3mf", package3mf(model3mf(resources, items, "meter"),
                            {{"3D/Other.model", model3mf(meshOf(R"(<triangle v1="0" v2="1" v3="2"/>)"))}}));
    ASSERT_EQ(model.meshInstances.size(), 3U);
    EXPECT_EQ(model.meshes.size(), 2U);
    EXPECT_EQ(placeOf(model, 0, {}), glm::dvec3(110.0, 30.0, -20.0));
    EXPECT_EQ(placeOf(model, 0, kX), glm::dvec3(110.0, 30.0, -21.0));
    EXPECT_EQ(placeOf(model, 0, kY), glm::dvec3(109.0, 30.0, -20.0));
    EXPECT_EQ(model.meshes[model.meshInstances[1].mesh].triangles.size(), 1U);
    EXPECT_EQ(placeOf(model, 1, kX), glm::dvec3(101.0, 0.0, 0.0));
    EXPECT_EQ(placeOf(model, 2, kX), glm::dvec3(1.0, 0.0, 0.0));
}

/// What other programs keep of their own in attributes is theirs, and names of parts may be written in more than one
/// way.
TEST(Import3mf, AttributesOfOthersAreLeftToThem) {
    const TemporaryFolder folder;
    const std::string foreign = R"(<object xmlns:q="urn:q" q:id="5" q:pid="9" id="1"><mesh><vertices>)"
                                R"(<vertex q:x="7" x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>)"
                                R"(<vertex x="0" y="1" z="0"/></vertices><triangles>)"
                                R"(<triangle q:v1="99" v1="0" v2="1" v3="2"/></triangles></mesh></object>)";
    const ImportedModel model = folder.import("a.3mf", make3mf(foreign));
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(model.meshes[0].positions.at(0), glm::vec3(0.0F));
    EXPECT_EQ(threemf::Package::keyOf("/3D/Sub%20Part.model"), threemf::Package::keyOf("./3d/sub part.model"));
    EXPECT_EQ(threemf::Package::keyOf("a%2"), "a%2");
}

TEST(Import3mf, ThumbnailsDoNoHarmAndWhatIsNotReadIsTold) {
    const TemporaryFolder folder;
    const std::string lattice = R"(<object id="9"><mesh xmlns:b="http://schemas.microsoft.com/3dmanufacturing/)"
                                R"(beamlattice/2017/02"><vertices/><b:beamlattice/></mesh></object>)";
    testing::internal::CaptureStderr();
    const ImportedModel model = folder.import(
        "a.3mf", make3mf(tetrahedron3mf() + lattice, {{"Metadata/thumbnail.png", "no picture"}, {"3D/b.png", "none"}}));
    EXPECT_TRUE(containsAll(testing::internal::GetCapturedStderr(), {"a.3mf", "3dmodel.model", "<beamlattice>"}));
    EXPECT_EQ(model.meshes.at(0).triangles.size(), 4U);
}

/// A model whose <model> says so of its extensions, and has prefixes of some.
std::string modelThat(const std::string& attributes) {
    std::string model = model3mf(tetrahedron3mf());
    const std::string spaces = R"( xmlns:s="http://schemas.microsoft.com/3dmanufacturing/slice/2015/07")"
                               R"( xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02")"
                               R"( xmlns:q="urn:q" )";
    return package3mf(model.insert(model.find("<model") + 6, spaces + attributes));
}

TEST(Import3mf, ExtensionsThatAreRequiredAreReadOrRefused) {
    const TemporaryFolder folder;
    const auto warnings = [&](const std::string& attributes) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(folder.import("a.3mf", modelThat(attributes)).meshes.size(), 1U) << attributes;
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(warnings(R"(requiredextensions=" m  p" recommendedextensions="m")"), "");
    EXPECT_TRUE(containsAll(
        warnings(R"(requiredextensions="s")"),
        {"a.3mf: /3D/3dmodel.model: line 1: <model>", "required extension 's', ", "slice/2015/07", "by their meshes"}));
    EXPECT_TRUE(containsAll(warnings(R"(recommendedextensions="q")"), {"recommended extension 'q', urn:q", "without"}));
    for (const std::string prefix : {"b", "q"}) {
        const std::string message =
            messageOf([&] { folder.import("bad.3mf", modelThat(R"(requiredextensions="p )" + prefix + R"(")")); });
        EXPECT_TRUE(containsAll(message, {"bad.3mf: /3D/3dmodel.model: line 1: <model>",
                                          "required extension '" + prefix + "', ", "expected none but materials"}))
            << message;
    }
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("bad.3mf", modelThat(R"(requiredextensions="none")")); }),
                            {"'none'", "not declared"}));
}

TEST(Import3mf, PropertiesThatAreNotThereArePlainWithAWarning) {
    const TemporaryFolder folder;
    const std::string layers = R"(<m:multiproperties id="5" pids="9 3"><m:multi pindices="0 0"/></m:multiproperties>)";
    testing::internal::CaptureStderr();
    const ImportedModel model =
        folder.import("a.3mf", make3mf(kColours + layers + "\n" +
                                       meshOf(R"(<triangle v1="0" v2="1" v3="2" pid="7" p1="0"/>)"
                                              R"(<triangle v1="0" v2="1" v3="2" pid="3" p1="2"/>)"
                                              R"(<triangle v1="0" v2="1" v3="2" pid="5" p1="0"/>)")));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(containsAll(said, {"a.3mf: /3D/3dmodel.model: line 2", "pid=\"7\"", "plain"}));
    EXPECT_EQ(said.find("property 2"), std::string::npos) << "one warning is enough";
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(coloursOf(model.meshes[0], 1)[0], glm::vec4(0.8F, 0.8F, 0.8F, 1.0F));
    EXPECT_EQ(coloursOf(model.meshes[0], 2)[0], linear(255, 128, 0));
}

TEST(Import3mf, ErrorsNameThePartTheLineAndWhatWasFound) {
    const TemporaryFolder folder;
    const std::string mesh = meshOf(R"(<triangle v1="0" v2="1" v3="2"/>)");
    const std::string itself = R"(<object id="1"><components><component objectid="1"/></components></object>)";
    struct Case {
        std::string package;
        std::vector<std::string> words;
    };
    std::string doubling = mesh;
    for (int i = 2; i < 24; ++i) {
        doubling += fmt::format(R"(<object id="{0}"><components><component objectid="{1}"/><component objectid="{1}"/>)"
                                "</components></object>\n",
                                i, i - 1);
    }
    std::string many;
    for (int i = 0; i < 65; ++i) {
        many += "3 ";
    }
    const std::string longToken(std::size_t{5} << 20U, 'a');
    const std::string layers = kColours + R"(<m:multiproperties id="4" pids=")" + many + R"("/>)";
    const std::vector<Case> cases = {
        {make3mf(layers), {"<multiproperties>", "65 pids", "at most 64"}},
        {make3mf(meshOf("<triangle v1=\"" + std::string(1000, 'a') + "\"/>")), {"v1=\"aaaa", "aaa...\", expected"}},
        {package3mf("<!--" + longToken + "--><model/>"),
         {"3dmodel.model: line 1", "tag or a comment of more than 4194304"}},
        {make3mf("\n" + meshOf("", "name=\"" + longToken + "\"")), {"line 2", "tag or a comment of more than"}},
        {"no archive", {"found no directory of a ZIP archive"}},
        {makeZip({{"a", "b"}}), {"'_rels/.rels'"}},
        {makeZip({{"_rels/.rels", "<a/>"}}), {"_rels/.rels", "'.../3dmodel'"}},
        {package3mf("<model>\n</mode>"), {"/3D/3dmodel.model: line 2", "not well formed"}},
        {package3mf("<!DOCTYPE a [<!ENTITY b 'c'>]><model/>"), {"line 1", "document type 'a'"}},
        {package3mf("<a/>"), {"found no <model>"}},
        {package3mf(model3mf(mesh, R"(<item objectid="1"/>)", "mile")), {"unit=\"mile\"", "millimeter"}},
        {make3mf("\n" + meshOf(R"(<triangle v1="0" v2="1" v3="3"/>)")), {"line 2", "v3=\"3\"", "less than 3"}},
        {make3mf(meshOf(R"(<triangle v1="0" v2="1"/>)")), {"<triangle>", "no attribute 'v3'"}},
        {make3mf(meshOf(R"(<triangle v1="0" v2="1" v3="2" p1="0"/>)")), {"p1=\"0\"", "pid"}},
        {make3mf(R"(<m:colorgroup id="3"><m:color color="#12345"/></m:colorgroup>)"), {"#12345", "#RRGGBB"}},
        {make3mf(mesh + mesh), {"id=\"1\"", "a second time"}},
        {make3mf(itself), {"the object 1 within itself"}},
        {package3mf(model3mf(mesh, R"(<item objectid="4"/>)")), {"objectid=\"4\""}},
        {package3mf(model3mf(mesh, R"(<item objectid="1" transform="1 0 0"/>)")), {"\"1 0 0\"", "twelve"}},
        {package3mf(model3mf(mesh, R"(<item objectid="1" p:path="/b.model"/>)")), {"/b.model"}},
        {package3mf(model3mf(doubling, R"(<item objectid="23"/>)")), {"line 1", "more than 1048576 objects"}}};
    for (const Case& bad : cases) {
        const std::string message = messageOf([&] { folder.import("bad.3mf", bad.package); });
        EXPECT_TRUE(containsAll(message, {"bad.3mf"})) << message;
        EXPECT_TRUE(containsAll(message, bad.words)) << message;
    }
}

TEST(Import3mf, DamagedArchivesAreRefused) {
    const TemporaryFolder folder;
    const std::string whole = make3mf(tetrahedron3mf());
    const std::size_t header = whole.find("PK\1\2", whole.find("PK\1\2") + 1);
    const auto message = [&](std::size_t at, char bits) {
        std::string damaged = whole;
        damaged.at(at) = static_cast<char>(damaged[at] ^ bits);
        return messageOf([&] { folder.import("bad.3mf", damaged); });
    };
    EXPECT_TRUE(containsAll(message(header + 8, 1), {"bad.3mf", "3dmodel.model", "encrypted"}));
    EXPECT_TRUE(containsAll(message(header + 10, 4), {"bad.3mf", "3dmodel.model", "method 12"}));
    EXPECT_TRUE(containsAll(message(header + 16, 1), {"bad.3mf", "3dmodel.model", "damaged"}));
    EXPECT_NE(messageOf([&] { folder.import("short.3mf", whole.substr(0, whole.size() - 30)); }), "");
}

} // namespace
} // namespace aureole::test
