// What a scene file says of cameras, their exposure and their animation.

#include <cmath>

#include "core/error.h"
#include "json_test_util.h"
#include "scene/animation.h"
#include "scene/exposure.h"

namespace aureole {
namespace {

class CameraSettings : public SceneJsonTest {
protected:
    Scene with(const std::string& camera, const std::string& animation = "") {
        std::vector<SceneOverride> overrides = {{"/cameras/main", camera}};
        if (!animation.empty()) {
            overrides.emplace_back("/animation", animation);
        }
        return load(minimalScene(), overrides);
    }
    double stops(const std::string& camera) {
        const Scene scene = with(camera);
        return exposureStops(scene.film, scene.cameras[0]).value();
    }
    static void expectNear(const glm::dvec3& found, const glm::dvec3& expected, double tolerance = 1e-9) {
        EXPECT_LT(glm::length(found - expected), tolerance) << found.x << ' ' << found.y << ' ' << found.z;
    }
};

const char* const kPlace = R"("position": [0, 0, 5], "target": [0, 0, 0])";

std::string camera(const std::string& keys) {
    return std::string("{") + kPlace + (keys.empty() ? "" : ", ") + keys + "}";
}

TEST_F(CameraSettings, FNumberGivesTheAperture) {
    // 24 mm of sensor under 2 atan(1/4) degrees: 48 mm of focal length, 12 mm of diameter at f/4.
    const std::string fov = "\"verticalFov\": " + std::to_string(2.0 * std::atan(0.25) * 180.0 / kPi);
    EXPECT_NEAR(with(camera(fov + R"(, "fNumber": 4)")).cameras[0].apertureRadius, 0.006, 1e-8);
    EXPECT_NEAR(with(camera(fov + R"(, "fNumber": 4, "sensorHeight": 12)")).cameras[0].apertureRadius, 0.003, 1e-8);
    const std::string photograph = R"(, "fNumber": 4, "shutter": 0.01)";
    EXPECT_EQ(with(camera(fov + photograph + R"(, "apertureRadius": 0)")).cameras[0].apertureRadius, 0.0);
    EXPECT_EQ(with(camera(R"("projection": "orthographic", "height": 2)" + photograph)).cameras[0].apertureRadius, 0.0);
    EXPECT_EQ(with(camera("")).cameras[0].apertureRadius, 0.0);
}

/// A grey card under the sun: 18 % of 128 klx (EV 15, by the incident light meter's 250) is near 18 % of the film.
TEST_F(CameraSettings, PhotographsAreExposedAsLagardeAndDeRousiersHaveIt) {
    EXPECT_NEAR(exposureValue100({16.0, 0.01, 100.0}), std::log2(25600.0), 1e-12);
    EXPECT_NEAR(exposureValue100({1.0, 1.0, 100.0}), 0.0, 1e-12);
    EXPECT_NEAR(exposureValue100({1.0, 1.0, 400.0}), -2.0, 1e-12);
    const double found = stops(camera(R"("fNumber": 16, "shutter": 0.01, "iso": 100)"));
    // 1.2 * 2^EV100 cd/m^2 saturate.
    const double radiance = 1.2 * 25600.0 / 683.0;
    EXPECT_NEAR(radiance * std::exp2(found), 1.0, 1e-9);
    EXPECT_NEAR(stops(camera(R"("fNumber": 16, "shutter": 0.01)")), found, 1e-12) << "ISO 100";
    EXPECT_NEAR(stops(camera(R"("fNumber": 16, "shutter": 0.02, "iso": 200)")), found + 2.0, 1e-9);
    EXPECT_NEAR(stops(camera(R"("fNumber": 16, "shutter": 0.01, "exposure": -1.5)")), found - 1.5, 1e-9);
    EXPECT_EQ(stops(camera(R"("exposure": 2.5)")), 2.5);
    Scene scene = with(camera(""));
    scene.film.exposure = 0.75;
    EXPECT_EQ(exposureStops(scene.film, scene.cameras[0]), 0.75);
}

TEST_F(CameraSettings, TurntableGoesAroundItsAxis) {
    const Scene scene = with(camera(""), R"({ "turntable": { "frames": 8 } })");
    ASSERT_EQ(scene.animation->frames, 8U);
    expectNear(cameraAtFrame(scene, 0).position, {0, 0, 5});
    expectNear(cameraAtFrame(scene, 2).position, {5, 0, 0});
    expectNear(cameraAtFrame(scene, 4).position, {0, 0, -5});
    expectNear(cameraAtFrame(scene, 7).up, {0, 1, 0});
    const Scene tilted =
        with(camera(""), R"({ "turntable": { "frames": 4, "centre": [1, 0, 5], "axis": [2, 0, 0], "degrees": 180 } })");
    // In the plane x = 0, about (y, z) = (0, 5): the camera stays, and its target and up turn.
    const Camera turned = cameraAtFrame(tilted, 2);
    expectNear(turned.position, {0, 0, 5});
    expectNear(turned.target, {0, 5, 5});
    expectNear(turned.up, {0, 0, 1});
}

const char* const kPath = R"({ "path": { "interpolation": "MODE", "keys": [
    { "frame": 2, "position": [0, 0, 10], "verticalFov": 20 },
    { "frame": 4, "position": [4, 0, 10], "verticalFov": 40 },
    { "frame": 8, "position": [4, 0, 10], "target": [0, 0, 0], "verticalFov": 60 },
    { "frame": 12, "position": [4, 16, 10], "target": [0, 1, 0], "verticalFov": 60, "focusDistance": 2 } ] } })";

