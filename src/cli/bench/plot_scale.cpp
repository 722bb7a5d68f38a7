#include "cli/bench/plot_scale.h"

#include <algorithm>
#include <cmath>

namespace aureole::cli {

double niceStep(double most) {
    constexpr double kMostSteps = 6.0;
    const double power = std::pow(10.0, std::floor(std::log10(most / kMostSteps)));
    for (const double digit : {1.0, 2.0, 5.0}) {
        if (digit * power * kMostSteps >= most) {
            return digit * power;
        }
    }
    return 10.0 * power;
}

double niceTop(double most) {
    const double step = niceStep(most > 0.0 ? most : 1.0);
    return step * std::max(std::ceil(most / step), 1.0);
}

} // namespace aureole::cli
