// Keys that mean nothing by themselves, and hints for keys and values that stand elsewhere in the format.

#include "json_test_util.h"

namespace aureole {
namespace {

struct Hint {
    const char* place;
    const char* value;
    const char* pointer;
    const char* message;
};

class JsonCompanions : public SceneJsonTest {
protected:
    void expectOne(const Hint& hint) const {
        const auto found = problems(minimalScene(), {{hint.place, hint.value}});
        ASSERT_EQ(found.size(), 1U) << hint.value << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, hint.pointer) << found[0].message;
        EXPECT_NE(found[0].message.find(hint.message), std::string::npos) << found[0].message;
    }
};

TEST_F(JsonCompanions, MaterialsNeedWhatTheirKeysSpeakOf) {
    const char* const kWall = "/materials/wall";
    for (const Hint& hint : {
             Hint{kWall, R"({ "lightGroup": "key" })", "/materials/wall/lightGroup", "expected 'emission'"},
             Hint{kWall, R"({ "emissionStrength": 2 })", "/materials/wall/emissionStrength", "without emission"},
             Hint{kWall, R"({ "metalness": 1, "clearcoatRoughness": 0.1 })", "/materials/wall/clearcoatRoughness",
                  "'clearcoat'"},
             Hint{kWall, R"({ "model": "thin-glass", "roughness": 0.1 })", "/materials/wall/roughness",
                  "'transmission'"},
             Hint{kWall, R"({ "normalGreenDown": true })", "/materials/wall/normalGreenDown", "'normalTexture'"},
             Hint{kWall, R"({ "normalScale": 0.5 })", "/materials/wall/normalScale", "without a normal map"},
             Hint{kWall, R"({ "alpha": 0.5 })", "/materials/wall/alpha", "'mask' or 'blend'"},
             Hint{kWall, R"({ "alpha": 0.5, "alphaMode": "opaque" })", "/materials/wall/alpha", "'mask' or 'blend'"},
             Hint{kWall, R"({ "alphaMode": "blend", "alphaCutoff": 0.5 })", "/materials/wall/alphaCutoff", "'mask'"},
             Hint{kWall, R"({ "alphaMode": "msak", "alpha": 0.5 })", "/materials/wall/alphaMode", "'mask'"},
         }) {
        expectOne(hint);
    }
    for (const char* good :
         {R"({ "emission": 0, "lightGroup": "key", "emissionStrength": 2 })",
          R"({ "alphaMode": "mask", "alpha": 0.5, "alphaCutoff": 0.2 })", R"({ "alphaMode": "blend", "alpha": 0.5 })",
          R"({ "metalness": 1, "clearcoat": 0.5, "clearcoatRoughness": 0.1 })",
          R"({ "model": "thin-glass", "transmission": 0.6, "roughness": 0.4 })"}) {
        EXPECT_EQ(join(problems(minimalScene(), {{kWall, good}})), "") << good;
    }
}

TEST_F(JsonCompanions, TheGroupDefaultIsNoGroupOfItsOwn) {
    const Scene scene = load(minimalScene(), {{"/materials/wall", R"({ "emission": 1, "lightGroup": "default" })"},
                                              {"/environment", R"({ "type": "constant", "lightGroup": "Default" })"}});
    EXPECT_EQ(scene.lightGroups, (std::vector<std::string>{"", "Default"}));
    EXPECT_EQ(scene.materials[0].lightGroup, 0U);
    EXPECT_EQ(scene.environment.lightGroup, 1U);
}

TEST_F(JsonCompanions, NoiseRaisesTheUsualNumberOfSamples) {
    const auto samples = [&](const char* integrator) {
        return load(minimalScene(), {{"/integrator", integrator}}).integrator.samplesPerPixel;
    };
    EXPECT_EQ(samples("{}"), 64U);
    EXPECT_EQ(samples(R"({ "noise": 0.1 })"), 65536U);
    EXPECT_EQ(samples(R"({ "noise": 0 })"), 64U);
    EXPECT_EQ(samples(R"({ "noise": 0.1, "samplesPerPixel": 100 })"), 100U);
}

TEST_F(JsonCompanions, ConflictsAreFoundOnceTheSceneLoads) {
    const std::vector<SceneOverride> overrides = {{"/integrator/sampler", "independent"},
                                                  {"/film/aovs", R"(["halves"])"}};
    const auto found = problems(minimalScene(), overrides);
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/film/aovs");
    EXPECT_NE(found[0].message.find("see /integrator/sampler"), std::string::npos) << found[0].message;
    EXPECT_TRUE(load(minimalScene(), overrides).film.aovs.has(Aov::Halves)) << "an option of render may still mend it";
}

TEST_F(JsonCompanions, HintsNameWhatStandsElsewhere) {
    const char* const kSky = "/environment";
    for (const Hint& hint : {
             Hint{"/lights", R"({ "l": { "type": "point", "position": [0, 0, 0], "unit": "lumen" } })",
                  "/lights/l/unit", "did you mean 'lm'?"},
             Hint{"/lights", R"({ "l": { "type": "point", "position": [0, 0, 0], "unit": "W/m2" } })", "/lights/l/unit",
                  "did you mean 'W/sr'?"},
             Hint{"/lights", R"({ "l": { "type": "directional", "direction": [0, 1, 0], "unit": "W/m^2" } })",
                  "/lights/l/unit", "did you mean 'W/m2'?"},
             Hint{"/lights", R"({ "l": { "type": "directional", "direction": [0, 0, 0] } })", "/lights/l/direction",
                  "found [0, 0, 0], which points nowhere"},
             Hint{"/lights", R"({ "l": { "type": "spot", "position": [0, 0, 0], "direction": [0, 1, 0],
                  "innerConeAngle": 30, "outerConeAngle": 20 } })",
                  "/lights/l/innerConeAngle", "'innerConeAngle' of 30 and an 'outerConeAngle' of 20"},
             Hint{kSky, R"({ "type": "constant", "sun": { "elevation": 30 } })", "/environment/sun/elevation",
                  "expected 'direction'"},
             Hint{kSky, R"({ "type": "sky", "model": "hosek-wilkie" })", "/environment", "tools/sky_figures.sh"},
         }) {
        expectOne(hint);
    }
}

} // namespace
} // namespace aureole
