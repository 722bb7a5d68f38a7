#include "scene/json/model_defaults.h"

#include <cmath>
#include <iterator>

#include "core/error.h"
#include "error_of.h"
#include "import/model_outline.h"
#include "json_schema.h"
#include "json_test_util.h"
#include "scene/json/model_stage.h"

namespace aureole {
namespace {

ImportedModel boxModel(const glm::vec3& min, const glm::vec3& max) {
    ImportedModel model;
    model.materials.emplace_back();
    Mesh& mesh = model.meshes.emplace_back();
    for (unsigned i = 0; i < 8; ++i) {
        mesh.positions.emplace_back((i & 1U) != 0 ? max.x : min.x, (i & 2U) != 0 ? max.y : min.y,
                                    (i & 4U) != 0 ? max.z : min.z);
    }
    mesh.triangles = {{0, 1, 2}, {5, 6, 7}};
    model.meshInstances.push_back({0, glm::dmat4(1.0), kNone});
    return model;
}

/// A voxel model of `size` in which only the corner cells of the box from `first` to `last` are solid.
ImportedModel voxelModel(const glm::uvec3& size, const glm::uvec3& first, const glm::uvec3& last) {
    ImportedModel model;
    model.materials.emplace_back();
    VoxelModel& voxels = model.voxelModels.emplace_back();
    voxels.size = size;
    voxels.cells.resize(std::size_t{size.x} * size.y * size.z);
    voxels.cells[first.x + size.x * (first.y + std::size_t{size.y} * first.z)] = 1;
    voxels.cells[last.x + size.x * (last.y + std::size_t{size.y} * last.z)] = 1;
    model.voxelInstances.push_back({0, glm::dmat4(1.0)});
    return model;
}

/// Two cells of a metre, so far apart.
ImportedModel twoCells(double distance) {
    ImportedModel model = voxelModel({1, 1, 1}, {0, 0, 0}, {0, 0, 0});
    model.voxelInstances.push_back(model.voxelInstances.front());
    model.voxelInstances.back().worldFromModel[3].x = distance;
    return model;
}

glm::dvec3 vectorOf(const Json& json) {
    return {json[0], json[1], json[2]};
}

struct FloorPlan {
    glm::dvec3 min{0.0};
    double side = 0.0;
    double voxel = 0.0;
};

FloorPlan floorOf(const Json& scene) {
    const Json& quad = scene["assets"]["floor"]["quad"];
    FloorPlan plan;
    plan.side = quad["u"][0];
    plan.min = vectorOf(quad["corner"]) + vectorOf(quad["v"]);
    plan.voxel = plan.side / scene["voxels"]["resolution"].get<double>();
    return plan;
}

struct Framing {
    double widest = 0.0;
    double highest = 0.0;
    double nearest = 0.0;
};

/// How much of the frame (1: to its edge) the box reaches, seen through a camera.
Framing frame(const Json& camera, const Bounds& bounds, double aspect) {
    const glm::dvec3 position = vectorOf(camera["position"]);
    const glm::dvec3 forward = glm::normalize(vectorOf(camera["target"]) - position);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, {0, 1, 0}));
    const glm::dvec3 up = glm::cross(right, forward);
    const double tangent = std::tan(camera["verticalFov"].get<double>() * kPi / 360.0);
    Framing framing{0.0, 0.0, 1e300};
    for (unsigned i = 0; i < 8; ++i) {
        const glm::dvec3 at =
            glm::dvec3((i & 1U) != 0 ? bounds.max.x : bounds.min.x, (i & 2U) != 0 ? bounds.max.y : bounds.min.y,
                       (i & 4U) != 0 ? bounds.max.z : bounds.min.z) -
            position;
        const double depth = glm::dot(at, forward);
        framing.nearest = std::min(framing.nearest, depth);
        framing.widest = std::max(framing.widest, std::abs(glm::dot(at, right)) / depth / tangent / aspect);
        framing.highest = std::max(framing.highest, std::abs(glm::dot(at, up)) / depth / tangent);
    }
    return framing;
}

