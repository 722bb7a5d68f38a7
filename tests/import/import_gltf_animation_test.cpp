// Animations, skins and morph targets of glTF, by closed forms.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "import_files.h"

namespace aureole::test {
namespace {

void expectPlaced(const glm::dvec3& found, const glm::dvec3& expected, const std::string& what = "") {
    EXPECT_NEAR(found.x, expected.x, 2e-6) << what;
    EXPECT_NEAR(found.y, expected.y, 2e-6) << what;
    EXPECT_NEAR(found.z, expected.z, 2e-6) << what;
}

/// Where a vertex of the only mesh is in the world.
glm::dvec3 placed(const ImportedModel& model, std::size_t vertex) {
    const MeshInstance& instance = model.meshInstances.at(0);
    return glm::dvec3(instance.worldFromMesh *
                      glm::dvec4(glm::dvec3(model.meshes.at(instance.mesh).positions.at(vertex)), 1.0));
}

std::string numeral(int number) {
    return std::to_string(number);
}

/// One channel of node 0: its keys' times and their values, of `width` numbers each.
struct Keys {
    std::string path;
    std::vector<float> times;
    std::vector<float> values;
    int width = 3;
    std::string interpolation = "LINEAR";
    int node = 0;
};

std::string animation(GltfData& data, const std::vector<Keys>& all, const std::string& name = "go") {
    const std::array<const char*, 5> types = {"", "SCALAR", "", "VEC3", "VEC4"};
    std::string channels;
    std::string samplers;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Keys& keys = all[i];
        const int input = data.accessor(bytesOf(keys.times), 5126, static_cast<int>(keys.times.size()), "SCALAR");
        const int output = data.accessor(bytesOf(keys.values), 5126, static_cast<int>(keys.values.size()) / keys.width,
                                         types.at(static_cast<std::size_t>(keys.width)));
        const char* const comma = i == 0 ? "" : ", ";
        channels += comma + (R"({"sampler": )" + numeral(static_cast<int>(i)) + R"(, "target": {"node": )" +
                             numeral(keys.node) + R"(, "path": ")" + keys.path + "\"}}");
        samplers += comma + (R"({"input": )" + numeral(input) + R"(, "output": )" + numeral(output) +
                             R"(, "interpolation": ")" + keys.interpolation + "\"}");
    }
    return R"("animations": [{"name": ")" + name + R"(", "channels": [)" + channels + R"(], "samplers": [)" + samplers +
           "]}]";
}

class ImportGltfAnimation : public ::testing::Test {
protected:
    ImportedModel at(const std::string& document, double seconds, bool loops = false) const {
        ImportOptions options;
        options.moment = {"go", seconds, loops};
        return folder.import("a.gltf", document, options);
    }
    /// A triangle whose node has these keys.
    static std::string moving(const std::vector<Keys>& keys, const std::string& node = R"({"mesh": 0})") {
        GltfData data;
        const std::string positions = numeral(data.positions(kTriangle));
        const std::string animations = animation(data, keys);
        return data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + positions +
                             "}}]}], \"nodes\": [" + node + "], " + animations);
    }

    TemporaryFolder folder;
};

TEST_F(ImportGltfAnimation, NodesGoFromKeyToKey) {
    const std::string document = moving({{"translation", {1, 3, 4}, {0, 0, 0, 4, 2, 0, 4, 2, 8}}});
    expectPlaced(placed(at(document, 0.0), 0), {0, 0, 0}, "before the first key");
    expectPlaced(placed(at(document, 1.5), 0), {1, 0.5, 0});
    expectPlaced(placed(at(document, 3.25), 0), {4, 2, 2});
    expectPlaced(placed(at(document, 9.0), 0), {4, 2, 8}, "behind the last");
    expectPlaced(placed(at(document, 9.5, true), 0), {1, 0.5, 0}, "again, as the clip is 4 s long");
    expectPlaced(placed(at(document, -0.75, true), 0), {4, 2, 2}, "one before the first");
}

