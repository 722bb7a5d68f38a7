#include "image/finish/settings.h"

namespace aureole {

bool LensDistortion::folds() const {
    // The slope, 1 + 3 k1 s + 5 k2 s^2 with s the square of the distance, is 1 in the middle: it must not reach 0 on
    // the way to the corner, s = 1, neither there nor at its own turning point.
    const auto slope = [this](double square) { return 1.0 + square * (3.0 * k1 + 5.0 * square * k2); };
    if (slope(1.0) <= 0.0) {
        return true;
    }
    const double turning = k2 > 0.0 ? -0.3 * k1 / k2 : -1.0;
    return turning > 0.0 && turning < 1.0 && slope(turning) <= 0.0;
}

bool FinishSettings::any() const {
    return palette || relief || thinFilm || bulge || distortion || vignette > 0.0 || grain;
}

} // namespace aureole