TEST(JsonModelDefaults, TheCameraFramesAnyModelInAnyFilm) {
    for (const glm::vec3& size :
         {glm::vec3(1, 1, 1), glm::vec3(100, 1, 1), glm::vec3(1, 50, 1), glm::vec3(1e-3F, 2e-3F, 0)}) {
        for (const double aspect : {16.0 / 9.0, 1.0, 0.4}) {
            const ImportedModel model = boxModel(glm::vec3(3, -2, 7), glm::vec3(3, -2, 7) + size);
            const Bounds bounds = modelBounds(model);
            const Json scene = modelScene("m.obj", model, aspect);
            const Framing framing = frame(scene["cameras"]["framed"], bounds, aspect);
            EXPECT_GT(framing.nearest, 0.0);
            EXPECT_LE(framing.widest, 1.0);
            EXPECT_LE(framing.highest, 1.0);
            EXPECT_GT(std::max(framing.widest, framing.highest), 0.7) << "no smaller than need be";
            EXPECT_GT(vectorOf(scene["cameras"]["framed"]["position"]).y, bounds.centre().y) << "from above";
        }
    }
}

TEST(JsonModelDefaults, TheFrameHasTheWholeVoxelsOfPoints) {
    ImportedModel cloud = boxModel({0, 0, 0}, {10, 10, 10});
    cloud.points = PointCloud{5.0, false};
    const Json scene = modelScene("m.ply", cloud, 1.0);
    const double voxel = 3.0 * 10.0 / scene["voxels"]["resolution"].get<double>(); // of a floor three times as wide
    ASSERT_GT(voxel, 1.0);
    const Framing framing =
        frame(scene["cameras"]["framed"], Bounds{glm::dvec3(-voxel), glm::dvec3(10.0 + voxel)}, 1.0);
    EXPECT_LE(std::max(framing.widest, framing.highest), 1.0);
}

/// A box around a ball has its corners far beside it in the picture, and so has one around a slope of cells.
TEST(JsonModelDefaults, TheFrameIsTheModelsAndNotItsBoxs) {
    constexpr double kAspect = 4.0 / 3.0;
    ImportedModel ball = boxModel({0, 0, 0}, {1, 1, 1});
    ball.meshes[0].positions.clear();
    for (double turn = 0.0; turn < 360.0; turn += 6.0) {
        for (double up = -87.0; up < 90.0; up += 6.0) {
            const double side = std::cos(glm::radians(up));
            ball.meshes[0].positions.emplace_back(5.0 + side * std::cos(glm::radians(turn)), std::sin(glm::radians(up)),
                                                  side * std::sin(glm::radians(turn)));
        }
    }
    const Json small = modelScene("m.obj", ball, kAspect)["cameras"]["framed"];
    Framing framing{0.0, 0.0, 1e300};
    for (const glm::vec3& position : ball.meshes[0].positions) {
        const Framing point = frame(small, Bounds{position, position}, kAspect);
        framing.highest = std::max(framing.highest, point.highest);
        framing.widest = std::max(framing.widest, point.widest);
    }
    EXPECT_LE(framing.highest, 1.0);
    EXPECT_GT(framing.highest, 0.85) << "0.68 by its box";
    EXPECT_LT(framing.widest, framing.highest / 1.3) << "in the middle";

    // Two cells, of which that in front is at the left: as much room beside the one as beside the other.
    const ImportedModel cells = voxelModel({9, 9, 9}, {0, 0, 8}, {8, 0, 0});
    ModelShow front;
    front.view = parseView("--view", "front");
    const Json camera = modelScene("m.vox", cells, kAspect, 0, front)["cameras"]["framed"];
    const Framing left = frame(camera, Bounds{{0, 0, 8}, {1, 1, 9}}, kAspect);
    const Framing right = frame(camera, Bounds{{8, 0, 0}, {9, 1, 1}}, kAspect);
    EXPECT_NEAR(left.widest, right.widest, 1e-9);
    EXPECT_GT(left.widest, 0.85);
}

