#include "scene/json/json_override.h"

#include "core/error.h"
#include "json_test_util.h"

namespace aureole {
namespace {

class JsonOverride : public SceneJsonTest {
protected:
    /// The one problem that an override makes in the minimal scene.
    SceneProblem only(const std::string& pointer, const std::string& value) const {
        const auto found = problems(minimalScene(), {{pointer, value}});
        EXPECT_EQ(found.size(), 1U) << pointer << '\n' << join(found);
        return found.empty() ? SceneProblem{} : found[0];
    }
};

TEST_F(JsonOverride, ReplacesAndAddsValues) {
    const Scene scene = load(minimalScene(), {{"/materials/wall/albedo", "0.25"},
                                              {"/materials/wall/emission", "[1, 2, 3]"},
                                              {"/integrator/seed", "9"},
                                              {"/environment/type", "constant"},
                                              {"/environment/radiance", "2"},
                                              {"/cameras/main/position/2", "7"},
                                              {"/film/size", "[10, 20]"}});
    EXPECT_EQ(scene.materials[0].albedo, glm::vec3(0.25F));
    EXPECT_EQ(scene.materials[0].emission, glm::vec3(1, 2, 3));
    EXPECT_EQ(scene.integrator.seed, 9U);
    EXPECT_EQ(scene.environment.radiance, glm::vec3(2.0F));
    EXPECT_EQ(scene.cameras[0].position, glm::dvec3(0, 0, 7));
    EXPECT_EQ(scene.film.height, 20U);
}

TEST_F(JsonOverride, TextThatIsNoJsonIsAString) {
    EXPECT_EQ(load(minimalScene(), {{"/film/tonemap", "agx"}}).film.tonemap, ToneMap::Agx);
    EXPECT_EQ(load(minimalScene(), {{"/film/tonemap", "\"agx\""}}).film.tonemap, ToneMap::Agx);
    EXPECT_EQ(load(minimalScene(), {{"/materials/wall/albedo", "#ffffff"}}).materials[0].albedo, glm::vec3(1.0F));
}

TEST_F(JsonOverride, LaterOnesWinAndWholeEntriesCanBeAdded) {
    const Scene scene = load(minimalScene(), {{"/materials/new", "{\"albedo\": 0.1}"},
                                              {"/materials/new/albedo", "0.2"},
                                              {"/materials/new/albedo", "0.3"},
                                              {"/instances/ball/material", "new"}});
    ASSERT_EQ(scene.meshInstances.size(), 1U);
    EXPECT_EQ(scene.materials[scene.meshInstances[0].material].albedo, glm::vec3(0.3F));
}

TEST_F(JsonOverride, NullRemovesAKey) {
    EXPECT_EQ(load(minimalScene(), {{"/instances/ball/material", "null"}}).meshInstances[0].material, kNone);
    EXPECT_NE(only("/instances/ball/materal", "null").message.find("did you mean 'material'"), std::string::npos);
    EXPECT_NE(only("/instnces/ball/material", "null").message.find("did you mean 'instances'"), std::string::npos);
}

TEST_F(JsonOverride, WrongOnesAreReportedWithoutALine) {
    const SceneProblem value = only("/materials/wall/albedo", "1.5");
    EXPECT_EQ(value.pointer, "/materials/wall/albedo");
    EXPECT_EQ(value.line, 0U);
    EXPECT_NE(value.message.find("--set"), std::string::npos);
    EXPECT_NE(value.message.find("found 1.5"), std::string::npos);

    EXPECT_NE(only("/integratr/seed", "1").message.find("did you mean 'integrator'"), std::string::npos);
    EXPECT_NE(only("/integrator/sed", "1").message.find("did you mean 'seed'"), std::string::npos);
    EXPECT_NE(only("/materials/wal/albedo", "1").message.find("did you mean 'wall'"), std::string::npos);
    EXPECT_NE(only("/cameras/main/position/3", "1").message.find("3 elements"), std::string::npos);
    EXPECT_NE(only("/cameras/main/position/-1", "1").message.find("'-1'"), std::string::npos);
    EXPECT_NE(only("/cameras/main/position/00", "1").message.find("'00'"), std::string::npos);
    EXPECT_NE(only("/materials/wall/albedo/0", "1").message.find("found 0.5 at /materials/wall/albedo"),
              std::string::npos);
    EXPECT_NE(only("film/size", "1").message.find("a JSON pointer such as"), std::string::npos);
    EXPECT_NE(only("", "{}").message.find("a JSON pointer such as"), std::string::npos);
    EXPECT_NE(only("/film/exposure", "nan").message.find("found 'nan'"), std::string::npos);
    EXPECT_NE(only("/film", R"({"exposure": 1, "exposure": 2})").message.find("twice"), std::string::npos);
}

TEST_F(JsonOverride, DeepOnesAreCapped) {
    std::string pointer;
    for (int i = 0; i < 100'000; ++i) {
        pointer += "/a";
    }
    EXPECT_FALSE(problems(minimalScene(), {{pointer, "1"}}).empty());
    EXPECT_FALSE(problems(minimalScene(), {{"/film", std::string(100'000, '[')}}).empty());
    EXPECT_FALSE(problems(minimalScene(), {{"/film", std::string(1000, '[') + std::string(1000, ']')}}).empty());
}

TEST_F(JsonOverride, ProblemsElsewhereKeepTheirLines) {
    std::string text = minimalScene();
    text.replace(text.find("0.5"), 3, "1.5");
    const auto found = problems(text, {{"/film/exposure", "1"}});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].line, 4U);
    // A wrong value in the file that an override replaces is no problem.
    EXPECT_TRUE(problems(text, {{"/materials/wall/albedo", "1"}}).empty());
}

} // namespace
} // namespace aureole