TEST_F(ImportGltfAnimation, ClipsOfOneNameAreNumbered) {
    const std::string one = moving({{"translation", {0}, {1, 0, 0}}});
    const std::string last = R"("LINEAR"}]})";
    const std::size_t end = one.find(last) + last.size();
    // The second one moves nothing.
    const std::string two =
        one.substr(0, end) + R"(, {"name": "go", "channels": [], "samplers": []})" + one.substr(end);
    ImportOptions options;
    options.moment = {"go", 0.0, false};
    expectPlaced(placed(folder.import("a.gltf", two, options), 1), {2, 0, 0}, "the first");
    options.moment = {"go[1]", 0.0, false};
    expectPlaced(placed(folder.import("a.gltf", two, options), 1), {1, 0, 0}, "the second");
    options.moment = {"go[2]", 0.0, false};
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("a.gltf", two, options); }),
                            {"found no animation 'go[2]'", "one of 'go', 'go[1]'"}));
}

TEST_F(ImportGltfAnimation, StepsStayUntilTheNextKey) {
    const std::string document = moving({{"scale", {0, 1}, {1, 1, 1, 3, 3, 3}, 3, "STEP"}});
    expectPlaced(placed(at(document, 0.999), 1), {1, 0, 0});
    expectPlaced(placed(at(document, 1.0), 1), {3, 0, 0});
}

/// From 0 to 8 in 2 s with slopes of 0 and 12: the cube of the time.
TEST_F(ImportGltfAnimation, SplinesAreThoseOfHermite) {
    const std::string document =
        moving({{"translation", {0, 2}, {9, 9, 9, 0, 0, 0, 0, 0, 0, 12, 0, 0, 8, 0, 0, 7, 7, 7}, 3, "CUBICSPLINE"}});
    for (const double t : {0.0, 0.3, 1.0, 1.7, 2.0, 5.0}) {
        const double x = std::min(t, 2.0);
        expectPlaced(placed(at(document, t), 0), {x * x * x, 0, 0});
    }
}

/// About z by 120 degrees a second; and the other way round the long way, which is not taken.
TEST_F(ImportGltfAnimation, RotationsTurnEvenlyByTheShorterWay) {
    const float s = std::sin(static_cast<float>(kPi / 3));
    for (const float sign : {1.0F, -1.0F}) {
        const std::string document = moving({{"rotation", {0, 1}, {0, 0, 0, 1, 0, 0, sign * s, sign * 0.5F}, 4}});
        for (const double t : {0.0, 0.25, 0.5, 0.9, 1.0}) {
            const double angle = t * 2.0 * kPi / 3.0;
            expectPlaced(placed(at(document, t), 1), {std::cos(angle), std::sin(angle), 0});
        }
    }
}

/// A strip along y, of which joint 0 holds the lower end and joint 1, at its middle, the upper one.
std::string bar(GltfData& data, const std::string& more, const std::string& attributes) {
    return R"("meshes": [{"primitives": [{"attributes": {)" + attributes + R"(}}]}],
        "nodes": [{"children": [1]}, {"translation": [0, 1, 0]}, {"mesh": 0, "skin": 0, "translation": [5, 5, 5]}],
        "scenes": [{"nodes": [0, 2]}], "scene": 0,
        "skins": [{"joints": [0, 1], "inverseBindMatrices": )" +
           numeral(data.accessor(bytesOf(std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                                            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1}),
                                 5126, 2, "MAT4")) +
           "}], " + more;
}