TEST(JsonModelDefaults, ViewsLookFromWhereTheyAreNamed) {
    const Bounds bounds = modelBounds(boxModel(glm::vec3(-1, 0, -2), glm::vec3(1, 3, 2)));
    const auto towards = [&](const std::string& view) {
        const Json camera = framedCamera(cornersOf(bounds), parseView("--view", view), 1.5);
        return glm::normalize(vectorOf(camera["position"]) - vectorOf(camera["target"]));
    };
    EXPECT_LT(glm::distance(towards("front"), {0, 0, 1}), 1e-9);
    EXPECT_LT(glm::distance(towards("side"), {1, 0, 0}), 1e-9);
    EXPECT_LT(glm::distance(towards("top"), {0, 1, 0}), 1e-9);
    EXPECT_LT(glm::distance(towards("-90,0"), {-1, 0, 0}), 1e-9);
    EXPECT_LT(glm::distance(towards("180,0"), {0, 0, -1}), 1e-9);
    EXPECT_LT(glm::distance(towards("0,-90"), {0, -1, 0}), 1e-9);
    EXPECT_LT(glm::distance(towards("iso"), glm::normalize(glm::dvec3(1, 1, 1))), 1e-9);
    // From above, the model's front is the lower edge.
    EXPECT_LT(
        glm::distance(vectorOf(framedCamera(cornersOf(bounds), parseView("--view", "top"), 1.5)["up"]), {0, 0, -1}),
        1e-9);
    const Json iso = framedCamera(cornersOf(bounds), parseView("--view", "iso"), 1.5);
    EXPECT_EQ(iso["projection"], "orthographic");
    EXPECT_GT(iso["height"], 3.0 * std::cos(std::atan(std::sqrt(0.5)))); // at least as high as the model's edge looks
    for (const std::string wrong : {"back", "1", "1,2,3", "0,91", "x,0", ""}) {
        const testing::Caught caught = testing::errorOf([&] { parseView("--view", wrong); });
        EXPECT_EQ(caught.code, ExitCode::Usage) << wrong;
        EXPECT_TRUE(caught.names("--view: found")) << caught.message;
    }
}

TEST(JsonModelDefaults, TheLampsStandAsTheModelsOwnCameraWantsThem) {
    ImportedModel model = boxModel({0, 0, 0}, {1, 1, 1});
    model.cameras.emplace_back().position = {-5.0, 2.0, 0.0}; // looks along +X
    const glm::dvec3 rim = vectorOf(modelScene("m.glb", model, 1.0)["environment"]["softboxes"]["rim"]["direction"]);
    EXPECT_GT(rim.x, 0.5);
}

TEST(JsonModelDefaults, AModelsOwnDaylightShinesUnlessAStageIsAskedFor) {
    ImportedModel model = boxModel({0, 0, 0}, {1, 1, 1});
    model.daylight = Daylight{{0.0, 0.6, 0.8}, 4.0, {3.0F, 2.0F, 1.0F}, {0.5F, 0.6F, 0.7F}, {0.2F, 0.2F, 0.4F}, -1.0};
    const Json scene = modelScene("m.vox", model, 1.0, 0, {{}, {}, true});
    const Json& environment = scene["environment"];
    EXPECT_LT(glm::distance(vectorOf(environment["sun"]["direction"]), {0.0, 0.6, 0.8}), 1e-9);
    EXPECT_EQ(environment["horizon"], environment["zenith"]);
    // Below the horizon goes on what the floor sends back: its albedo times the sky and the sun at 0.6.
    const glm::dvec3 ground = vectorOf(environment["ground"]);
    EXPECT_NEAR(ground.x, 0.2 * (0.5 + 3.0 * 0.6 / kPi), 1e-6);
    EXPECT_NEAR(ground.z, 0.4 * (0.7 + 1.0 * 0.6 / kPi), 1e-6);
    EXPECT_NEAR(scene["materials"]["floor"]["albedo"][2].get<double>(), 0.4, 1e-6);
    EXPECT_EQ(scene["film"]["exposure"], -1.0);
    EXPECT_FALSE(scene["film"].contains("exposurePercentile"));
    const Json studio = modelScene("m.vox", model, 1.0, 0, {ModelStage::Studio, {}, true});
    EXPECT_FALSE(studio["environment"].contains("sun"));
    EXPECT_EQ(studio["environment"]["softboxes"].size(), 3U);
}

