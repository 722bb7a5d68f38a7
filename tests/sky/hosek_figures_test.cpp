// Hosek and Wilkie's sky and sun with their published figures, against Mitsuba 3. Only where AUREOLE_FULL is 1, since
// the figures are not in this repository: tools/sky_figures.sh downloads them, unless AUREOLE_SKY_FIGURES names a
// folder that it has filled before. Without either, the tests fail.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "sky/hosek_sky.h"
#include "sky/sky_model.h"
#include "sky/spectrum.h"

namespace aureole {
namespace {

constexpr double kFirstValue = 360.0; ///< nm
constexpr double kValueStep = 20.0;
constexpr std::size_t kValues = 19;

struct SkyValues {
    double turbidity;
    glm::vec3 albedo;
    double sunElevation; ///< degrees, as all angles here
    struct {
        double elevation;
        double azimuth; ///< from the sun's
        glm::dvec3 radiance;
    } places[32];
};

struct SunValues {
    double turbidity;
    double elevation;
    double radiance[kValues]; ///< mean of the disc, W/(m^2 sr nm)
};

#include "hosek_mitsuba.inc"

/// What is in the environment, or an empty text.
std::string setting(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): tests set none while others read
    return value != nullptr ? value : "";
}

/// Downloaded to a folder that goes again. Throws where that fails.
sky::HosekData downloadFigures() {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("aureole_sky_figures_" + std::to_string(getpid()));
    const std::string command = AUREOLE_TOOLS_FOLDER "/sky_figures.sh '" + folder.string() + "'";
    // NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe): the tool is part of what is tested
    const bool done = std::system(command.c_str()) == 0;
    if (!done || !fs::exists(folder / "LICENSE")) {
        fs::remove_all(folder);
        throw std::runtime_error(command + " failed; its message is above. It needs a network: without one, let "
                                           "AUREOLE_SKY_FIGURES name a folder that it has filled elsewhere");
    }
    const sky::HosekData data = sky::readHosekData(folder / sky::kHosekFile);
    fs::remove_all(folder);
    return data;
}

/// Read once. Throws where there are none, which fails the test that asks.
const sky::HosekData& figures() {
    static const sky::HosekData kFigures = [] {
        const std::filesystem::path given = setting("AUREOLE_SKY_FIGURES");
        return given.empty() ? downloadFigures() : sky::readHosekData(given / sky::kHosekFile);
    }();
    return kFigures;
}

class HosekFiguresTest : public ::testing::TestWithParam<bool> {};

/// Mitsuba computes in single precision: near the sun, an angle is off by some 1e-7.
TEST_P(HosekFiguresTest, SkiesAreThoseOfMitsuba) {
    double worst = 0.0;
    for (const SkyValues& sky : kSkies) {
        const HosekSky model(figures(), sky.turbidity, sky.albedo, skyDirection(sky.sunElevation, 0.0));
        for (const auto& place : sky.places) {
            const glm::vec3 found = model.radiance(skyDirection(place.elevation, place.azimuth));
            for (int i = 0; i < 3; ++i) {
                const double expected = std::max(place.radiance[i], 0.0); // the model's fault at the horizon
                const double error = std::abs(double{found[i]} - expected) / std::max(expected, 1e-9);
                EXPECT_LT(error, 2e-5) << sky.turbidity << ' ' << sky.sunElevation << ": " << place.elevation << ' '
                                       << place.azimuth << ": " << found[i] << ", expected " << place.radiance[i];
                worst = std::max(worst, error);
            }
        }
    }
    RecordProperty("worst", std::to_string(worst));
}

/// Between bands, the model's spectrum and its limb darkening are linear, and their product a parabola: three values in
/// 40 nm say all of it.
double spectrumAt(const SunValues& sun, double wavelength) {
    const double place = (wavelength - kFirstValue) / (2.0 * kValueStep);
    const std::size_t pair = 2 * std::min(static_cast<std::size_t>(place), kValues / 2 - 1);
    const double x = 2.0 * place - static_cast<double>(pair);
    const double* v = &sun.radiance[pair];
    return v[0] * (1.0 - x) * (2.0 - x) / 2.0 + v[1] * x * (2.0 - x) + v[2] * x * (x - 1.0) / 2.0;
}

/// As spectra, brought to colours here: Mitsuba's own colours of the sun take other matching functions and wavelengths.
TEST_P(HosekFiguresTest, SunsAreThoseOfMitsuba) {
    double worst = 0.0;
    for (const SunValues& sun : kSuns) {
        glm::dvec3 expected(0.0);
        for (int wavelength = 360; wavelength <= 720; ++wavelength) {
            expected += sky::rec709Of(wavelength) * spectrumAt(sun, wavelength);
        }
        const glm::dvec3 found = sky::solarRadiance(figures().sun, sun.turbidity, glm::radians(sun.elevation));
        const double error = glm::length(found - expected) / glm::length(expected);
        EXPECT_LT(error, 2e-5) << sun.turbidity << ' ' << sun.elevation << ": " << found.x << ' ' << found.y << ' '
                               << found.z << ", expected " << expected.x << ' ' << expected.y << ' ' << expected.z;
        worst = std::max(worst, error);
    }
    RecordProperty("worst", std::to_string(worst));
}

/// Not listed at all in a quick run, rather than listed as passed.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HosekFiguresTest);
const auto kWhen = setting("AUREOLE_FULL") == "1" ? std::vector{true} : std::vector<bool>();
INSTANTIATE_TEST_SUITE_P(Published, HosekFiguresTest, ::testing::ValuesIn(kWhen));

} // namespace
} // namespace aureole
