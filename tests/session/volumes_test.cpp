// Scenes with smoke by the program itself: checkpoints go on, and denoisers know it by its layers.

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli_test.h"
#include "full_sweep.h"
#include "image/exr/exr.h"
#include "volume_files.h"

namespace aureole {

namespace {

/// A ball of smoke of 3.5 m, half in the floor that a sun and a sky light, seen from above.
constexpr const char* kScene = R"({
    "version": 1,
    "materials": {"floor": {"albedo": [0.2, 0.4, 0.6]}},
    "assets": {
        "smoke": {"volume": {"file": "smoke.nvdb", "density": 2, "albedo": [0.9, 0.6, 0.3], "anisotropy": 0.4}},
        "floor": {"box": {"min": [-9, -1, -9], "max": [9, 0, 9]}}
    },
    "instances": {
        "smoke": {"asset": "smoke", "translate": [-1, -2, -3]}, "floor": {"asset": "floor", "material": "floor"}
    },
    "cameras": {"above": {"position": [0, 12, 0], "target": [0, 0, 0], "up": [0, 0, -1], "verticalFov": 50}},
    "environment": {"type": "constant", "radiance": 0.3,
                    "sun": {"direction": [1, 2, 0.5], "irradiance": [4, 3, 2], "angularDiameter": 5}},
    "film": {"size": [24, 16], "filter": "box"},
    "voxels": {"resolution": 32}
})";

class VolumesTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        std::vector<glm::ivec3> leaves;
        for (int i = 0; i < 8; ++i) {
            leaves.push_back(glm::ivec3(-8) + 8 * glm::ivec3(i & 1, i >> 1 & 1, i >> 2));
        }
        const auto ball = [](const glm::dvec3& point) { return std::max(0.0, 1.0 - glm::length(point) / 7.0); };
        write("smoke.nvdb", test::makeNvdb(leaves, ball, true));
        scene_ = write("scene.json", kScene);
    }

    Image rendered(const Arguments& options) const {
        Arguments arguments = {"render", scene_, "-o", path("out.exr"), "--progress", "none"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path("out.exr"));
    }

    std::string scene_;
};

TEST_F(VolumesTest, ResumedRendersAreThoseInOneGo) {
    const std::vector<const char*> backends = {"reference", "gpu"};
    for (const std::string backend : fullSweep() ? backends : std::vector{backends.front()}) {
        const std::string checkpoint = path(backend + ".ckpt");
        const auto to = [&](const std::string& spp, Arguments options) {
            options.insert(options.end(), {"--backend", backend, "--aov", "all", "--spp", spp});
            return rendered(options);
        };
        const Image whole = to("12", {});
        to("9", {"--checkpoint", checkpoint}); // of a device, which keeps whole batches, 8
        const Image resumed = to("12", {"--resume", checkpoint});
        ASSERT_EQ(resumed.channels.size(), whole.channels.size());
        for (std::size_t i = 0; i < whole.channels.size(); ++i) {
            EXPECT_EQ(resumed.channels[i].values, whole.channels[i].values) << whole.channels[i].name;
        }
    }
}

/// Of the mean of a render's pixels, the relative squared error.
double errorOf(const Image& image, const Image& truth) {
    double sum = 0.0;
    for (const char* channel : {"R", "G", "B"}) {
        const std::vector<float>& expected = truth.find(channel)->values;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double difference = double{image.find(channel)->values[i]} - double{expected[i]};
            sum += difference * difference / (double{expected[i]} * double{expected[i]} + 0.01);
        }
    }
    return sum / (3.0 * static_cast<double>(truth.pixelCount()));
}

/// The denoiser's own filter, told by smoke's albedo, normal and depth where it is thick or thin.
TEST_F(VolumesTest, SmokeIsDenoised) {
    const Image truth = rendered({"--backend", "reference", "--spp", fullSweep() ? "4096" : "256", "--seed", "7"});
    const Image noisy = rendered({"--backend", "reference", "--spp", "8", "--aov", "albedo,normal,depth"});
    const Image clean = rendered({"--backend", "reference", "--spp", "8", "--denoise", "builtin"});
    EXPECT_LT(errorOf(clean, truth), 0.5 * errorOf(noisy, truth)) << errorOf(noisy, truth);
    // In its middle hardly a ray gets through; beside it there is the floor.
    const std::size_t middle = 24 * 8 + 12;
    EXPECT_NEAR(noisy.find("albedo.R")->values[middle], 0.9, 0.1);
    EXPECT_NEAR(noisy.find("albedo.B")->values[middle], 0.3, 0.05);
    EXPECT_NEAR(noisy.find("albedo.R")->values[0], 0.2, 0.02);
    EXPECT_LT(noisy.find("depth.Z")->values[middle], 11.5);
    EXPECT_NEAR(noisy.find("depth.Z")->values[0], 12.0, 0.01);
}

/// Temperatures that nobody sees are told: a file may have them from 0 to 1.
TEST_F(VolumesTest, TemperaturesTooColdToGlowAreTold) {
    const auto said = [&](const char* scale) {
        return expectDone({"validate", scene_, "--set",
                           std::string(R"(/assets/smoke/volume/temperature={"grid":"ball","scale":)") + scale + "}"})
            .err;
    };
    const std::string cold = said("10");
    EXPECT_NE(cold.find("smoke.nvdb: grid 'ball': found 10 K at most, by its largest value 1 and the scale 10"),
              std::string::npos)
        << cold;
    EXPECT_EQ(said("2000"), "");
}

} // namespace

} // namespace aureole
