#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace aureole {

/// Pearson's test of counts against their expectations. Bins of an expectation below 8 are taken together.
struct ChiSquare {
    double statistic = 0.0;
    std::size_t degrees = 0;
    double limit = 0.0; ///< exceeded with a probability of 1e-4 where the expectations are right

    bool passes() const { return statistic <= limit; }
};

inline ChiSquare chiSquare(const std::vector<double>& drawn, const std::vector<double>& expected) {
    ChiSquare result;
    std::size_t bins = 0;
    double smallDrawn = 0.0;
    double smallExpected = 0.0;
    const auto add = [&](double d, double e) {
        result.statistic += (d - e) * (d - e) / e;
        ++bins;
    };
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (expected[i] >= 8.0) {
            add(drawn[i], expected[i]);
        } else {
            smallDrawn += drawn[i];
            smallExpected += expected[i];
        }
    }
    if (smallExpected > 0.0) {
        add(smallDrawn, smallExpected);
    } else if (smallDrawn > 0.0) {
        result.statistic = INFINITY; // what cannot be drawn was
    }
    result.degrees = bins > 1 ? bins - 1 : 1;
    // Wilson and Hilferty's approximation at the normal quantile of 1e-4.
    const double n = static_cast<double>(result.degrees);
    const double root = 1.0 - 2.0 / (9.0 * n) + 3.719 * std::sqrt(2.0 / (9.0 * n));
    result.limit = n * root * root * root;
    return result;
}

} // namespace aureole
