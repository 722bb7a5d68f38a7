// Models that are rendered by themselves, from their files.

#include "core/error.h"
#include "error_of.h"
#include "json_test_util.h"

namespace aureole {
namespace {

class ModelFile : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        model = write("pyramid.obj", "v 0 0 0\nv 2 0 0\nv 0 0 2\nv 0 1 0\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
    }
    std::filesystem::path model;
};

TEST_F(ModelFile, LoadsWithAFloorAndASky) {
    const Scene loaded = loadScene(model, {});
    EXPECT_EQ(loaded.file, model);
    EXPECT_EQ(loaded.meshInstances.size(), 2U);
    EXPECT_EQ(loaded.cameras[0].name, "framed");
    EXPECT_EQ(loaded.environment.type, EnvironmentType::Gradient);
    EXPECT_EQ(loaded.environment.softboxes.size(), 3U);
    EXPECT_FALSE(loaded.film.isMetered());
    SettingsChanges changes;
    changes.show.picture = true;
    EXPECT_TRUE(loadScene(model, {}, nullptr, changes).film.isMetered());
    EXPECT_EQ(loadScene(model, {}, nullptr, changes).film.denoise, DenoiserKind::None);
    const SceneOverride asked = {"/film/denoise", "\"builtin\""};
    EXPECT_EQ(loadScene(model, {asked}, nullptr, changes).film.denoise, DenoiserKind::Builtin);
    const std::string hash = loadScene(model, {}, nullptr, changes).hash;
    changes.show.denoised = true;
    EXPECT_EQ(loadScene(model, {}, nullptr, changes).film.denoise, DenoiserKind::Auto);
    EXPECT_EQ(loadScene(model, {}, nullptr, changes).hash, hash) << "the samples are the same";
    const SceneOverride independent = {"/integrator/sampler", "\"independent\""}; // which no filter of ours compares
    EXPECT_EQ(loadScene(model, {independent}, nullptr, changes).film.denoise, DenoiserKind::None);
    EXPECT_EQ(loadScene(model, {independent, {"/film/denoise", "\"auto\""}}, nullptr, changes).film.denoise,
              DenoiserKind::Auto);
    EXPECT_EQ(loadScene(model, {{"/film/exposure", "1"}}, nullptr, changes).film.exposure, 1.0);
    EXPECT_EQ(loaded.voxels.resolution, 1536U);
    EXPECT_EQ(loaded.hash.size(), 16U);
}

TEST_F(ModelFile, AStageIsForModelsAlone) {
    SettingsChanges changes;
    changes.show.stage = ModelStage::Outdoor;
    EXPECT_EQ(loadScene(model, {}, nullptr, changes).environment.type, EnvironmentType::Sky);
    const std::filesystem::path scene = write("scene.json", "{}");
    const testing::Caught caught = testing::errorOf([&] { loadScene(scene, {}, nullptr, changes); });
    EXPECT_EQ(caught.code, ExitCode::Usage);
    EXPECT_TRUE(caught.names("--stage: found it with the scene")) << caught.message;
}

TEST_F(ModelFile, AFloorOfAFieldIsASlabOfSomeVoxels) {
    const auto thickness = [&](const std::vector<SceneOverride>& overrides) {
        const Scene loaded = loadScene(model, overrides);
        Bounds floor;
        for (const glm::vec3& position : loaded.meshes[loaded.meshInstances.front().mesh].positions) {
            floor.add(glm::dvec3(position));
        }
        return floor.extent().y / floor.extent().x;
    };
    const SceneOverride field = {"/voxels/surface", "\"field\""};
    EXPECT_NEAR(thickness({field}), 4.0 / 1536.0, 1e-6);
    EXPECT_NEAR(thickness({field, {"/voxels/resolution", "64"}}), 4.0 / 64.0, 1e-6);
    EXPECT_NEAR(thickness({field, {"/voxels/resolution", "2048"}}), 4.0 / 1536.0, 1e-6);
}

TEST_F(ModelFile, OverridesWorkOnTheDefaults) {
    const Scene loaded = loadScene(model, {{"/instances/floor", "null"},
                                           {"/voxels/resolution", "64"},
                                           {"/cameras/framed/verticalFov", "50"},
                                           {"/film/size", "[100, 300]"},
                                           {"/instances/model/scale", "2"}});
    EXPECT_EQ(loaded.meshInstances.size(), 1U);
    EXPECT_EQ(loaded.voxels.resolution, 64U);
    EXPECT_EQ(loaded.cameras[0].verticalFov, 50.0);
    EXPECT_EQ(loaded.meshInstances[0].worldFromMesh[0][0], 2.0);
    // A narrower film needs more distance.
    const Scene wide = loadScene(model, {});
    EXPECT_GT(glm::distance(loaded.cameras[0].position, loaded.cameras[0].target),
              glm::distance(wide.cameras[0].position, wide.cameras[0].target));
    const auto found = problemsOf(model, {{"/materials/flor/albedo", "1"}});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_NE(found[0].message.find("did you mean 'floor'"), std::string::npos);
}

TEST_F(ModelFile, ALinkToAModelIsTheModel) {
    std::filesystem::create_directories(folder / "links");
    std::filesystem::create_symlink(model, folder / "links" / "other.obj");
    EXPECT_EQ(loadScene(folder / "links" / "other.obj", {}).hash, loadScene(model, {}).hash);
}

TEST_F(ModelFile, NamesNeedNotBeUtf8) {
    std::filesystem::copy_file(model, folder / "\xFF.obj");
    EXPECT_EQ(loadScene(folder / "\xFF.obj", {}).meshInstances.size(), 2U);
}

TEST_F(ModelFile, MissingAndBrokenModelsAreReported) {
    EXPECT_EQ(problemsOf(folder / "none.obj", {}).size(), 1U);
    EXPECT_EQ(problemsOf(write("bad.obj", "v 0 0 nan\n"), {}).size(), 1U);
    EXPECT_EQ(problemsOf(write("bad.glb", "glTF"), {}).size(), 1U);
}

TEST_F(ModelFile, ModelsOfAbsurdExtentAreReported) {
    const auto blame = [&](const std::string& corner) {
        return join(problemsOf(write("far.obj", "v 0 0 0\nv " + corner + " 0 0\nv 0 " + corner + " 0\nf 1 2 3\n"), {}));
    };
    EXPECT_EQ(blame("1e10"), "");
    EXPECT_EQ(blame("2e-15"), "");
    EXPECT_NE(blame("1e-17").find("found a model 1e-17 m long, expected at least 1e-15 m"), std::string::npos);
    for (const std::string corner : {"2e10", "-1e13", "3e38"}) {
        EXPECT_NE(blame(corner).find("m from the origin, expected at most 1e+10 m"), std::string::npos)
            << blame(corner);
        EXPECT_EQ(blame(corner).find("/assets"), std::string::npos) << blame(corner);
    }
}

TEST_F(ModelFile, ProblemsOfTheSceneMadeForAModelAreSaidToBeThat) {
    // So narrow a film takes the camera beyond all bounds.
    const auto found =
        problemsOf(write("big.obj", "v 0 0 0\nv 1e10 0 0\nv 0 1e9 0\nf 1 2 3\n"), {{"/film/size", "[1, 65536]"}});
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].pointer, "/cameras/framed/position/0");
    EXPECT_NE(found[0].message.find("to 1000000000000 (in the scene made for the model)"), std::string::npos)
        << found[0].message;
}

} // namespace
} // namespace aureole