std::string path(const std::string& mode) {
    std::string text = kPath;
    return text.replace(text.find("MODE"), 4, mode);
}

TEST_F(CameraSettings, PathsGoThroughTheirKeys) {
    for (const char* mode : {"linear", "catmull-rom"}) {
        const Scene scene = with(camera(R"("apertureRadius": 0.1)"), path(mode));
        ASSERT_EQ(scene.animation->frames, 13U) << "the last key's is the last frame";
        for (const CameraKey& key : scene.animation->keys) {
            const Camera found = cameraAtFrame(scene, key.frame);
            expectNear(found.position, key.position);
            expectNear(found.target, key.target);
            EXPECT_NEAR(found.verticalFov, key.verticalFov, 1e-9);
        }
        expectNear(cameraAtFrame(scene, 0).position, {0, 0, 10});
        // It stands still between equal keys, whatever comes next.
        expectNear(cameraAtFrame(scene, 6).position, {4, 0, 10});
        EXPECT_NEAR(cameraAtFrame(scene, 6).verticalFov, 50.0, 1e-9);
        // Focus on the target, then nearer.
        EXPECT_NEAR(cameraAtFrame(scene, 2).focusDistance, 10.0, 1e-9);
        EXPECT_NEAR(cameraAtFrame(scene, 12).focusDistance, 2.0, 1e-9);
    }
    const Scene linear = with(camera(R"("fNumber": 2)"), path("linear"));
    expectNear(cameraAtFrame(linear, 9).position, {4, 4, 10});
    EXPECT_NEAR(cameraAtFrame(linear, 3).verticalFov, 30.0, 1e-9);
}

/// Points of a circle at even frames: a spline stays near the circle, straight lines cut the corners. On a line at even
/// speed both stay on it.
TEST_F(CameraSettings, SplinesAreSmooth) {
    std::string keys;
    for (int i = 0; i <= 8; ++i) {
        const double angle = i * kPi / 4.0;
        keys += std::string(i == 0 ? "" : ", ") + "{ \"frame\": " + std::to_string(i * 10) + ", \"position\": [" +
                std::to_string(10.0 * std::cos(angle)) + ", 0, " + std::to_string(10.0 * std::sin(angle)) + "] }";
    }
    const auto deviation = [&](const std::string& mode) {
        const Scene scene =
            with(camera(""), R"({ "path": { "interpolation": ")" + mode + R"(", "keys": [)" + keys + "]}}");
        double worst = 0.0;
        for (std::uint32_t frame = 10; frame <= 70; ++frame) {
            worst = std::max(worst, std::abs(glm::length(cameraAtFrame(scene, frame).position) - 10.0));
        }
        return worst;
    };
    EXPECT_LT(deviation("catmull-rom"), 0.1);
    EXPECT_NEAR(deviation("linear"), 10.0 * (1.0 - std::cos(kPi / 8.0)), 1e-3);
    const Scene straight = with(camera(""), R"({ "path": { "keys": [ { "frame": 0, "position": [0, 0, 5] },
        { "frame": 10, "position": [1, 0, 5] }, { "frame": 20, "position": [2, 0, 5] } ] } })");
    expectNear(cameraAtFrame(straight, 3).position, {0.3, 0, 5});
    expectNear(cameraAtFrame(straight, 17).position, {1.7, 0, 5});
}

TEST_F(CameraSettings, AnAnimationThatLooksAlongItsUpIsAnError) {
    const Scene scene = with(camera(""), R"({ "path": { "keys": [ { "frame": 0 },
        { "frame": 2, "position": [0, 5, 0] } ] } })");
    EXPECT_NO_THROW(cameraAtFrame(scene, 1));
    try {
        cameraAtFrame(scene, 2);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        for (const char* part : {"scene.json", "frame 2", "'main'", "'up'"}) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
}

