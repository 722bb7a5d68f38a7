#include "settings/finish.h"

#include <cmath>

namespace aureole {

double LensDistortion::slope(double r) const {
    const double square = r * r;
    return 1.0 + square * (3.0 * k1 + 5.0 * square * k2);
}

bool LensDistortion::folds() const {
    // The slope is 1 in the middle: it must not reach 0 on the way to the corner, neither there nor where it turns.
    if (slope(1.0) <= 0.0) {
        return true;
    }
    const double turning = k2 > 0.0 ? -0.3 * k1 / k2 : -1.0;
    return turning > 0.0 && turning < 1.0 && slope(std::sqrt(turning)) <= 0.0;
}

bool FinishSettings::any() const {
    return palette || relief || thinFilm || bulge || distortion || vignette > 0.0 || grain;
}

} // namespace aureole