TEST_F(ImportGltfAnimation, JointsBendABar) {
    GltfData data;
    const float h = std::sqrt(0.5F);
    const std::string attributes =
        R"("POSITION": )" + numeral(data.positions({0, 0.5, 0, 0.2F, 2, 0, 0, 1, 0.3F})) + R"(, "NORMAL": )" +
        numeral(data.positions({1, 0, 0, 1, 0, 0, 0, 0, 1})) + R"(, "JOINTS_0": )" +
        numeral(
            data.accessor(bytesOf(std::vector<std::uint8_t>{0, 9, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}), 5121, 3, "VEC4")) +
        R"(, "WEIGHTS_0": )" +
        numeral(data.accessor(bytesOf(std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0}), 5126, 3, "VEC4"));
    const std::string turn = animation(data, {{"rotation", {0, 2}, {0, 0, 0, 1, 0, 0, 1, 0}, 4, "LINEAR", 1}});
    const std::string document = data.document(bar(data, turn, attributes));
    const ImportedModel model = at(document, 1.0); // by 90 degrees
    EXPECT_EQ(model.meshInstances.at(0).worldFromMesh, glm::dmat4(1.0)) << "whatever the node says";
    expectPlaced(placed(model, 0), {0, 0.5, 0});
    expectPlaced(placed(model, 1), {-1, 1.2, 0});
    expectPlaced(placed(model, 2), {0, 1, 0.3}, "half by each, where both have it");
    expectPlaced(model.meshes[0].normals[0], {1, 0, 0});
    expectPlaced(model.meshes[0].normals[1], {0, 1, 0});
    expectPlaced(placed(at(document, 0.5), 1), {0.2 * h - h, 1 + 0.2 * h + h, 0}, "by 45 degrees");
    ASSERT_TRUE(model.laterBounds);
    EXPECT_NEAR(model.laterBounds->max.y, 1.0 + std::sqrt(1.04), 2e-2) << "on its way, of which 16 places are tried";
    const ImportedModel rest = folder.import("a.gltf", document);
    EXPECT_EQ(rest.meshes[0].positions[1], glm::vec3(0.2F, 2, 0)) << "as it was modelled, where nobody asks";
    EXPECT_EQ(rest.meshInstances.at(0).worldFromMesh[3], glm::dvec4(5, 5, 5, 1));
    EXPECT_FALSE(rest.laterBounds);
}

/// Eight joints along x hold a vertex by an eighth each, as bytes that are nearly that: it is moved by their mean.
TEST_F(ImportGltfAnimation, EightJointsMayHoldAVertex) {
    GltfData data;
    std::string nodes;
    std::string joints;
    std::vector<Keys> keys;
    for (int i = 0; i < 8; ++i) {
        nodes += "{}, ";
        joints += (i == 0 ? "" : ", ") + numeral(i);
        keys.push_back({"translation", {0}, {static_cast<float>(i), 0, static_cast<float>(i * i)}, 3, "STEP", i});
    }
    std::string attributes = R"("POSITION": )" + numeral(data.positions(kTriangle));
    for (const int set : {0, 1}) {
        std::vector<std::uint16_t> numbers;
        for (int i = 0; i < 12; ++i) {
            numbers.push_back(static_cast<std::uint16_t>(4 * set + i % 4));
        }
        attributes += R"(, "JOINTS_)" + numeral(set) + R"(": )" +
                      numeral(data.accessor(bytesOf(numbers), 5123, 3, "VEC4")) + R"(, "WEIGHTS_)" + numeral(set) +
                      R"(": )" +
                      numeral(data.accessor(bytesOf(std::vector<std::uint8_t>(12, 31)), 5121, 3, "VEC4",
                                            R"(, "normalized": true)"));
    }
    const std::string animations = animation(data, keys);
    const ImportedModel model =
        at(data.document(R"("meshes": [{"primitives": [{"attributes": {)" + attributes + R"(}}]}], "nodes": [)" +
                         nodes + R"({"mesh": 0, "skin": 0}], "skins": [{"joints": [)" + joints + "]}], " + animations),
           0.0);
    expectPlaced(placed(model, 1), {1 + 3.5, 0, 17.5});
}