struct BadCamera {
    const char* keys;
    const char* pointer;
    const char* message;
};

TEST_F(CameraSettings, NonsenseIsRefused) {
    const BadCamera kBad[] = {
        {R"("apertureRadius": 1, "blades": 2)", "/cameras/main/blades", "0 or a whole number from 3 to 16"},
        {R"("apertureRadius": 1, "blades": 17)", "/cameras/main/blades",
         "found 17, expected 0 or a whole number from 3 to 16"},
        {R"("fNumber": 2, "blades": 5.5)", "/cameras/main/blades", "0 or a whole number from 3 to 16"},
        {R"("projection": "ortho")", "/cameras/main/projection", "'orthographic'"},
        {R"("projection": "orthographic")", "/cameras/main", "'height'"},
        {R"("projection": "orthographic", "height": 0)", "/cameras/main/height", "found 0"},
        {R"("projection": "orthographic", "height": 2, "verticalFov": 30)", "/cameras/main/verticalFov",
         "'verticalFov'"},
        {R"("height": 2)", "/cameras/main/height", "'orthographic' only"},
        {R"("projection": "equirectangular", "apertureRadius": 0.1)", "/cameras/main/apertureRadius", "no lens"},
        {R"("fNumber": 0)", "/cameras/main/fNumber", "0.1 to 1000"},
        {R"("shutter": 0, "fNumber": 2)", "/cameras/main/shutter", "found 0"},
        {R"("shutter": 0.01)", "/cameras/main", "without 'fNumber'"},
        {R"("iso": 100, "fNumber": 2)", "/cameras/main", "without 'shutter'"},
        {R"("fNumber": 2, "focusDistance": -1)", "/cameras/main/focusDistance", "found -1"},
    };
    for (const BadCamera& bad : kBad) {
        const auto found = problems(minimalScene(), {{"/cameras/main", camera(bad.keys)}});
        ASSERT_EQ(found.size(), 1U) << bad.keys << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, bad.pointer) << found[0].message;
        EXPECT_NE(found[0].message.find(bad.message), std::string::npos) << found[0].message;
    }
    const BadCamera kBadAnimations[] = {
        {R"({})", "/animation", "found none of"},
        {R"({ "turntable": { "frames": 2 }, "path": { "keys": [{ "frame": 0 }] } })", "/animation", "found both of"},
        {R"({ "camera": "mian", "turntable": { "frames": 2 } })", "/animation/camera", "did you mean 'main'"},
        {R"({ "turntable": {} })", "/animation/turntable", "'frames'"},
        {R"({ "turntable": { "frames": 0 } })", "/animation/turntable/frames", "found 0"},
        {R"({ "turntable": { "frames": 2, "axis": [0, 0, 0] } })", "/animation/turntable/axis", "length above 0"},
        {R"({ "path": { "keys": [] } })", "/animation/path/keys", "at least one key"},
        {R"({ "path": { "keys": [{ "frame": 3 }, { "frame": 3 }] } })", "/animation/path/keys/1", "after frame 3"},
        {R"({ "path": { "keys": [{ "position": [0, 0, 1] }] } })", "/animation/path/keys/0", "'frame'"},
        {R"({ "values": { "/bloom/sharpn": [[0, 1]] } })", "/animation/values/~1bloom~1sharpn", "/bloom/sharpen"},
        {R"({ "values": { "/bloom/padding": [[0, 1]] } })", "/animation/values/~1bloom~1padding", "number"},
        {R"({ "values": { "/finish/grain/size": [[0, 1]] } })", "/animation/values/~1finish~1grain~1size", "number"},
    };
    for (const BadCamera& bad : kBadAnimations) {
        const auto found = problems(minimalScene(), {{"/animation", bad.keys}});
        ASSERT_EQ(found.size(), 1U) << bad.keys << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, bad.pointer) << found[0].message;
        EXPECT_NE(found[0].message.find(bad.message), std::string::npos) << found[0].message;
    }
}

