#include "scene/exposure.h"

#include <cmath>

#include "model/photometry.h"

namespace aureole {

double exposureValue100(const Exposure& photograph) {
    const double n = photograph.fNumber;
    return std::log2(n * n / photograph.shutter * 100.0 / photograph.iso);
}

std::optional<double> exposureStops(const FilmSettings& film, const Camera& camera) {
    if (!camera.photograph) {
        return camera.exposure || !film.isMetered() ? std::optional(camera.exposure.value_or(film.exposure))
                                                    : std::nullopt;
    }
    constexpr double kSaturation = 78.0 / 65.0;
    return std::log2(kLumensPerWatt / kSaturation) - exposureValue100(*camera.photograph) +
           camera.exposure.value_or(0.0);
}

} // namespace aureole