TEST(JsonModelDefaults, CamerasOfTheWholeSphereHaveNoLens) {
    ImportedModel model = boxModel({0, 0, 0}, {1, 1, 1});
    model.cameras.emplace_back().projection = Projection::Equirectangular;
    const Json camera = modelScene("m.vox", model, 1.0)["cameras"]["camera"];
    EXPECT_EQ(camera["projection"], "equirectangular");
    EXPECT_FALSE(camera.contains("verticalFov") || camera.contains("apertureRadius"));
}

TEST(JsonModelDefaults, OfPicturesMeshesArePlanes) {
    const ImportedModel box = boxModel({0, 0, 0}, {1, 1, 1});
    EXPECT_FALSE(modelScene("m.glb", box, 1.0)["voxels"].contains("surface"));
    EXPECT_EQ(modelScene("m.glb", box, 1.0, 0, {{}, {}, true})["voxels"]["surface"], "planes");
    const ImportedModel cells = voxelModel({20, 30, 25}, {2, 3, 4}, {18, 20, 9});
    EXPECT_FALSE(modelScene("m.vox", cells, 1.0, 0, {{}, {}, true})["voxels"].contains("surface"));
}

TEST(JsonModelDefaults, WithoutAStageThereIsNoFloor) {
    const Json scene = modelScene("m.glb", boxModel({0, 0, 0}, {1, 1, 1}), 1.0, 0, {ModelStage::None, {}, true});
    EXPECT_FALSE(scene["instances"].contains("floor"));
    EXPECT_FALSE(scene["assets"].contains("floor"));
    EXPECT_EQ(scene["environment"]["softboxes"].size(), 3U);
}

TEST(JsonModelDefaults, TheFloorIsTheWidestAndLowestThing) {
    for (const glm::vec3& size : {glm::vec3(1, 1, 1), glm::vec3(10, 1, 4), glm::vec3(1, 10, 1)}) {
        const ImportedModel model = boxModel(glm::vec3(5, 6, 7), glm::vec3(5, 6, 7) + size);
        const Bounds bounds = modelBounds(model);
        const Json scene = modelScene("m.obj", model, 1.0);
        const FloorPlan floor = floorOf(scene);
        EXPECT_LT(floor.min.x, bounds.min.x);
        EXPECT_GT(floor.min.x + floor.side, bounds.max.x);
        EXPECT_LT(floor.min.z, bounds.min.z);
        EXPECT_GT(floor.min.z + floor.side, bounds.max.z);
        EXPECT_NEAR(floor.min.y, bounds.min.y - floor.voxel, 1e-9);
        EXPECT_GE(floor.side, bounds.max.y - floor.min.y) << "the resolution counts along it";
        const double longest = std::max({size.x, size.y, size.z});
        EXPECT_NEAR(longest / floor.voxel, 512.0, 1.0);
        EXPECT_EQ(scene["voxels"]["normals"], "smooth");
    }
}

