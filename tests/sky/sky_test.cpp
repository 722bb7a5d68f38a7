#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "integrator/environment_table.h"
#include "json_test_util.h"
#include "sky/sky_model.h"

namespace aureole {
namespace {

double luminanceOf(const glm::vec3& c) {
    return 0.2126 * double{c.x} + 0.7152 * double{c.y} + 0.0722 * double{c.z};
}

/// CIE x, y and Y.
struct Chromaticity {
    double x;
    double y;
    double luminance;
};

Chromaticity chromaticityOf(const glm::vec3& c) {
    const double x = 0.4124564 * c.x + 0.3575761 * c.y + 0.1804375 * c.z;
    const double y = 0.2126729 * c.x + 0.7151522 * c.y + 0.0721750 * c.z;
    const double z = 0.0193339 * c.x + 0.1191920 * c.y + 0.9503041 * c.z;
    return {x / (x + y + z), y / (x + y + z), y};
}

/// Air mass by Kasten and Young (1989), elevation in degrees.
double airMass(double elevation) {
    return 1.0 / (std::sin(glm::radians(elevation)) + 0.50572 * std::pow(elevation + 6.07995, -1.6364));
}

/// Clean air dims sunlight by its thickness times the air mass.
TEST(Sky, SunlightFollowsTheAirMass) {
    for (const double elevation : {90.0, 60.0, 30.0, 15.0, 8.0}) {
        const sky::Spectrum direct = spectralSunIrradiance(1.0, skyDirection(elevation, 0.0));
        for (const std::size_t band : {0U, 2U, 4U}) { // 380, 420 and 460 nm, where ozone hardly absorbs
            const double um = sky::wavelengthOf(band) / 1000.0;
            const double thickness =
                0.008569 * std::pow(um, -4.0) * (1.0 + 0.0113 / (um * um) + 0.00013 / std::pow(um, 4.0));
            const double found = -std::log(direct[band] / sky::Atmosphere::solarIrradiance()[band]);
            EXPECT_NEAR(found / (thickness * airMass(elevation)), 1.0, 0.015) << elevation << " band " << band;
        }
    }
}

/// Turbidity is the thickness with haze over that without, at 550 nm: between two bands.
TEST(Sky, HazeDimsAsTurbiditySays) {
    for (const double turbidity : {2.0, 5.0, 10.0}) {
        const glm::dvec3 zenith(0.0, 1.0, 0.0);
        const sky::Spectrum clear = spectralSunIrradiance(1.0, zenith);
        const sky::Spectrum hazy = spectralSunIrradiance(turbidity, zenith);
        const double haze = 0.5 * (std::log(clear[8] / hazy[8]) + std::log(clear[9] / hazy[9])); // 540 and 560 nm
        EXPECT_NEAR(haze / 0.0973, turbidity - 1.0, 0.02 * (turbidity - 1.0));
    }
}

/// Over black ground no more light comes down than came in, and in clean air a fair half of what the beam
/// lost, since blue light is scattered down about as much as up.
TEST(Sky, LightIsNeitherMadeNorLost) {
    for (const double elevation : {80.0, 20.0, 8.0}) {
        for (const double turbidity : {1.0, 8.0}) {
            const glm::dvec3 sun = skyDirection(elevation, 30.0);
            const SkyModel model(turbidity, glm::vec3(0.0F), sun);
            const sky::Spectrum direct = spectralSunIrradiance(turbidity, sun);
            for (std::size_t i = 0; i < sky::kBands; ++i) {
                const double incoming = sky::Atmosphere::solarIrradiance()[i] * sun.y;
                const double lost = incoming - direct[i] * sun.y;
                const double share = model.skyIrradiance()[i] / lost;
                EXPECT_LT(share, 1.0) << elevation << ' ' << turbidity << ' ' << i;
                if (i < 6 && turbidity == 1.0) {
                    EXPECT_GT(share, 0.35) << elevation << ' ' << turbidity << ' ' << i;
                }
            }
        }
    }
}

/// By 1 / (1 - albedo * s) in clean air, whose spherical albedo s is some 0.08 for visible light.
TEST(Sky, BrightGroundBrightensTheDay) {
    const glm::dvec3 sun = skyDirection(60.0, 0.0);
    const double direct = luminanceOf(sunIrradiance(1.0, sun)) * sun.y;
    const double black = luminanceOf(sky::toRec709(SkyModel(1.0, glm::vec3(0.0F), sun).skyIrradiance()));
    const double snow = luminanceOf(sky::toRec709(SkyModel(1.0, glm::vec3(0.9F), sun).skyIrradiance()));
    EXPECT_NEAR((direct + snow) / (direct + black), 1.0 / (1.0 - 0.9 * 0.08), 0.015);
}

TEST(Sky, BrightGroundBrightensHaze) {
    const glm::dvec3 sun = skyDirection(40.0, 0.0);
    const glm::vec3 black = sky::toRec709(SkyModel(3.0, glm::vec3(0.0F), sun).skyIrradiance());
    const glm::vec3 snow = sky::toRec709(SkyModel(3.0, glm::vec3(0.9F), sun).skyIrradiance());
    EXPECT_GT(luminanceOf(snow), 1.1 * luminanceOf(black));
    EXPECT_LT(luminanceOf(snow), 2.0 * luminanceOf(black));
}

/// What the published implementation of Hosek and Wilkie's model ("An Analytic Model for Full Spectral Sky-Dome
/// Radiance", 2012) gives at turbidity 2 and a ground albedo of 0.3: another model, by other means. Colours agree
/// within 0.04 in x and y, luminances away from the sun within a factor of 2.7 (theirs are higher), the
/// irradiance of level ground within a tenth; near the sun, where theirs has less
/// haze, they are not compared.
TEST(Sky, IsNearHosekAndWilkie) {
    struct Figure {
        double sunElevation;
        double elevation;
        double azimuth; // from the sun
        double luminance;
        double x;
        double y;
    };
    const Figure figures[] = {
        {60, 90, 0, 4.881, 0.237, 0.239},   {60, 45, 90, 5.922, 0.235, 0.243},  {60, 45, 180, 5.186, 0.231, 0.238},
        {60, 10, 0, 18.138, 0.258, 0.277},  {60, 10, 90, 14.687, 0.254, 0.273}, {60, 10, 180, 15.156, 0.253, 0.272},
        {60, 2, 0, 23.987, 0.278, 0.302},   {60, 2, 90, 20.182, 0.278, 0.302},  {60, 2, 180, 22.300, 0.275, 0.299},
        {30, 90, 0, 3.073, 0.236, 0.241},   {30, 45, 90, 4.523, 0.240, 0.252},  {30, 45, 180, 4.365, 0.237, 0.250},
        {30, 10, 0, 24.942, 0.283, 0.308},  {30, 10, 90, 12.088, 0.261, 0.284}, {30, 10, 180, 15.658, 0.265, 0.290},
        {30, 2, 0, 31.551, 0.302, 0.332},   {30, 2, 90, 16.254, 0.288, 0.318},  {30, 2, 180, 23.828, 0.291, 0.323},
        {10, 90, 0, 1.710, 0.247, 0.257},   {10, 45, 0, 3.861, 0.267, 0.286},   {10, 45, 90, 2.788, 0.252, 0.272},
        {10, 45, 180, 3.094, 0.255, 0.276}, {10, 10, 90, 7.790, 0.286, 0.318},
    };
    for (const auto& [elevation, irradiance] : {std::pair{60.0, 24.054}, {30.0, 20.065}}) {
        const SkyModel model(2.0, glm::vec3(0.3F), skyDirection(elevation, 0.0));
        EXPECT_NEAR(luminanceOf(sky::toRec709(model.skyIrradiance())), irradiance, 0.1 * irradiance) << elevation;
    }
    std::map<double, SkyModel> models;
    for (const Figure& f : figures) {
        const SkyModel& model =
            models.try_emplace(f.sunElevation, 2.0, glm::vec3(0.3F), skyDirection(f.sunElevation, 20.0)).first->second;
        const Chromaticity found = chromaticityOf(model.radiance(skyDirection(f.elevation, 20.0 + f.azimuth)));
        EXPECT_LT(std::abs(std::log(found.luminance / f.luminance)), std::log(2.7))
            << f.sunElevation << ' ' << f.elevation << ' ' << f.azimuth << ": " << found.luminance;
        EXPECT_NEAR(found.x, f.x, 0.04);
        EXPECT_NEAR(found.y, f.y, 0.04);
    }
}

/// Noon in clear air, sun 60 degrees high, on level ground: 486 W/m^2 of visible light (370 to 750 nm) of the
/// 557 W/m^2 that come in, and 103 klx. A clear day has about 100 klx.
TEST(Sky, NoonHasTheLightOfAClearDay) {
    const glm::dvec3 sun = skyDirection(60.0, 0.0);
    const SkyModel model(3.0, glm::vec3(0.3F), sun);
    const double visible = sky::total(spectralSunIrradiance(3.0, sun)) * sun.y + sky::total(model.skyIrradiance());
    EXPECT_NEAR(visible, 486.0, 5.0);
    const double klx =
        0.683 * (luminanceOf(sunIrradiance(3.0, sun)) * sun.y + luminanceOf(sky::toRec709(model.skyIrradiance())));
    EXPECT_NEAR(klx, 102.7, 2.0);
}

TEST(Sky, SunsetIsRedAndNightIsDark) {
    glm::vec3 before = sunIrradiance(3.0, skyDirection(60.0, 0.0));
    for (const double elevation : {20.0, 5.0, 1.0}) {
        const glm::vec3 now = sunIrradiance(3.0, skyDirection(elevation, 0.0));
        EXPECT_LT(now.z * before.x, now.x * before.z) << elevation;
        EXPECT_LT(now.x, before.x) << elevation;
        before = now;
    }
    EXPECT_EQ(sunIrradiance(3.0, skyDirection(-3.0, 0.0)), glm::vec3(0.0F));
    const glm::vec3 twilight = SkyModel(3.0, glm::vec3(0.3F), skyDirection(-4.0, 0.0)).radiance({0.0, 1.0, 0.0});
    EXPECT_GT(twilight.z, twilight.x);
    EXPECT_LT(luminanceOf(SkyModel(3.0, glm::vec3(0.3F), skyDirection(-20.0, 0.0)).radiance({0.0, 1.0, 0.0})), 1e-3);
}

TEST(Sky, TheGroundReflectsWhatItReceives) {
    const glm::dvec3 sun = skyDirection(35.0, 0.0);
    const SkyModel model(3.0, glm::vec3(0.4F), sun);
    const glm::vec3 received =
        sky::toRec709(model.skyIrradiance()) + sunIrradiance(3.0, sun) * static_cast<float>(sun.y);
    const glm::vec3 shown = model.radiance(glm::normalize(glm::dvec3(0.3, -0.5, 0.2)));
    EXPECT_NEAR(luminanceOf(shown), 0.4 / kPi * luminanceOf(received), 1e-3 * luminanceOf(shown));
}

/// The table's bilinear lookups against the model, beside the sun and near the horizon.
TEST(Sky, TheTableIsFineEnough) {
    Environment environment;
    environment.type = EnvironmentType::Sky;
    environment.sky.sunDirection = skyDirection(5.0, 10.0);
    const EnvironmentTable table = bakeEnvironment(environment, "");
    const SkyModel model(3.0, glm::vec3(0.3F), environment.sky.sunDirection);
    double squares = 0.0;
    int count = 0;
    for (double elevation = 0.8; elevation < 12.0; elevation += 0.37) {
        for (double azimuth = 0.0; azimuth < 25.0; azimuth += 1.3) {
            const double x = (azimuth / 360.0 + 0.5) * table.size.x - 0.5;
            const double y = (90.0 - elevation) / 180.0 * table.size.y - 0.5;
            double found = 0.0;
            for (int corner = 0; corner < 4; ++corner) {
                const int i = static_cast<int>(x) + (corner & 1);
                const int j = static_cast<int>(y) + (corner >> 1);
                found += (1.0 - std::abs(x - i)) * (1.0 - std::abs(y - j)) *
                         luminanceOf(
                             table.radiances[static_cast<std::size_t>(j) * table.size.x + static_cast<std::size_t>(i)]);
            }
            const double error = found / luminanceOf(model.radiance(skyDirection(elevation, azimuth))) - 1.0;
            squares += error * error;
            ++count;
        }
    }
    EXPECT_LT(std::sqrt(squares / count), 0.003);
}

class SkyJson : public SceneJsonTest {};

TEST_F(SkyJson, RotationTurnsTheSunAndScalesMultiplyItsLight) {
    const auto with = [&](const std::string& environment) {
        return load(minimalScene(), {{"/environment", environment}}).environment;
    };
    const Environment plain = with(R"({ "type": "sky", "sun": { "elevation": 30, "azimuth": 0 } })");
    EXPECT_LT(glm::length(plain.sky.sunDirection - glm::dvec3(0.0, 0.5, -std::sqrt(0.75))), 1e-12);
    ASSERT_TRUE(plain.sun);
    EXPECT_EQ(plain.sun->direction, plain.sky.sunDirection);
    const Environment turned =
        with(R"({ "type": "sky", "rotation": 90, "scale": 3, "sun": { "elevation": 30, "azimuth": 0, "scale": 2 } })");
    EXPECT_LT(glm::length(turned.sun->direction - glm::dvec3(-std::sqrt(0.75), 0.5, 0.0)), 1e-12);
    EXPECT_LT(glm::length(turned.sun->irradiance - 6.0F * plain.sun->irradiance), 1e-3F);
    EXPECT_EQ(turned.scale, 3.0F);
    const Environment by = with(R"({ "type": "sky", "sun": { "direction": [0, 1, -1.7320508075688772] } })");
    EXPECT_LT(glm::length(by.sun->direction - plain.sun->direction), 1e-12);
    EXPECT_FALSE(with(R"({ "type": "sky", "sun": { "enabled": false } })").sun);
}

TEST_F(SkyJson, WrongValuesAreNamed) {
    const auto found = [&](const std::string& environment) {
        return join(problems(minimalScene(), {{"/environment", environment}}));
    };
    EXPECT_NE(found(R"({ "type": "sky", "turbidity": 11 })").find("/environment/turbidity: found 11"),
              std::string::npos);
    EXPECT_NE(found(R"({ "type": "sky", "sun": { "direction": [0, 0, 0] } })").find("length above 0"),
              std::string::npos);
    EXPECT_NE(found(R"({ "type": "sky", "sun": { "direction": [0, 1, 0], "azimuth": 3 } })").find("one or the other"),
              std::string::npos);
    EXPECT_NE(found(R"({ "type": "skye" })").find("did you mean 'sky'"), std::string::npos);
    EXPECT_NE(found(R"({ "type": "constant", "lightGroup": "a.b" })").find("letters, digits"), std::string::npos);
}

} // namespace
} // namespace aureole
