// Parts of models that are shared by themselves.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "import_files.h"
#include "json_test_util.h"
#include "scene/instance_numbers.h"
#include "vox_bytes.h"

namespace aureole {
namespace {

namespace vox = test::vox;

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) {
        text += (text.empty() ? "" : ",\n") + item;
    }
    return text;
}

/// Some place that is turned, stretched and mirrored by its number.
std::string placeOf(int number) {
    const double half = 0.1 * number;
    return R"("translation": [)" + std::to_string(2.0 * number) + ", 0.5, " + std::to_string(-1.5 * number) +
           R"(], "rotation": [0, )" + std::to_string(std::sin(half)) + ", 0, " + std::to_string(std::cos(half)) +
           R"(], "scale": [1, )" + std::to_string(1.0 + 0.01 * number) + ", " + (number % 2 == 0 ? "1" : "-1") + "]";
}

class JsonParts : public SceneJsonTest {
protected:
    /// A glTF file of a tree, a mesh of two primitives, a twig and the ground, and these nodes.
    void writeForest(const std::vector<std::string>& nodes) const {
        test::GltfData data;
        const std::string trunk = std::to_string(data.positions(test::kTriangle));
        const std::string crown = std::to_string(data.positions({0, 1, 0, 1, 1, 0, 0, 2, 1}));
        const std::string ground = std::to_string(data.positions({-9, 0, 9, 9, 0, 9, 0, 0, -9}));
        const auto primitive = [](const std::string& positions) {
            return R"({"attributes": {"POSITION": )" + positions + "}}";
        };
        write("forest.gltf", data.document(R"("meshes": [{"name": "tree", "primitives": [)" + primitive(trunk) + ", " +
                                           primitive(crown) + R"(]}, {"name": "twig", "primitives": [)" +
                                           primitive(crown) + R"(]}, {"name": "ground", "primitives": [)" +
                                           primitive(ground) + "]}],\n\"nodes\": [" + joined(nodes) + "]"));
    }
    /// A scene of a file, placed twice.
    Scene loadForest(const std::string& keys = "", const std::string& file = "forest.gltf") const {
        return load(R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 50], "target": [0, 0, 0] } },
                         "voxels": { "resolution": 128 },
                         "assets": { "forest": { "file": ")" +
                    file + "\"" + keys + R"( } },
                         "instances": { "a": { "asset": "forest" },
                                        "b": { "asset": "forest", "translate": [0, 0, 99], "scale": 2 } } })");
    }
    static std::vector<std::string> treesAndGround(int count) {
        std::vector<std::string> nodes = {R"({"mesh": 2})"};
        for (int i = 0; i < count; ++i) {
            nodes.push_back(R"({"mesh": 0, )" + placeOf(i) + "}");
        }
        return nodes;
    }
};

/// Where each corner of each placed triangle is: what a scene shows, however it is divided into octrees.
std::vector<std::string> cornersOf(const Scene& scene) {
    std::vector<std::string> corners;
    const auto add = [&](const MeshInstance& instance, const glm::dmat4& transform) {
        for (const glm::vec3& position : scene.meshes[instance.mesh].positions) {
            const glm::dvec4 at = transform * instance.worldFromMesh * glm::dvec4(position, 1.0);
            corners.push_back(
                fmt::format("{} {:.4f} {:.4f} {:.4f}", instance.material, at.x + 1e-9, at.y + 1e-9, at.z + 1e-9));
        }
    };
    if (!scene.hasGrids()) {
        for (const MeshInstance& instance : scene.meshInstances) {
            add(instance, glm::dmat4(1.0));
        }
    }
    for (const GridPlacement& placement : scene.gridPlacements) {
        for (const MeshInstance& instance : scene.grids[placement.grid].meshInstances) {
            add(instance, placement.worldFromGrid);
        }
    }
    std::sort(corners.begin(), corners.end());
    return corners;
}