/// A key that changes nothing is a slip, and is said to be one.
TEST_F(CameraSettings, KeysWithoutEffectAreRefused) {
    const BadCamera kBad[] = {
        {R"("blades": 6)", "/cameras/main/blades", "of a pinhole, expected 'apertureRadius' or 'fNumber'"},
        {R"("focusDistance": 2)", "/cameras/main/focusDistance", "of a pinhole"},
        {R"("bladeRotation": 2)", "/cameras/main/bladeRotation", "of a pinhole"},
        {R"("fNumber": 2, "bladeRotation": 2)", "/cameras/main/bladeRotation", "expected 'blades' beside it"},
        {R"("sensorHeight": 36)", "/cameras/main/sensorHeight", "without 'fNumber'"},
        {R"("fNumber": 2, "shutter": 1, "apertureRadius": 0.1, "sensorHeight": 36)", "/cameras/main/sensorHeight",
         "beside 'apertureRadius'"},
        {R"("fNumber": 2, "apertureRadius": 0.1)", "/cameras/main/fNumber", "expected 'shutter'"},
        {R"("projection": "orthographic", "height": 2, "fNumber": 2)", "/cameras/main/fNumber", "expected 'shutter'"},
        {R"("projection": "orthographic", "height": 2, "sensorHeight": 24)", "/cameras/main/sensorHeight",
         "'perspective' only"},
        {R"("projection": "orthographic", "height": 2, "blades": 5)", "/cameras/main/blades",
         "expected 'apertureRadius' beside it"},
        {R"("projection": "equirectangular", "fNumber": 2)", "/cameras/main/fNumber", "expected 'shutter'"},
        {R"("projection": "equirectangular", "blades": 5)", "/cameras/main/blades", "no lens"},
    };
    for (const BadCamera& bad : kBad) {
        const auto found = problems(minimalScene(), {{"/cameras/main", camera(bad.keys)}});
        ASSERT_EQ(found.size(), 1U) << bad.keys << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, bad.pointer) << found[0].message;
        EXPECT_NE(found[0].message.find(bad.message), std::string::npos) << found[0].message;
    }
    for (const char* good : {R"("apertureRadius": 0, "blades": 6, "bladeRotation": 3, "focusDistance": 2)",
                             R"("fNumber": 2, "sensorHeight": 36, "focusDistance": 2)",
                             R"("projection": "orthographic", "height": 2, "apertureRadius": 0.1, "blades": 5)"}) {
        EXPECT_EQ(join(problems(minimalScene(), {{"/cameras/main", camera(good)}})), "") << good;
    }
}

TEST_F(CameraSettings, KeysOfPathsAreThoseOfTheCamera) {
    const auto pathOf = [](const std::string& key) {
        return R"({ "path": { "keys": [{ "frame": 0 }, { "frame": 2, )" + key + " }] } }";
    };
    const std::string kOrthographic = R"("projection": "orthographic", "height": 2)";
    const std::array<std::array<std::string, 4>, 6> cases = {{
        {"", R"("height": 3)", "/animation/path/keys/1/height", "'orthographic'"},
        {"", R"("focusDistance": 3)", "/animation/path/keys/1/focusDistance", "'apertureRadius' or 'fNumber'"},
        {kOrthographic, R"("verticalFov": 30)", "/animation/path/keys/1/verticalFov", "'perspective'"},
        {kOrthographic, R"("height": 3)", "", ""},
        {"", R"("verticalFov": 30)", "", ""},
        {R"("apertureRadius": 0)", R"("focusDistance": 3)", "", ""},
    }};
    for (const auto& [keys, key, pointer, message] : cases) {
        const auto found = problems(minimalScene(), {{"/cameras/main", camera(keys)}, {"/animation", pathOf(key)}});
        ASSERT_EQ(found.size(), pointer.empty() ? 0U : 1U) << keys << ' ' << key << '\n' << join(found);
        if (!pointer.empty()) {
            EXPECT_EQ(found[0].pointer, pointer);
            EXPECT_NE(found[0].message.find(message), std::string::npos) << found[0].message;
        }
    }
}

TEST_F(CameraSettings, SamplersAndFilters) {
    const Scene plain = load(minimalScene());
    EXPECT_EQ(plain.integrator.sampler, SamplerKind::Sobol);
    EXPECT_EQ(plain.integrator.sampling, DirectionSampling::Bsdf);
    const Scene scene = load(minimalScene(), {{"/integrator", R"({ "sampler": "independent", "sampling": "uniform" })"},
                                              {"/film/filter", "triangle"}});
    EXPECT_EQ(scene.integrator.sampler, SamplerKind::Independent);
    EXPECT_EQ(scene.integrator.sampling, DirectionSampling::Uniform);
    EXPECT_EQ(scene.film.filter, PixelFilter::Triangle);
    EXPECT_EQ(scene.film.filterRadius, 1.0);
    EXPECT_EQ(load(minimalScene(), {{"/film/filter", "gaussian"}}).film.filterRadius, 1.5);
    const auto found = problems(minimalScene(), {{"/integrator/sampler", "sobel"}, {"/film/filter", "mitchell"}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NE(join(found).find("did you mean 'sobol'"), std::string::npos);
}

} // namespace
} // namespace aureole
