// Reading Hosek and Wilkie's figures, and the scene's keys for them.

#include "sky/hosek_data.h"

#include <cmath>

#include <gtest/gtest.h>

#include "expect_has.h"
#include "hosek_files.h"
#include "integrator/environment_table.h"
#include "json_test_util.h"
#include "sky/hosek_sky.h"
#include "sky/sky_model.h"
#include "sky/spectrum.h"

namespace aureole {
namespace {

class HosekDataTest : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("data/sunsky_datasets.bin", whole);
    }
    sky::HosekData read() const { return sky::readHosekData(folder / "data" / sky::kHosekFile); }
    Environment environment(const std::string& more) const {
        return load(minimalScene(),
                    {{"/environment", R"({ "type": "sky", "model": "hosek-wilkie", "data": "data")" + more + "}"}})
            .environment;
    }
    std::string problemsOf(const std::string& value) const {
        return join(problems(minimalScene(), {{"/environment", value}}));
    }

    const std::string whole = mitsubaFile(madeUpTensors());
};

TEST_F(HosekDataTest, EveryFigureOfTheSkyHasItsPlace) {
    const sky::HosekData data = read();
    for (std::size_t channel = 0; channel < 3; ++channel) {
        std::size_t i = 0;
        for (std::size_t row = 0; row < 2 * 10 * 6; ++row) {
            const std::size_t albedo = row / 60;
            const std::size_t turbidity = row / 6 % 10;
            EXPECT_EQ(data.sky[channel].mean[row], madeUpMean(channel, albedo, turbidity, row % 6));
            for (std::size_t parameter = 0; parameter < 9; ++parameter, ++i) {
                ASSERT_EQ(data.sky[channel].distribution[i],
                          madeUpDistribution(channel, albedo, turbidity, row % 6, parameter));
            }
        }
    }
}

/// The spectral model summed where it stands: each wavelength between its bands, the disc ring by ring.
TEST_F(HosekDataTest, TheSunIsReducedToColours) {
    const sky::HosekData data = read();
    const auto darkening = [](std::size_t band, double cosine) {
        double value = 0.0;
        for (std::size_t power = 0; power < 6; ++power) {
            value += madeUpLimb(band, power) * std::pow(cosine, static_cast<double>(power));
        }
        return value;
    };
    for (const std::size_t turbidity : {0U, 4U, 9U}) {
        for (const std::size_t piece : {0U, 17U, 44U}) {
            for (const std::size_t coefficient : {0U, 1U, 3U}) {
                glm::dvec3 expected(0.0);
                for (int wavelength = 360; wavelength <= 720; ++wavelength) {
                    const auto band = static_cast<std::size_t>(wavelength == 720 ? 9 : (wavelength - 320) / 40);
                    const double share = (wavelength - 320) / 40.0 - static_cast<double>(band);
                    const double light = (1.0 - share) * madeUpSun(band, turbidity, piece, coefficient) +
                                         share * madeUpSun(band + 1, turbidity, piece, coefficient);
                    double disc = 0.0;
                    constexpr int kRings = 100;
                    for (int ring = 0; ring < kRings; ++ring) { // of even area
                        const double cosine = std::sqrt(1.0 - (ring + 0.5) / kRings);
                        disc += (1.0 - share) * darkening(band, cosine) + share * darkening(band + 1, cosine);
                    }
                    expected += sky::rec709Of(wavelength) * light * disc / double{kRings};
                }
                const std::size_t place = (turbidity * 45 + piece) * 4 + coefficient;
                for (int i = 0; i < 3; ++i) {
                    EXPECT_NEAR(data.sun[static_cast<std::size_t>(i)][place], expected[i], 1e-3 * glm::length(expected))
                        << turbidity << ' ' << piece << ' ' << coefficient << ' ' << i;
                }
            }
        }
    }
}