TEST_F(JsonParts, AMeshThatAFilePlacesOftenIsAnOctreeOfItsOwn) {
    writeForest(treesAndGround(40));
    const Scene scene = loadForest();
    ASSERT_EQ(scene.grids.size(), 2U);
    EXPECT_EQ(labelOf(scene.grids[0]), "forest/tree");
    EXPECT_EQ(scene.grids[0].meshInstances.size(), 2U) << "both of its primitives";
    EXPECT_EQ(scene.grids[0].voxels.resolution, 128U) << "across itself, as the scene says";
    EXPECT_EQ(labelOf(scene.grids[1]), "") << "the ground, with all else that is not shared";
    EXPECT_EQ(scene.gridPlacements.size(), 81U);
    EXPECT_EQ(scene.gridPlacements[0].name, "a");
    EXPECT_EQ(scene.gridPlacements[40].name, "b");
    const Scene whole = loadForest(R"(, "share": false)");
    EXPECT_FALSE(whole.hasGrids());
    EXPECT_EQ(scene.meshInstances.size(), whole.meshInstances.size());
    EXPECT_EQ(cornersOf(scene), cornersOf(whole));
    EXPECT_NE(scene.hash, whole.hash);
}

/// One octree, whose rays are faster, is what a scene is made of unless that would be much larger.
TEST_F(JsonParts, WhatIsPlacedAFewTimesStaysInOneOctree) {
    writeForest(treesAndGround(12));
    EXPECT_FALSE(loadForest().hasGrids());
    const Scene shared = loadForest(R"(, "share": true)");
    ASSERT_EQ(shared.grids.size(), 2U);
    EXPECT_EQ(cornersOf(shared), cornersOf(loadForest()));
    writeForest(treesAndGround(40));
    const Scene own = loadForest(R"(, "voxels": { "resolution": 64 })");
    ASSERT_EQ(own.grids.size(), 1U) << "an asset with voxels of its own is one octree";
    EXPECT_EQ(own.gridPlacements.size(), 2U);
    const Scene both = loadForest(R"(, "share": true, "voxels": { "resolution": 64 })");
    ASSERT_EQ(both.grids.size(), 2U) << "unless it says otherwise: then that and what is left are";
    EXPECT_EQ(both.grids[0].voxels.resolution, 64U);
    EXPECT_EQ(both.grids[1].name, "forest");
    EXPECT_EQ(both.grids[1].voxels.resolution, 64U);
}

/// Nodes below a node, as exporters write instances of a collection.
TEST_F(JsonParts, WhatAlwaysComesTogetherIsOneOctree) {
    std::vector<std::string> nodes = {R"({"mesh": 2})"};
    for (int i = 0; i < 60; ++i) {
        const std::string first = std::to_string(3 * i + 2);
        nodes.push_back("{" + placeOf(i) + R"(, "children": [)" + first + ", " + std::to_string(3 * i + 3) + "]}");
        nodes.emplace_back(R"({"mesh": 0, "translation": [0.1, 0, 0]})");
        nodes.emplace_back(R"({"mesh": 1, "translation": [0, 0.3, 0], "scale": [0.5, 0.5, 0.5]})");
    }
    writeForest(nodes);
    const Scene scene = loadForest();
    ASSERT_EQ(scene.grids.size(), 2U);
    EXPECT_EQ(scene.grids[0].meshInstances.size(), 3U);
    EXPECT_EQ(scene.gridPlacements.size(), 121U);
    EXPECT_EQ(cornersOf(scene), cornersOf(loadForest(R"(, "share": false)")));
}

/// An instance has to be neither flat nor too small for rays, as it may be in one octree.
TEST_F(JsonParts, WhatNoInstanceCanBeStaysInOneOctree) {
    std::vector<std::string> nodes = treesAndGround(40);
    nodes.emplace_back(R"({"mesh": 0, "scale": [1, 0, 1]})");
    nodes.emplace_back(R"({"mesh": 0, "scale": [1e-7, 1e-7, 1e-7]})");
    writeForest(nodes);
    const Scene scene = loadForest();
    EXPECT_EQ(scene.gridPlacements.size(), 81U);
    ASSERT_EQ(scene.grids.size(), 2U);
    EXPECT_EQ(scene.grids[1].meshInstances.size(), 2U * (1 + 2 * 2)) << "the ground and two trees, twice";
}

/// Octrees are found in the cache by their hash: what they are made of, wherever that stands.
TEST_F(JsonParts, TheHashOfAPartIsThatOfItsMeshes) {
    writeForest(treesAndGround(40));
    const Scene scene = loadForest();
    EXPECT_NE(scene.grids[0].hash, scene.grids[1].hash);
    EXPECT_EQ(scene.grids[0].hash, loadForest().grids[0].hash);
    const Scene whole = loadForest(R"(, "share": false)");
    EXPECT_NE(scene.grids[1].hash, whole.surfaceHash);
}