TEST(JsonModelDefaults, AClosedFloorIsASlabWithTheSameTop) {
    const ImportedModel model = boxModel(glm::vec3(5, 6, 7), glm::vec3(9, 8, 10));
    const FloorPlan floor = floorOf(modelScene("m.obj", model, 1.0));
    for (const std::uint32_t resolution : {16U, 100U, 16384U}) {
        const Json slab = modelScene("m.obj", model, 1.0, resolution)["assets"]["floor"]["box"];
        EXPECT_EQ(vectorOf(slab["max"]), floor.min + glm::dvec3(floor.side, 0.0, floor.side));
        EXPECT_EQ(vectorOf(slab["min"]).x, floor.min.x);
        // Several voxels of the grid asked for, so that corners of voxels lie within it.
        EXPECT_LT(vectorOf(slab["min"]).y, floor.min.y - 2.0 * std::max(floor.voxel, floor.side / resolution));
    }
}

TEST(JsonModelDefaults, VoxelsOfAModelAreVoxelsOfTheGrid) {
    const ImportedModel model = voxelModel({20, 30, 25}, {2, 3, 4}, {18, 20, 9});
    const Bounds bounds = modelBounds(model);
    EXPECT_EQ(bounds.min, glm::dvec3(2, 3, 4));
    EXPECT_EQ(bounds.max, glm::dvec3(19, 21, 10));
    const Json scene = modelScene("m.vox", model, 1.0);
    const FloorPlan floor = floorOf(scene);
    EXPECT_EQ(floor.voxel, 1.0);
    EXPECT_EQ(floor.min, glm::floor(floor.min)) << "aligned with the cells";
    EXPECT_EQ(floor.min.y, 2.0);
    EXPECT_LT(floor.min.x, bounds.min.x);
    EXPECT_LT(floor.min.z, bounds.min.z);
    EXPECT_GT(floor.min.x + floor.side, bounds.max.x);
    EXPECT_GT(floor.min.z + floor.side, bounds.max.z);
    EXPECT_GE(floor.side, 19.0);
    EXPECT_EQ(scene["voxels"]["normals"], "face");
}

/// Two cells, and a square of them, so far apart that their floor would be most of the octree, or fill memory.
TEST(JsonModelDefaults, AFloorUnderFewCellsFarApartIsCoarse) {
    EXPECT_FALSE(modelScene("m.vox", twoCells(600.0), 1.0)["assets"].contains("edge")) << "as it always was";
    for (const double distance : {2000.0, 1e9}) {
        const Json scene = modelScene("m.vox", twoCells(distance), 1.0);
        EXPECT_EQ(scene["assets"]["floor"]["voxels"]["resolution"], 512);
        EXPECT_EQ(scene["instances"]["floor"]["material"], "floor");
        // The strip has the grid's corner and its side, the floor the top of its voxels at the cells' bottom.
        const Json& strip = scene["assets"]["edge"]["quad"];
        const FloorPlan floor = floorOf(scene);
        const double voxel = -strip["v"][2].get<double>();
        EXPECT_EQ(strip["u"], scene["assets"]["floor"]["quad"]["u"]);
        EXPECT_NEAR(voxel, floor.voxel, 1e-9 * voxel);
        EXPECT_EQ(vectorOf(strip["corner"]) + vectorOf(strip["v"]), glm::dvec3(floor.min.x, -voxel, floor.min.z));
        EXPECT_NEAR(floor.min.y, -floor.side / 512.0, 1e-9 * floor.side);
    }
    // A whole square of that width has more cells than its floor has in sixteen.
    ImportedModel filled = voxelModel({800, 1, 800}, {0, 0, 0}, {799, 0, 799});
    filled.voxelModels[0].cells.assign(std::size_t{800} * 800, 1);
    EXPECT_FALSE(modelScene("m.vox", filled, 1.0)["assets"].contains("edge"));
}

TEST(JsonModelDefaults, ASmallVoxelModelGetsWholeVoxelsPerCell) {
    const Json scene = modelScene("m.vox", voxelModel({1, 1, 1}, {0, 0, 0}, {0, 0, 0}), 1.0);
    const FloorPlan floor = floorOf(scene);
    EXPECT_GE(scene["voxels"]["resolution"], 16);
    EXPECT_NEAR(1.0 / floor.voxel, std::round(1.0 / floor.voxel), 1e-12);
}

