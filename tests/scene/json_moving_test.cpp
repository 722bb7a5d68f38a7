// Parts of models that a clip moves as wholes: octrees of their own, which stand where the posed meshes stand.

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "import_files.h"
#include "json_test_util.h"
#include "scene/value_keys.h"
#include "settings/changes.h"

namespace aureole {
namespace {

using Numbers = std::vector<float>;

class JsonMoving : public SceneJsonTest {
protected:
    struct Keys {
        int node = 0;
        std::string path;
        Numbers times;
        Numbers values;
        std::string interpolation = "LINEAR";
    };
    /// A file of an arm, which turns, steps aside and grows; a hand on it, which turns and goes on a spline, with a
    /// finger and a lamp that are fixed to it; two wheels of one mesh; and a base that stands.
    void writeArm(bool hasSkin = false) const {
        const auto h = static_cast<float>(std::sqrt(0.5));
        const std::vector<Keys> all = {
            {0, "rotation", {0, 1, 2}, {0, 0, 0, 1, 0, 0, h, h, h, 0, 0, h}},
            {0, "translation", {0.5, 1.5}, {0, 0, 0, 3, 1, 0}, "STEP"},
            {0, "scale", {0, 2}, {1, 1, 1, 1.5, 1.5, 1.5}},
            {1, "rotation", {0.25, 1.75}, {0, 0, 0, 1, 0, h, 0, h}},
            {1, "translation", {0, 2}, {0, 0, 0, 1, 0, 0, 0, 4, 0, 3, 0, 0, 2, 1, 0, 0, 0, 0}, "CUBICSPLINE"},
            {3, "rotation", {0, 2}, {0, 0, 0, 1, 0, 0, 1, 0}},
            {4, "rotation", {0, 2}, {0, 0, 0, 1, 0, 0, 1, 0}}};
        test::GltfData data;
        const std::string triangle = std::to_string(data.positions(test::kTriangle));
        const std::string wheel = std::to_string(data.positions({0, 1, 0, 1, 1, 0, 0, 2, 1, 5, 5, 5}));
        const auto mesh = [](const std::string& attributes) {
            return R"({"primitives": [{"attributes": {"POSITION": )" + attributes + "}}]}";
        };
        const std::string joints =
            std::to_string(data.accessor(test::bytesOf(std::vector<std::uint8_t>(12, 0)), 5121, 3, "VEC4"));
        const std::string weights =
            std::to_string(data.accessor(test::bytesOf(Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}), 5126, 3, "VEC4"));
        const std::string skinned = triangle + R"(, "JOINTS_0": )" + joints + R"(, "WEIGHTS_0": )" + weights;
        std::string channels;
        std::string samplers;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Keys& keys = all[i];
            const bool turns = keys.path == "rotation";
            const int count = static_cast<int>(keys.values.size()) / (turns ? 4 : 3);
            const int input =
                data.accessor(test::bytesOf(keys.times), 5126, static_cast<int>(keys.times.size()), "SCALAR");
            const int output = data.accessor(test::bytesOf(keys.values), 5126, count, turns ? "VEC4" : "VEC3");
            channels += (i == 0 ? "" : ", ") + (R"({"sampler": )" + std::to_string(i) + R"(, "target": {"node": )" +
                                                std::to_string(keys.node) + R"(, "path": ")" + keys.path + "\"}}");
            samplers += (i == 0 ? "" : ", ") +
                        (R"({"input": )" + std::to_string(input) + R"(, "output": )" + std::to_string(output) +
                         R"(, "interpolation": ")" + keys.interpolation + "\"}");
        }
        write("arm.gltf",
              data.document(R"("extensions": {"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {}}]}},
                "meshes": [)" +
                            mesh(triangle) + ", " + mesh(wheel) + ", " + mesh(skinned) + R"(],
                "nodes": [{"name": "arm", "mesh": 0, "children": [1]}, {"name": "hand", "children": [2]},
                          {"name": "finger", "mesh": 0, "translation": [0, 0.5, 0], "scale": [1, 2, 3],
                           "extensions": {"KHR_lights_punctual": {"light": 0}}},
                          {"name": "front", "mesh": 1, "translation": [2, 0, 0]},
                          {"name": "back", "mesh": 1, "translation": [-2, 0, 0]},
                          {"name": "base", "mesh": 0, "translation": [0, -1, 0]})" +
                            (hasSkin ? R"(, {"mesh": 2, "skin": 0}], "skins": [{"joints": [0]}])" : "]") +
                            R"(, "scenes": [{"nodes": [0, 3, 4, 5)" + (hasSkin ? ", 6" : "") + R"(]}], "scene": 0,
                "animations": [{"name": "go", "channels": [)" +
                            channels + R"(], "samplers": [)" + samplers + "]}]"));
    }
    /// An instance of it; the clip goes on by 1/8 s from frame to frame.
    Scene loadArm(std::optional<std::uint32_t> frame, const std::string& asset = "",
                  const std::string& instance = R"("rotate": [10, 20, 30], "translate": [1, 2, 3])",
                  const std::string& clip = "", const std::string& film = "") const {
        write("scene.json", R"({ "version": 1, "film": {)" + film +
                                R"(}, "cameras": { "main": { "position": [0, 0, 50], "target": [0, 0, 0] } },
                    "assets": { "arm": { "file": "arm.gltf", "animation": { "clip": "go", "framesPerSecond": 8)" +
                                clip + " }" + asset + R"( } }, "instances": { "a": { "asset": "arm", )" + instance +
                                "} } }");
        SettingsChanges changes;
        changes.frame = frame;
        return loadScene(sceneFile, {}, nullptr, changes);
    }
    /// The corners of all triangles at a moment, mesh by mesh.
    static std::multimap<std::string, glm::dvec3> cornersAt(const Scene& scene, std::optional<double> moment) {
        std::multimap<std::string, glm::dvec3> corners;
        for (const MeshInstance& instance : scene.meshInstances) {
            const glm::dmat4 world = transformAt(scene, instance.motion, instance.worldFromMesh, moment);
            // What is one place at rest is told apart by its mesh and by how large it is.
            for (const glm::vec3& position : scene.meshes[instance.mesh].positions) {
                corners.emplace(fmt::format("{} {:.6f}", instance.mesh, glm::length(world * glm::dvec4(position, 0.0))),
                                glm::dvec3(world * glm::dvec4(position, 1.0)));
            }
        }
        return corners;
    }
    /// The greatest distance of a point of one from the nearest of the other.
    static double apart(const std::multimap<std::string, glm::dvec3>& some,
                        const std::multimap<std::string, glm::dvec3>& others) {
        double most = some.size() == others.size() && !some.empty() ? 0.0 : 1e9;
        for (const auto& [unused, point] : some) {
            double least = 1e9;
            for (const auto& [none, other] : others) {
                least = std::min(least, glm::length(point - other));
            }
            most = std::max(most, least);
        }
        return most;
    }
};

/// At any moment the parts of a scene that was loaded once stand where the meshes of one loaded at that moment do, in
/// rounds after the first too, in instances that are turned, mirrored and sized; and so do its lights.
TEST_F(JsonMoving, PartsStandWhereThePosedMeshesDo) {
    writeArm();
    for (const char* instance : {R"("rotate": [10, 20, 30], "translate": [1, 2, 3])",
                                 R"("scale": [-2, 2, 2], "rotate": [0, 50, 0])", R"("scale": [0.5, -0.5, -0.5])"}) {
        const Scene once = loadArm({}, "", instance);
        EXPECT_EQ(once.motions.size(), 4U);
        ASSERT_TRUE(once.animation);
        EXPECT_FALSE(once.animation->posesModels);
        EXPECT_EQ(once.animation->frames, 16U);
        for (std::uint32_t frame = 0; frame < 22; ++frame) {
            const Scene posed = loadArm(frame, R"(, "share": false)", instance);
            EXPECT_TRUE(posed.motions.empty());
            EXPECT_LT(apart(cornersAt(once, frame), cornersAt(posed, frame)), 2e-6) << instance << frame;
            const std::vector<PunctualLight> lights = lightsAt(once, frame);
            ASSERT_EQ(lights.size(), 1U);
            EXPECT_LT(glm::length(lights[0].position - posed.lights[0].position), 1e-5) << frame;
            EXPECT_LT(glm::length(lights[0].direction - posed.lights[0].direction), 1e-5) << frame;
        }
    }
}

/// Frames between the keys of the clip, and before its start and behind its end where it does not begin again.
TEST_F(JsonMoving, MomentsAreThoseOfTheClip) {
    writeArm();
    for (const char* clip : {R"(, "start": 0.3)", R"(, "start": 0.3, "loop": false)"}) {
        const Scene once = loadArm(3, "", R"("scale": 2)", clip);
        for (const std::uint32_t frame : {0U, 1U, 9U, 13U, 14U, 30U}) {
            const Scene posed = loadArm(frame, R"(, "share": false)", R"("scale": 2)", clip);
            EXPECT_LT(apart(cornersAt(once, frame), cornersAt(posed, frame)), 2e-6) << clip << frame;
        }
        EXPECT_LT(apart(cornersAt(once, {}), cornersAt(loadArm(3, R"(, "share": false)", R"("scale": 2)", clip), {})),
                  1e-5)
            << "the frame that was loaded";
    }
}

/// Whatever the moment, it is the same octrees: three, as both wheels have one, and the base's.
TEST_F(JsonMoving, NothingIsVoxelisedAnew) {
    writeArm();
    const Scene first = loadArm(0);
    const Scene later = loadArm(5);
    ASSERT_EQ(first.grids.size(), 4U);
    EXPECT_EQ(first.gridPlacements.size(), 5U);
    EXPECT_FALSE(showsOthers(first, 0, 5));
    for (std::size_t i = 0; i < first.grids.size(); ++i) {
        EXPECT_EQ(first.grids[i].hash, later.grids[i].hash) << labelOf(first.grids[i]);
    }
    EXPECT_EQ(labelOf(first.grids[0]), "arm/arm");
    EXPECT_EQ(first.gridPlacements[0].name, "a");
    const Scene posed = loadArm(5, R"(, "share": false)");
    EXPECT_FALSE(posed.hasGrids());
    EXPECT_TRUE(showsOthers(posed, 0, 5));
    EXPECT_NE(posed.surfaceHash, loadArm(0, R"(, "share": false)").surfaceHash);
}

/// What bends is posed in each frame, and what stretches by different factors; what moves as a whole beside the former
/// keeps its octree.
TEST_F(JsonMoving, WhatBendsIsPosed) {
    writeArm();
    const Scene stretched = loadArm(5, "", R"("scale": [1, 2, 1])");
    EXPECT_TRUE(stretched.motions.empty());
    EXPECT_TRUE(stretched.animation->posesModels);
    EXPECT_LT(apart(cornersAt(stretched, 5), cornersAt(loadArm(5, R"(, "share": false)", R"("scale": [1, 2, 1])"), 5)),
              1e-9);
    writeArm(true);
    const Scene mixed = loadArm(5);
    EXPECT_TRUE(mixed.animation->posesModels);
    EXPECT_EQ(mixed.motions.size(), 4U);
    const Scene other = loadArm(6);
    EXPECT_EQ(mixed.grids[0].hash, other.grids[0].hash) << "the arm";
    EXPECT_NE(mixed.grids.back().hash, other.grids.back().hash) << "the skin";
}

/// A skin stands still while the shutter is open, which is told; what moves as a whole does not.
TEST_F(JsonMoving, WhatIsNotBlurredIsTold) {
    const auto warningOf = [&](const std::string& film, const std::string& asset = "") {
        ::testing::internal::CaptureStderr();
        loadArm(5, asset, R"("scale": 1)", "", film);
        return ::testing::internal::GetCapturedStderr();
    };
    const std::string open = R"("shutterClose": 0.5)";
    const std::string told = "/assets/arm/animation: what is posed anew";
    writeArm();
    EXPECT_EQ(warningOf(open).find(told), std::string::npos);
    EXPECT_NE(warningOf(open, R"(, "share": false)").find(told), std::string::npos);
    writeArm(true);
    EXPECT_NE(warningOf(open).find(told), std::string::npos);
    EXPECT_EQ(warningOf("").find(told), std::string::npos);
}

/// The box that a device makes room for holds the way from pose to pose.
TEST_F(JsonMoving, BoundsHoldTheWholeWay) {
    writeArm();
    const Scene scene = loadArm({}, "", R"("scale": [-2, 2, 2], "rotate": [0, 50, 0])");
    const Bounds own{glm::dvec3(-1.0), glm::dvec3(2.0)};
    for (const InstanceMotion& motion : scene.motions) {
        const Bounds bounds = boundsOfMotion(motion, own);
        for (double frame = 0.0; frame < 16.0; frame += 0.03) {
            const Bounds there = transformed(own, poseAt(motion, frame).matrix());
            EXPECT_TRUE(glm::all(glm::greaterThanEqual(there.min, bounds.min - 1e-5))) << frame;
            EXPECT_TRUE(glm::all(glm::lessThanEqual(there.max, bounds.max + 1e-5))) << frame;
        }
    }
}

} // namespace
} // namespace aureole
