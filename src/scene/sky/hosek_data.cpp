#include "scene/sky/hosek_data.h"

#include <algorithm>
#include <string>

#include "scene/sky/c_arrays.h"
#include "scene/sky/spectrum.h"

namespace aureole::sky {

namespace {

using LimbDarkening = std::array<double, kLimbDarkeningFigures>;

/// Over the disc: a power k of the cosine has the mean 2 / (k + 2).
double meanOf(const LimbDarkening& figures) {
    double mean = 0.0;
    for (std::size_t k = 0; k < figures.size(); ++k) {
        mean += figures[k] * 2.0 / (static_cast<double>(k) + 2.0);
    }
    return mean;
}

/// What each band's cubics count for, in linear Rec. 709.
std::array<glm::dvec3, kSunBands> bandWeights(const std::array<double, kSunBands>& darkening) {
    constexpr int kFirst = 360;
    constexpr int kLast = 720;
    std::array<glm::dvec3, kSunBands> weights{};
    for (int wavelength = kFirst; wavelength <= kLast; ++wavelength) {
        const double place = (wavelength - kFirstSunBand) / kSunBandStep;
        const std::size_t low = std::min(static_cast<std::size_t>(place), kSunBands - 2);
        const double share = place - static_cast<double>(low);
        const glm::dvec3 light = rec709Of(wavelength) * glm::mix(darkening[low], darkening[low + 1], share);
        weights[low] += (1.0 - share) * light;
        weights[low + 1] += share * light;
    }
    return weights;
}

std::array<SunFigures, 3> readSun(const std::filesystem::path& file) {
    const CArrays arrays(file);
    std::array<SunFigures, kSunBands> bands{};
    std::array<double, kSunBands> darkening{};
    for (std::size_t band = 0; band < kSunBands; ++band) {
        const auto wavelength = static_cast<int>(kFirstSunBand + kSunBandStep * static_cast<double>(band));
        LimbDarkening limb{};
        arrays.read("solarDataset" + std::to_string(wavelength), bands[band]);
        arrays.read("limbDarkeningDataset" + std::to_string(wavelength), limb);
        darkening[band] = meanOf(limb);
    }
    const std::array<glm::dvec3, kSunBands> weights = bandWeights(darkening);
    std::array<SunFigures, 3> sun{};
    for (std::size_t band = 0; band < kSunBands; ++band) {
        for (std::size_t i = 0; i < bands[band].size(); ++i) {
            sun[0][i] += weights[band].x * bands[band][i];
            sun[1][i] += weights[band].y * bands[band][i];
            sun[2][i] += weights[band].z * bands[band][i];
        }
    }
    return sun;
}

} // namespace

HosekData readHosekData(const std::filesystem::path& skyFile, const std::filesystem::path& sunFile) {
    HosekData data;
    const CArrays arrays(skyFile);
    for (std::size_t i = 0; i < data.sky.size(); ++i) {
        const std::string channel = std::to_string(i + 1);
        arrays.read("datasetRGB" + channel, data.sky[i].distribution);
        arrays.read("datasetRGBRad" + channel, data.sky[i].mean);
    }
    data.sun = readSun(sunFile);
    return data;
}

} // namespace aureole::sky