TEST(JsonModelDefaults, ATurnedVoxelModelIsTreatedAsAMesh) {
    ImportedModel model = voxelModel({10, 10, 10}, {0, 0, 0}, {9, 9, 9});
    model.voxelInstances[0].worldFromModel = glm::dmat4(glm::mat3_cast(glm::dquat(0.9, 0.1, 0.3, 0.2)));
    EXPECT_EQ(modelScene("m.vox", model, 1.0)["voxels"]["normals"], "smooth");
}

TEST(JsonModelDefaults, CamerasAndLightsOfTheModelComeFirst) {
    ImportedModel model = boxModel({0, 0, 0}, {1, 1, 1});
    Camera camera;
    camera.name = "shot/1";
    camera.verticalFov = 22.0;
    model.cameras = {camera, camera};
    PunctualLight light;
    light.type = LightType::Spot;
    light.position = {0.5, 3.0, 0.5};
    model.lights = {light};
    const Json scene = modelScene("m.glb", model, 1.0);
    EXPECT_EQ(scene["camera"], "shot/1");
    EXPECT_EQ(scene["cameras"].size(), 3U);
    EXPECT_EQ(scene["cameras"]["shot/1"]["verticalFov"], 22.0);
    EXPECT_TRUE(scene["cameras"].contains("framed"));
    EXPECT_EQ(scene["lights"]["light"]["type"], "spot");
    EXPECT_FALSE(scene["environment"].contains("softboxes"));
    EXPECT_TRUE(modelScene("m.glb", boxModel({0, 0, 0}, {1, 1, 1}), 1.0)["environment"].contains("softboxes"));
    // What is asked for comes first, and the model's lights stay.
    const Json asked = modelScene("m.glb", model, 1.0, 0, {ModelStage::Outdoor, ModelView{}, true});
    EXPECT_EQ(asked["camera"], "framed");
    EXPECT_EQ(asked["environment"]["type"], "sky");
    EXPECT_EQ(asked["lights"]["light"]["type"], "spot");
}

TEST(JsonModelDefaults, ACameraThatDoesNotSeeTheModelTakesNoPicture) {
    ImportedModel model = boxModel({0, 0, 0}, {1, 1, 1});
    Camera& away = model.cameras.emplace_back();
    away.name = "away";
    away.position = {0.5, 0.5, 5.0};
    away.target = {0.5, 0.5, 6.0};
    EXPECT_EQ(modelScene("m.glb", model, 1.0)["camera"], "framed");
    Camera& other = model.cameras.emplace_back(away);
    other.name = "other";
    other.target = {0.5, 0.5, 4.0};
    const Json scene = modelScene("m.glb", model, 1.0);
    EXPECT_EQ(scene["camera"], "other");
    EXPECT_TRUE(scene["cameras"].contains("away"));
    // Beside it, in the corner of a wide picture alone.
    model.cameras.pop_back();
    model.cameras[0].target = {4.5, 0.5, 0.5};
    EXPECT_EQ(modelScene("m.glb", model, 1.0)["camera"], "framed");
    EXPECT_EQ(modelScene("m.glb", model, 3.0)["camera"], "away");
}