/// Ten thousand trees of one file are one octree and as many instances.
TEST_F(JsonParts, GpuInstancesAreInstances) {
    constexpr int kTrees = 10000;
    test::GltfData data;
    const std::string tree = std::to_string(data.positions(test::kTriangle));
    std::vector<float> places;
    for (int i = 0; i < kTrees; ++i) {
        places.insert(places.end(), {static_cast<float>(i % 100), 0.0F, static_cast<float>(i / 100)});
    }
    write("forest.gltf", data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + tree +
                                       R"(}}]}], "nodes": [{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing":
                                       {"attributes": {"TRANSLATION": )" +
                                       std::to_string(data.positions(places)) + "}}}}]"));
    const Scene scene = loadForest();
    EXPECT_EQ(scene.grids.size(), 1U);
    ASSERT_EQ(scene.gridPlacements.size(), 2U * kTrees);
    EXPECT_EQ(scene.gridPlacements[kTrees - 1].worldFromGrid[3], glm::dvec4(99, 0, 99, 1));
}

/// Of a model that turns in the scene graph each cell is a voxel, whatever the scene's resolution.
TEST_F(JsonParts, VoxelModelsKeepTheirCells) {
    std::string chunks = vox::model(3, 2, 20, {{{0, 0, 0, 1}, {2, 1, 17, 2}, {1, 1, 5, 1}}}) +
                         vox::transformNode(0, 1, vox::dictionary({}));
    std::vector<std::uint32_t> children;
    std::string nodes;
    for (std::uint32_t i = 0; i < 30; ++i) {
        children.push_back(2 + 2 * i);
        const std::string place = std::to_string(30 * i) + " 0 0";
        nodes += vox::transformNode(2 + 2 * i, 3 + 2 * i,
                                    vox::dictionary({{"_t", place}, {"_r", i % 2 == 0 ? "4" : "17"}})) +
                 vox::shapeNode(3 + 2 * i, 0);
    }
    write("tiles.vox", vox::voxFile(chunks + vox::groupNode(1, children) + nodes));
    const Scene scene = loadForest("", "tiles.vox");
    ASSERT_EQ(scene.grids.size(), 1U);
    EXPECT_EQ(scene.grids[0].voxels.resolution, 18U) << "cells from 0 to 17";
    EXPECT_EQ(scene.gridPlacements.size(), 60U);
    const Scene whole = loadForest(R"(, "share": false)", "tiles.vox");
    ASSERT_EQ(scene.voxelInstances.size(), whole.voxelInstances.size());
    for (std::size_t i = 0; i < scene.voxelInstances.size(); ++i) {
        EXPECT_EQ(scene.voxelInstances[i].worldFromModel, whole.voxelInstances[i].worldFromModel) << i;
    }
    EXPECT_EQ(loadForest(R"(, "share": true, "voxels": { "resolution": 36 })", "tiles.vox").grids[0].voxels.resolution,
              36U);
}

/// Each place of a shared part is an instance with a number of its own, in the order of placements, and neighbours of
/// one name share a line; a part is an asset.
TEST_F(JsonParts, HaveNumbersOfTheirOwn) {
    writeForest(treesAndGround(20));
    const Scene scene = loadForest(R"(, "share": true)");
    const InstanceNumbers numbers = instanceNumbers(scene);
    ASSERT_EQ(numbers.instances.size(), scene.gridPlacements.size());
    EXPECT_EQ(numberedNames(numbers.instances), "1-20 a/tree\n21-40 b/tree\n41 scene");
    EXPECT_EQ(numberedNames(numbers.assets), "1 forest/tree\n2 scene");
    EXPECT_EQ(numberedNames({"ball\n2 lamp", "floor"}), "1 ball\\x0a2 lamp\n2 floor") << "a name forges no line";
    EXPECT_EQ(numbers.assetOf[0], 1U);
    EXPECT_EQ(numbers.assetOf[40], 2U);
    for (const MeshInstance& instance : scene.meshInstances) { // as the reference, which has triangles, tells them
        const GridPlacement& placement = scene.gridPlacements.at(instance.placement);
        const std::vector<MeshInstance>& own = scene.grids[placement.grid].meshInstances;
        EXPECT_TRUE(std::any_of(own.begin(), own.end(), [&](const MeshInstance& mesh) {
            return mesh.mesh == instance.mesh && placement.worldFromGrid * mesh.worldFromMesh == instance.worldFromMesh;
        }));
    }
}

} // namespace
} // namespace aureole