TEST_F(HosekDataTest, TheSceneTakesSkyAndSunFromTheModel) {
    const Environment sky = environment(
        R"(, "turbidity": 2.5, "groundAlbedo": [0.1, 0.5, 0.9], "scale": 3, "rotation": 20,
             "sun": { "elevation": 35, "azimuth": 50, "scale": 0.5 })");
    ASSERT_TRUE(sky.sky.hosek);
    ASSERT_TRUE(sky.sun);
    const glm::dvec3 sun = skyDirection(35.0, 30.0);
    EXPECT_LT(glm::length(sky.sun->direction - sun), 1e-12);
    const sky::HosekData data = read();
    EXPECT_LT(glm::length(sky.sun->irradiance - 1.5F * hosekSunIrradiance(data, 2.5, sun)),
              1e-5F * glm::length(sky.sun->irradiance));
    const HosekSky model(data, 2.5, {0.1F, 0.5F, 0.9F}, sun);
    const EnvironmentTable table = bakeEnvironment(sky, "");
    for (const glm::uvec2& texel : {glm::uvec2(3, 5), {256, 100}, {400, 127}, {10, 200}}) {
        const double turn = ((texel.x + 0.5) / table.size.x - 0.5) * 360.0;
        const double up = 90.0 - (texel.y + 0.5) / table.size.y * 180.0;
        const glm::vec3 expected = 3.0F * model.radiance(skyDirection(up, turn));
        EXPECT_LT(glm::length(table.radiances[texel.y * table.size.x + texel.x] - expected),
                  1e-4F * glm::length(expected))
            << texel.x << ' ' << texel.y;
    }
}

TEST_F(HosekDataTest, TheFileCountsForTheScenesHash) {
    const std::string key = R"({ "type": "sky", "model": "hosek-wilkie", "data": "data" })";
    const Scene before = load(minimalScene(), {{"/environment", key}});
    EXPECT_EQ(load(minimalScene(), {{"/environment", key}}).hash, before.hash);
    write("data/sunsky_datasets.bin", whole + "\n");
    EXPECT_NE(load(minimalScene(), {{"/environment", key}}).hash, before.hash);
}

TEST_F(HosekDataTest, WrongKeysAreNamed) {
    const std::string begin = R"({ "type": "sky", "model": "hosek-wilkie")";
    expectHas(problemsOf(begin + "}"), "'data'");
    expectHas(problemsOf(begin + R"(, "data": "" })"), "/environment/data: empty file name");
    expectHas(problemsOf(begin + R"(, "data": "dat" })"), "/environment/data: 'dat/sunsky_datasets.bin'");
    expectHas(problemsOf(begin + R"(, "data": "/data" })"), "/environment/data: found the absolute path");
    expectHas(problemsOf(begin + R"(, "data": "../data" })"), "leaves the scene folder");
    expectHas(problemsOf(begin + R"(, "data": "data", "sun": { "elevation": -1 } })"),
              "/environment/sun/elevation: found -1");
    expectHas(problemsOf(begin + R"(, "data": "data", "sun": { "direction": [1, -0.1, 0] } })"),
              "/environment/sun/direction: found an array of 3, expected one that is not below the horizon");
    expectHas(problemsOf(R"({ "type": "sky", "data": "data" })"), "data");
    expectHas(problemsOf(R"({ "type": "sky", "model": "hosek", "data": "data" })"),
              "/environment/model: found 'hosek'");
    write("data/sunsky_datasets.bin", whole.substr(0, 100));
    expectHas(problemsOf(begin + R"(, "data": "data" })"), "/environment/data: ");
    expectHas(problemsOf(begin + R"(, "data": "data" })"), "truncated");
}

TEST_F(HosekDataTest, TheSimulatedSkyIsTheDefault) {
    const auto with = [&](const char* key) { return load(minimalScene(), {{"/environment", key}}).environment; };
    const Environment plain = with(R"({ "type": "sky" })");
    const Environment named = with(R"({ "type": "sky", "model": "simulated" })");
    EXPECT_FALSE(plain.sky.hosek);
    EXPECT_FALSE(named.sky.hosek);
    EXPECT_EQ(plain.sun->irradiance, named.sun->irradiance);
}

} // namespace
} // namespace aureole