TEST(JsonModelDefaults, TheSkyFillsWhatTheModelsLightsLeaveInShadow) {
    ImportedModel model = boxModel({-3, 0, -3}, {3, 6, 3});
    PunctualLight& sun = model.lights.emplace_back();
    sun.type = LightType::Directional;
    sun.direction = glm::normalize(glm::dvec3(3.0, -4.0, 0.0));
    sun.intensity = glm::vec3(10.0F, 20.0F, 30.0F);
    const auto environmentOf = [&] { return modelScene("m.glb", model, 1.0)["environment"]; };
    // The sky straight up is a quarter of the light, 20 on average, over pi. The floor below it reflects a fifth, and
    // it is as bright as the horizon: L = (0.8 z + E / pi) / 5 / (1 - 0.2 / 5).
    const Json sky = environmentOf();
    const double zenith = 0.25 * 20.0 / kPi;
    EXPECT_NEAR(sky["zenith"][1], zenith, 1e-9);
    for (std::size_t i = 0; i < 3; ++i) {
        const double floor = 0.2 * (0.8 * zenith + 0.8 * (10.0 + 10.0 * static_cast<double>(i)) / kPi) / 0.96;
        EXPECT_NEAR(sky["horizon"][i], floor, 1e-6);
        EXPECT_EQ(sky["ground"][i], sky["horizon"][i]);
    }
    // Whatever the unit.
    sun.intensity *= 1e-3F;
    EXPECT_NEAR(environmentOf()["zenith"][1], 1e-3 * zenith, 1e-9);
    // A lamp lights by its distance; one that shines elsewhere leaves the model to the studio.
    PunctualLight& lamp = model.lights.front();
    lamp = PunctualLight{};
    lamp.position = {0.0, 3.0, 8.0};
    lamp.intensity = glm::vec3(8.0F);
    EXPECT_NEAR(environmentOf()["zenith"][0], 0.25 * 0.125 / kPi, 1e-9);
    lamp.type = LightType::Spot;
    lamp.direction = {0.0, 0.0, -1.0};
    EXPECT_FALSE(environmentOf().contains("softboxes"));
    lamp.direction = {0.0, 0.0, 1.0};
    EXPECT_TRUE(environmentOf().contains("softboxes"));
}

TEST(JsonModelDefaults, ThousandsOfCamerasAndLightsMayHaveOneName) {
    constexpr std::size_t kMany = 20'000; // half as many squared would take minutes
    ImportedModel model = boxModel(glm::vec3(-1.0F), glm::vec3(1.0F));
    for (std::size_t i = 0; i < kMany; ++i) {
        model.cameras.emplace_back().name = i == 1 ? "shot 2" : "shot";
        model.lights.emplace_back().name = "lamp";
    }
    const Json scene = modelScene("box.glb", model, 1.0);
    EXPECT_EQ(scene["cameras"].size(), kMany + 1);
    EXPECT_EQ(scene["lights"].size(), kMany);
    for (const char* const name : {"shot", "shot 2", "shot 3", "shot 20000"}) {
        EXPECT_TRUE(scene["cameras"].contains(name)) << name;
    }
}

TEST(JsonModelDefaults, DefaultScenesConformToTheSchema) {
    std::ifstream stream(scenesFolder() / "aureole.schema.json");
    const JsonSchema schema(Json::parse(stream));
    ImportedModel model = boxModel({0, 0, 0}, {1, 1, 1});
    for (const LightType type : {LightType::Point, LightType::Spot, LightType::Directional}) {
        model.lights.emplace_back().type = type;
    }
    model.cameras.emplace_back();
    std::vector<Json> scenes = {modelScene("m.glb", model, 1.0), modelScene("m.vox", twoCells(2000.0), 1.0)};
    for (std::size_t i = 0; i < stageNames().size(); ++i) {
        scenes.push_back(modelScene("m.glb", model, 1.0, 0,
                                    {static_cast<ModelStage>(i), parseView("--view", viewNames()[i]), true}));
    }
    for (const Json& scene : scenes) {
        for (const std::string& error : schema.errors(scene)) {
            ADD_FAILURE() << error;
        }
    }
}

/// A matrix of a glTF node is in double, so what it places can be anywhere.
TEST(JsonModelDefaults, ModelsOfNoPlaceAreRefused) {
    ImportedModel box = boxModel(glm::vec3(-1.0F), glm::vec3(1.0F));
    for (const double shift : {1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
        box.meshInstances[0].worldFromMesh[3] = glm::dvec4(glm::dvec3(shift), 1.0);
        EXPECT_THROW(modelScene("far.glb", box, 1.0), Error) << shift;
    }
}

} // namespace
} // namespace aureole
