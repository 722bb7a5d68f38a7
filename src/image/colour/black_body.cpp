#include "image/colour/black_body.h"

#include <array>
#include <cmath>

#include "image/colour/cie.h"
#include "image/image.h"

namespace aureole {

namespace {

constexpr double kFirst = 380.0; // nm
constexpr double kStep = 10.0;

/// The colour-matching functions of the CIE's 1931 observer (ISO/CIE 11664-1). Of low temperatures the tail beyond
/// 650 nm counts, where the fit of colourMatching() leaves 0.0065 of chromaticity at 1500 K.
constexpr std::array<std::array<double, 3>, 41> kObserver = {{
    {0.0014, 0.0000, 0.0065}, {0.0042, 0.0001, 0.0201}, {0.0143, 0.0004, 0.0679}, {0.0435, 0.0012, 0.2074},
    {0.1344, 0.0040, 0.6456}, {0.2839, 0.0116, 1.3856}, {0.3483, 0.0230, 1.7471}, {0.3362, 0.0380, 1.7721},
    {0.2908, 0.0600, 1.6692}, {0.1954, 0.0910, 1.2876}, {0.0956, 0.1390, 0.8130}, {0.0320, 0.2080, 0.4652},
    {0.0049, 0.3230, 0.2720}, {0.0093, 0.5030, 0.1582}, {0.0633, 0.7100, 0.0782}, {0.1655, 0.8620, 0.0422},
    {0.2904, 0.9540, 0.0203}, {0.4334, 0.9950, 0.0087}, {0.5945, 0.9950, 0.0039}, {0.7621, 0.9520, 0.0021},
    {0.9163, 0.8700, 0.0017}, {1.0263, 0.7570, 0.0011}, {1.0622, 0.6310, 0.0008}, {1.0026, 0.5030, 0.0003},
    {0.8544, 0.3810, 0.0002}, {0.6424, 0.2650, 0.0000}, {0.4479, 0.1750, 0.0000}, {0.2835, 0.1070, 0.0000},
    {0.1649, 0.0610, 0.0000}, {0.0874, 0.0320, 0.0000}, {0.0468, 0.0170, 0.0000}, {0.0227, 0.0082, 0.0000},
    {0.0114, 0.0041, 0.0000}, {0.0058, 0.0021, 0.0000}, {0.0029, 0.0010, 0.0000}, {0.0014, 0.0005, 0.0000},
    {0.0007, 0.0002, 0.0000}, {0.0003, 0.0001, 0.0000}, {0.0002, 0.0001, 0.0000}, {0.0001, 0.0000, 0.0000},
    {0.0000, 0.0000, 0.0000},
}};

constexpr double wavelengthOf(std::size_t row) {
    return kFirst + kStep * static_cast<double>(row);
}

/// The factor of Planck's law that does not depend on the temperature, for each row of kObserver.
std::array<double, kObserver.size()> fifthPowers() {
    std::array<double, kObserver.size()> powers{};
    for (std::size_t i = 0; i < powers.size(); ++i) {
        powers.at(i) = std::pow(wavelengthOf(i) * 1e-3, -5.0);
    }
    return powers;
}

/// The integral of Planck's spectral radiance, but for a factor that is the same at all temperatures.
glm::dvec3 unscaledXyz(double kelvin) {
    constexpr double kSecondRadiation = 1.438776877e7; // nm K: h c / k of the SI
    static const std::array<double, kObserver.size()> kPowers = fifthPowers();
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < kObserver.size(); ++i) {
        const auto& [x, y, z] = kObserver.at(i);
        const double radiance = kPowers.at(i) / std::expm1(kSecondRadiation / (wavelengthOf(i) * kelvin));
        sum += radiance * glm::dvec3(x, y, z);
    }
    return sum;
}

} // namespace

glm::dvec3 blackBodyXyz(double kelvin) {
    static const double kReference = unscaledXyz(kBlackBodyReference).y;
    return kelvin > 0.0 ? unscaledXyz(kelvin) / kReference : glm::dvec3(0.0);
}

glm::dvec3 blackBodyRec709(double kelvin) {
    const glm::dvec3 xyz = blackBodyXyz(kelvin);
    const glm::dvec3 shown = glm::max(rec709FromXyz(xyz), glm::dvec3(0.0));
    const double left = luminance(shown.x, shown.y, shown.z);
    return left > 0.0 ? shown * (xyz.y / left) : glm::dvec3(0.0);
}

} // namespace aureole