/// A triangle to one twice as large, and one that is moved, by weights of a node, a mesh and a clip.
TEST_F(ImportGltfAnimation, MorphTargetsAddUp) {
    GltfData data;
    const std::string positions = numeral(data.positions(kTriangle));
    const std::string normals = numeral(data.positions({0, 0, 1, 0, 0, 1, 0, 0, 1}));
    const std::string larger = numeral(data.positions(kTriangle));
    const std::string moved = numeral(data.positions({0, 0, 4, 0, 0, 4, 0, 0, 4}));
    const std::string turned = numeral(data.positions({1, 0, -1, 0, 0, 0, 0, 0, 0}));
    const std::string clip = animation(data, {{"weights", {0, 1}, {0, 0, 1, 0.5F}, 1}});
    const auto document = [&](const std::string& mesh, const std::string& node, const std::string& more) {
        return data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + positions +
                             R"(, "NORMAL": )" + normals + R"(}, "targets": [{"POSITION": )" + larger +
                             R"(, "NORMAL": )" + turned + R"(}, {"POSITION": )" + moved + "}]}]" + mesh +
                             R"(}], "nodes": [{"mesh": 0)" + node + "}], " + more);
    };
    const ImportedModel model = at(document("", "", clip), 0.5);
    expectPlaced(placed(model, 1), {1.5, 0, 1});
    expectPlaced(model.meshes[0].normals[0], glm::normalize(glm::dvec3(0.5, 0, 0.5)));
    expectPlaced(model.meshes[0].normals[1], {0, 0, 1});
    const std::string other = R"("animations": [{"name": "go", "channels": [], "samplers": []}])";
    expectPlaced(placed(at(document(R"(, "weights": [0.25, 1])", "", other), 0.0), 1), {1.25, 0, 4}, "of the mesh");
    expectPlaced(placed(at(document(R"(, "weights": [0.25, 1])", R"(, "weights": [1, 0])", other), 0.0), 1), {2, 0, 0},
                 "of the node");
    EXPECT_TRUE(containsAll(messageOf([&] { at(document("", R"(, "weights": [1])", other), 0.0); }),
                            {"a.gltf: /nodes/0", "found 1 weights", "2 morph targets"}));
}

TEST_F(ImportGltfAnimation, WhatIsWrongIsReported) {
    const auto message = [&](const std::string& document) { return messageOf([&] { at(document, 0.5); }); };
    const std::string good = moving({{"translation", {0, 1}, {0, 0, 0, 1, 1, 1}}});
    ImportOptions options;
    options.moment = {"og", 0.0, false};
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("a.gltf", good, options); }),
                            {"a.gltf", "found no animation 'og'", "one of 'go'"}));
    EXPECT_TRUE(containsAll(message(moving({{"translation", {1, 1}, {0, 0, 0, 1, 1, 1}}})),
                            {"a.gltf: /animations/0/samplers/0/input", "key 1", "ascend"}));
    EXPECT_TRUE(containsAll(message(moving({{"translation", {0, 1}, {0, 0, 0}}})),
                            {"/animations/0/samplers/0/output", "found 1 elements", "expected 2 of 3"}));
    EXPECT_TRUE(containsAll(message(moving({{"rotation", {0}, {0, 0, 0}}})), {"of 3 components, expected 1 of 4"}));
    EXPECT_TRUE(containsAll(message(moving({{"scale", {0}, {1, 1, 1}, 3, "CUBIC"}})),
                            {"/interpolation", "found 'CUBIC'", "CUBICSPLINE"}));
    EXPECT_TRUE(containsAll(message(moving({{"scale", {0}, {1, std::nanf(""), 1}}})), {"/output", "not finite"}));
    EXPECT_TRUE(containsAll(message(moving({{"scale", {0}, {1, 1, 1}, 3, "LINEAR", 1}})), {"/target/node", "1"}));
    EXPECT_TRUE(containsAll(
        message(moving({{"scale", {0}, {1, 1, 1}}}, R"({"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]})")),
        {"/nodes/0/matrix", "expected translation"}));
    GltfData data;
    const std::string positions = R"("POSITION": )" + numeral(data.positions(kTriangle));
    const std::string numbers =
        R"(, "JOINTS_0": )" + numeral(data.accessor(bytesOf(std::vector<std::uint8_t>(12, 2)), 5121, 3, "VEC4")) +
        R"(, "WEIGHTS_0": )" + numeral(data.accessor(bytesOf(std::vector<float>(12, 0.25F)), 5126, 3, "VEC4"));
    const std::string clip = animation(data, {{"scale", {0}, {1, 1, 1}}});
    EXPECT_TRUE(containsAll(message(data.document(bar(data, clip, positions + numbers))),
                            {"/JOINTS_0", "vertex 0", "found joint 2", "2 joints"}));
    EXPECT_TRUE(containsAll(message(data.document(bar(data, clip, positions))), {"found no JOINTS_0"}));
}

} // namespace
} // namespace aureole::test
