#include "integrator/directional_albedo.h"

#include <cmath>
#include <vector>

#include "shared/bsdf/bsdf.h"

namespace aureole {

namespace {

/// A point of a rule for integrals over the microfacets that are seen: the arguments of shared::visibleNormalAt.
struct RulePoint {
    glm::vec2 azimuth;
    float x;
    float weight;
};

/// A Fibonacci lattice: `count` and `step` are consecutive Fibonacci numbers. What is integrated has kinks along curves
/// (the horizon, total reflection), which the points of a lattice meet one by one and not a row of a grid at a time.
/// It is made periodic, which lattices ask for: in the azimuth by its mirror image, in height by Korobov's change of
/// variable, x^2 (3 - 2x).
std::vector<RulePoint> fibonacciRule(std::uint32_t count, std::uint32_t step) {
    std::vector<RulePoint> rule(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double x = (i + 0.5) / count;
        const double phi = 2.0 * kPi * (static_cast<double>(std::uint64_t{i} * step % count) / count);
        rule[i] = {glm::vec2(std::cos(phi), std::sin(phi)), static_cast<float>(x * x * (3.0 - 2.0 * x)),
                   static_cast<float>(6.0 * x * (1.0 - x) / count)};
    }
    return rule;
}

glm::vec3 directionOf(double cosine) {
    return glm::dvec3(std::sqrt(std::max(0.0, 1.0 - cosine * cosine)), 0.0, cosine);
}

/// The mean of what `visit` makes of a microfacet normal.
template <typename Visit>
glm::dvec2 overVisibleNormals(const std::vector<RulePoint>& rule, const glm::vec3& outgoing, float alpha,
                              const Visit& visit) {
    const glm::vec3 stretched = shared::stretchDirection(outgoing, alpha);
    glm::dvec2 sum{0.0};
    for (const RulePoint& point : rule) {
        sum += glm::dvec2(visit(shared::visibleNormalAt(stretched, alpha, point.azimuth, point.x)) * point.weight);
    }
    return sum;
}

} // namespace

glm::dvec2 integrateCoat(double cosine, float alpha) {
    static const std::vector<RulePoint> kRule = fibonacciRule(1597, 987);
    const glm::vec3 outgoing = directionOf(cosine);
    return overVisibleNormals(kRule, outgoing, alpha, [&](const glm::vec3& h) {
        const float share = shared::reflectedShare(outgoing, shared::reflectAbout(outgoing, h), alpha);
        return glm::vec2(share, share * shared::schlickWeight(glm::dot(outgoing, h)));
    });
}

double integrateDielectric(double cosine, float alpha, float eta) {
    // Total reflection begins as steeply as a square root does: slow to integrate, but where little is lost at all.
    static const std::vector<RulePoint> kFew = fibonacciRule(1597, 987);
    static const std::vector<RulePoint> kMany = fibonacciRule(6765, 4181);
    const glm::vec3 outgoing = directionOf(cosine);
    const auto scattered = [&](const glm::vec3& h) {
        const float behind = std::max(glm::dot(outgoing, h), 0.0F);
        const float ahead = shared::refractedCosine(behind, eta);
        const float reflectance = shared::fresnelDielectric(behind, eta);
        float share = reflectance * shared::reflectedShare(outgoing, shared::reflectAbout(outgoing, h), alpha);
        if (ahead > 0.0F) {
            share += (1.0F - reflectance) * shared::refractedShare(h * (behind / eta - ahead) - outgoing / eta, alpha);
        }
        return glm::vec2(share);
    };
    return overVisibleNormals(eta < 1.0F && alpha > 0.1F ? kMany : kFew, outgoing, alpha, scattered).x;
}

} // namespace aureole
