#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scene/load.h"
#include "scene/scene_conflicts.h"
#include "test_files.h"

namespace aureole {

/// The repository's scenes.
inline std::filesystem::path scenesFolder() {
    return testFile(AUREOLE_SCENES_FOLDER);
}

/// What 'aureole validate' finds wrong with a scene, but for what lies above the module of scenes.
inline std::vector<SceneProblem> problemsOf(const std::filesystem::path& file,
                                            const std::vector<SceneOverride>& overrides) {
    return checkScene(file, overrides).problems;
}

/// A folder of its own for each test, with a scene file in it. Those that killed runs left behind go as well.
class SceneJsonTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override { std::filesystem::remove_all(folder); }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::filesystem::path path = folder / name;
        std::filesystem::create_directories(path.parent_path());
        // A new file: some file systems wait for the disk when one is truncated.
        std::filesystem::remove(path);
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    Scene load(const std::string& text, const std::vector<SceneOverride>& overrides = {}) const {
        write("scene.json", text);
        return loadScene(sceneFile, overrides);
    }
    std::vector<SceneProblem> problems(const std::string& text,
                                       const std::vector<SceneOverride>& overrides = {}) const {
        write("scene.json", text);
        return problemsOf(sceneFile, overrides);
    }

    std::filesystem::path folder;
    std::filesystem::path sceneFile;
};

/// All problems in one text, for failure messages.
inline std::string join(const std::vector<SceneProblem>& problems) {
    std::string text;
    for (const SceneProblem& problem : problems) {
        text += describeProblem("scene.json", problem) + "\n";
    }
    return text;
}

/// The least that is a scene, one key to a line: "instances" on line 3, "materials" on line 4, "cameras" on line 5.
inline std::string minimalScene() {
    return R"({ "version": 1,
  "assets": { "ball": { "sphere": { "subdivisions": 0 } } },
  "instances": { "ball": { "asset": "ball", "material": "wall" } },
  "materials": { "wall": { "albedo": 0.5 } },
  "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } }
})";
}

/// Every byte of a small grey PNG: 1x1 pixel, 8 bits, value 0x80.
inline std::string tinyPng() {
    constexpr unsigned char kBytes[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
        0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00,
        0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x68, 0x00, 0x00, 0x00, 0x82, 0x00, 0x81,
        0x77, 0xcd, 0x72, 0xb6, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)};
}

/// A scene that uses everything the format has: each object, and each kind of asset, light and environment that one
/// file can hold. Refers to texture.png; `environment` replaces that object.
std::string fullScene(const std::string& environment);

inline const char* const kGradientEnvironment =
    R"({ "type": "gradient", "fog": { "scattering": [0.1, 0.2, 0.3], "absorption": 0.05, "anisotropy": 0.5, "height": 3 },
         "zenith": [0.2, 0.3, 0.9], "horizon": 1, "ground": "#404040",
         "softboxes": { "key": { "direction": [0, 3, 4], "angularDiameter": 25, "irradiance": [2, 1.5, 1] } },
         "sun": { "direction": [1, 2, 3], "angularDiameter": 2, "irradiance": [3, 2.5, 2], "lightGroup": "sun" } })";
inline const char* const kConstantEnvironment =
    R"({ "type": "constant", "radiance": 0.25, "scale": 0.5, "lightGroup": "sky", "fog": { "absorption": 2 } })";
inline const char* const kSkyEnvironment =
    R"({ "type": "sky", "model": "simulated", "turbidity": 4, "groundAlbedo": [0.1, 0.2, 0.3], "rotation": 30, "scale": 2, "lightGroup": "sky",
         "sun": { "elevation": 20, "azimuth": 75, "enabled": true, "angularDiameter": 0.6, "scale": 0.5,
                  "lightGroup": "sun" }, "fog": { "scattering": 1 } })";
/// Needs the file of hosek_files.h in the folder "sky".
inline const char* const kHosekEnvironment =
    R"({ "type": "sky", "model": "hosek-wilkie", "data": "sky", "turbidity": 4, "groundAlbedo": [0.1, 0.2, 0.3],
         "rotation": 30, "scale": 2, "lightGroup": "sky",
         "sun": { "elevation": 20, "azimuth": 75, "enabled": true, "angularDiameter": 0.6, "scale": 0.5,
                  "lightGroup": "sun" }, "fog": { "scattering": 1 } })";
inline const char* const kImageEnvironment =
    R"({ "type": "image", "file": "texture.png", "rotation": 30, "scale": 2, "fog": { "scattering": 1 } })";

/// The settings, cameras, lights, materials and geometry of a scene as text: equal texts mean equal scenes.
std::string summary(const Scene& scene);

} // namespace aureole
