#include "chi_square.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace aureole {

namespace {

using Density = std::function<double(const glm::dvec2&)>;

/// Gauss and Legendre's rule of 3 x 3 points.
double rule(const Density& density, const glm::dvec2& low, const glm::dvec2& high) {
    static const double kNode = std::sqrt(0.6);
    const glm::dvec2 centre = 0.5 * (low + high);
    const glm::dvec2 half = 0.5 * (high - low);
    double sum = 0.0;
    for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) {
            const double weight = (i == 0 ? 8.0 : 5.0) * (j == 0 ? 8.0 : 5.0) / 81.0;
            sum += weight * density(centre + half * kNode * glm::dvec2(i, j));
        }
    }
    return sum * half.x * half.y;
}

double integrate(const Density& density, const glm::dvec2& low, const glm::dvec2& high, double whole, int depth) {
    const glm::dvec2 middle = 0.5 * (low + high);
    const std::array<std::array<glm::dvec2, 2>, 4> parts = {{{low, middle},
                                                             {glm::dvec2(middle.x, low.y), {high.x, middle.y}},
                                                             {glm::dvec2(low.x, middle.y), {middle.x, high.y}},
                                                             {middle, high}}};
    std::array<double, 4> values{};
    double sum = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        values[i] = rule(density, parts[i][0], parts[i][1]);
        sum += values[i];
    }
    if (depth == 0 || std::abs(sum - whole) < std::max(2e-3 * sum, 1e-9)) {
        return sum;
    }
    double fine = 0.0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        fine += integrate(density, parts[i][0], parts[i][1], values[i], depth - 1);
    }
    return fine;
}

/// Regularised upper incomplete gamma function, by its series or its continued fraction.
double upperGamma(double a, double x) {
    if (x <= 0.0) {
        return 1.0;
    }
    const double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
    if (x < a + 1.0) {
        double term = 1.0 / a;
        double sum = term;
        for (double n = a + 1.0; term > 1e-16 * sum; n += 1.0) {
            term *= x / n;
            sum += term;
        }
        return 1.0 - scale * sum;
    }
    double b = x + 1.0 - a;
    double c = 1e300;
    double d = 1.0 / b;
    double h = d;
    for (int i = 1; i < 10000; ++i) {
        const double an = -i * (i - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        const double step = d * c;
        h *= step;
        if (std::abs(step - 1.0) < 1e-14) {
            break;
        }
    }
    return scale * h;
}

} // namespace

BinGrid sphereGrid() {
    return {{-1.0, -std::numbers::pi}, {1.0, std::numbers::pi}};
}

glm::dvec2 toSphereGrid(const glm::vec3& direction) {
    return {static_cast<double>(direction.z),
            std::atan2(static_cast<double>(direction.y), static_cast<double>(direction.x))};
}

glm::vec3 fromSphereGrid(const glm::dvec2& point) {
    const double sine = std::sqrt(std::max(0.0, 1.0 - point.x * point.x));
    return glm::normalize(glm::dvec3(sine * std::cos(point.y), sine * std::sin(point.y), point.x));
}

ChiSquare chiSquare(const std::vector<double>& observed, const std::vector<double>& expected) {
    constexpr double kFewest = 5.0;
    ChiSquare result;
    double pooledExpected = 0.0;
    double pooledObserved = 0.0;
    const auto add = [&](double e, double o) {
        result.statistic += (o - e) * (o - e) / e;
        ++result.degrees;
    };
    for (std::size_t i = 0; i < observed.size(); ++i) {
        if (expected[i] >= kFewest) {
            add(expected[i], observed[i]);
            continue;
        }
        pooledExpected += expected[i];
        pooledObserved += observed[i];
        if (pooledExpected >= kFewest) {
            add(pooledExpected, pooledObserved);
            pooledExpected = 0.0;
            pooledObserved = 0.0;
        }
    }
    // What is left of the pool, and what was drawn and is no point.
    add(std::max(pooledExpected, 1.0), pooledObserved + std::max(0.0, 1.0 - pooledExpected));
    result.probability = upperGamma(0.5 * static_cast<double>(result.degrees), 0.5 * result.statistic);
    return result;
}

ChiSquare chiSquare(const BinGrid& grid, const std::vector<glm::dvec2>& points, std::size_t drawn,
                    const Density& density) {
    const glm::dvec2 counts(static_cast<double>(grid.columns), static_cast<double>(grid.rows));
    const glm::dvec2 size = (grid.high - grid.low) / counts;
    std::vector<double> observed(grid.columns * grid.rows);
    for (const glm::dvec2& point : points) {
        const glm::dvec2 at = glm::clamp((point - grid.low) / size, glm::dvec2(0.0), counts - 1.0);
        observed[static_cast<std::size_t>(at.x) * grid.rows + static_cast<std::size_t>(at.y)] += 1.0;
    }
    std::vector<double> expected;
    double integral = 0.0;
    for (std::size_t i = 0; i < grid.columns; ++i) {
        for (std::size_t j = 0; j < grid.rows; ++j) {
            const glm::dvec2 low = grid.low + size * glm::dvec2(static_cast<double>(i), static_cast<double>(j));
            const double share = integrate(density, low, low + size, rule(density, low, low + size), 6);
            integral += share;
            expected.push_back(share * static_cast<double>(drawn));
        }
    }
    ChiSquare result = chiSquare(observed, expected);
    result.integral = integral;
    return result;
}

double significanceOf(std::size_t cases) {
    return 1.0 - std::pow(0.99, 1.0 / static_cast<double>(cases));
}

} // namespace aureole
