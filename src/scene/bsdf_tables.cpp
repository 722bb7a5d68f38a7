#include "scene/bsdf_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "core/parallel.h"
#include "shared/bsdf.h"

namespace aureole {

namespace {

using Table = std::vector<glm::vec2>;

/// Nodes and weights for the integral from 0 to 1 by Gauss and Legendre. The nodes are found by Newton's method.
template <std::size_t kCount>
std::array<std::pair<float, float>, kCount> gaussLegendre() {
    std::array<std::pair<float, float>, kCount> rule{};
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto n = static_cast<double>(kCount);
        double x = std::cos(kPi * (static_cast<double>(i) + 0.75) / (n + 0.5));
        double slope = 1.0;
        for (int step = 0; step < 50; ++step) {
            double previous = 1.0;
            double value = x;
            for (std::size_t k = 2; k <= kCount; ++k) {
                const auto degree = static_cast<double>(k);
                const double next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * previous) / degree;
                previous = value;
                value = next;
            }
            slope = n * (x * value - previous) / (x * x - 1.0);
            x -= value / slope;
        }
        rule[i] = {static_cast<float>(0.5 * (1.0 - x)), static_cast<float>(1.0 / ((1.0 - x * x) * slope * slope))};
    }
    return rule;
}

float roughnessOf(std::size_t row) {
    return static_cast<float>(row) / (ALBEDO_ROUGHNESSES - 1);
}

float alphaOf(std::size_t row) {
    return std::max(roughnessOf(row) * roughnessOf(row), GGX_SMOOTH);
}

/// The directions of a row. At grazing incidence the limit is a direction that is all but level.
glm::vec3 outgoingOf(std::size_t column, float alpha) {
    const float x = static_cast<float>(column) / (ALBEDO_COSINES - 1);
    const float cosine = std::clamp(x * alpha / (1.0F + alpha - x), 1e-3F * alpha, 1.0F);
    return {std::sqrt(std::max(0.0F, 1.0F - cosine * cosine)), 0.0F, cosine};
}

/// Integrates over the microfacet normals that are seen from `outgoing`: the mean of what `visit` makes of one.
template <int kAngles, std::size_t kHeights, typename Visit>
glm::dvec2 overVisibleNormals(const glm::vec3& outgoing, float alpha, const Visit& visit) {
    static const auto kRule = gaussLegendre<kHeights>();
    // Of half a turn: the other half is its mirror image.
    glm::dvec2 sum{0.0};
    for (int i = 0; i < kAngles; ++i) {
        const float turn = (static_cast<float>(i) + 0.5F) / (2 * kAngles);
        for (const auto& [x, weight] : kRule) {
            const glm::vec3 h = shared::sampleVisibleNormal(outgoing, alpha, {turn, x});
            sum += glm::dvec2(visit(h)) * static_cast<double>(weight);
        }
    }
    return sum / static_cast<double>(kAngles);
}

/// What is left of a reflection by masking and shadowing.
float reflectedShare(const glm::vec3& outgoing, const glm::vec3& h, float alpha) {
    const glm::vec3 incoming = shared::reflectAbout(outgoing, h);
    return incoming.z <= 0.0F ? 0.0F
                              : shared::ggxVisibility(outgoing, incoming, alpha) * incoming.z /
                                    shared::ggxMaskingOverCosine(outgoing, alpha);
}

glm::vec2 coatEntry(const glm::vec3& outgoing, float alpha) {
    const float own = shared::schlickWeight(outgoing.z);
    const glm::dvec2 sums = overVisibleNormals<16, 32>(outgoing, alpha, [&](const glm::vec3& h) {
        const float share = reflectedShare(outgoing, h, alpha);
        return glm::vec2(share, share * shared::schlickWeight(glm::dot(outgoing, h)));
    });
    return {sums.x, sums.y - sums.x * own};
}

float dielectricEntry(const glm::vec3& outgoing, float alpha, float eta) {
    const glm::dvec2 sums = overVisibleNormals<24, 48>(outgoing, alpha, [&](const glm::vec3& h) {
        const float behind = std::max(glm::dot(outgoing, h), 0.0F);
        const float reflectance = shared::fresnelDielectric(behind, eta);
        float share = reflectance * reflectedShare(outgoing, h, alpha);
        const float ahead = shared::refractedCosine(behind, eta);
        if (ahead > 0.0F) {
            glm::vec3 incoming = shared::refractAbout(outgoing, h, eta, ahead);
            incoming.z = -incoming.z;
            share += incoming.z <= 0.0F
                         ? 0.0F
                         : (1.0F - reflectance) * incoming.z * shared::ggxMaskingOverCosine(incoming, alpha);
        }
        return glm::vec2(share);
    });
    return static_cast<float>(sums.x);
}

/// The average of a row of the coat as lookUpAlbedo interpolates it, over the hemisphere and weighted by the cosine.
glm::vec2 averageOf(const Table& table, std::size_t row) {
    constexpr int kSteps = 4096;
    const double alpha = static_cast<double>(alphaOf(row));
    glm::dvec2 sum{0.0};
    for (int i = 0; i < kSteps; ++i) {
        const double root = (i + 0.5) / kSteps;
        const double cosine = root * root;
        const double node = cosine * (1.0 + alpha) / (cosine + alpha) * (ALBEDO_COSINES - 1);
        const std::size_t column = std::min<std::size_t>(static_cast<std::size_t>(node), ALBEDO_COSINES - 2);
        const std::size_t at = row * ALBEDO_ROW + column;
        const glm::dvec2 entry =
            glm::mix(glm::dvec2(table[at]), glm::dvec2(table[at + 1]), node - static_cast<double>(column));
        const glm::dvec2 value(entry.x, entry.y + entry.x * std::pow(1.0 - cosine, 5.0));
        sum += value * (4.0 * cosine * root / kSteps);
    }
    return sum;
}

/// `entry` makes that of a direction and an alpha.
template <typename Entry>
Table makeTable(const Entry& entry) {
    Table table(ALBEDO_TABLE);
    parallelFor(ALBEDO_ROUGHNESSES, 1, [&](std::int64_t index) {
        const auto row = static_cast<std::size_t>(index);
        for (std::size_t column = 0; column < ALBEDO_COSINES; ++column) {
            table[row * ALBEDO_ROW + column] = entry(outgoingOf(column, alphaOf(row)), alphaOf(row));
        }
    });
    return table;
}

Table makeCoatTable() {
    Table table = makeTable(coatEntry);
    for (std::size_t row = 0; row < ALBEDO_ROUGHNESSES; ++row) {
        table[row * ALBEDO_ROW + ALBEDO_COSINES] = averageOf(table, row);
    }
    return table;
}

Table makeDielectricTable(float ior) {
    return makeTable([&](const glm::vec3& outgoing, float alpha) {
        return glm::vec2(dielectricEntry(outgoing, alpha, ior), dielectricEntry(outgoing, alpha, 1.0F / ior));
    });
}

/// Made once; `key` is the index of refraction, or 0 for the coat.
const Table& tableFor(float key) {
    static std::mutex mutex;
    static std::map<float, Table> tables;
    const std::lock_guard lock(mutex);
    const auto found = tables.find(key);
    return found != tables.end()
               ? found->second
               : tables.emplace(key, key == 0.0F ? makeCoatTable() : makeDielectricTable(key)).first->second;
}

bool isRoughDielectric(const Material& material) {
    return material.model == MaterialModel::Dielectric && material.roughness > 0.0F;
}

/// The different indices of rough dielectrics, in ascending order.
std::vector<float> tabulatedIndices(std::span<const Material> materials) {
    std::vector<float> indices;
    for (const Material& material : materials) {
        if (isRoughDielectric(material)) {
            indices.push_back(material.ior);
        }
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
}

} // namespace

std::vector<glm::vec2> makeBsdfTables(std::span<const Material> materials) {
    std::vector<float> keys = tabulatedIndices(materials);
    const bool coat = std::any_of(materials.begin(), materials.end(), [](const Material& material) {
        return material.model == MaterialModel::MetallicRoughness;
    });
    if (!coat && keys.empty()) {
        return {};
    }
    keys.insert(keys.begin(), 0.0F);
    Table all;
    all.reserve(keys.size() * ALBEDO_TABLE);
    for (const float key : keys) {
        const Table& table = tableFor(key);
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

std::vector<std::uint32_t> bsdfTablesOf(std::span<const Material> materials) {
    const std::vector<float> indices = tabulatedIndices(materials);
    std::vector<std::uint32_t> tables;
    tables.reserve(materials.size());
    for (const Material& material : materials) {
        const auto found = std::lower_bound(indices.begin(), indices.end(), material.ior);
        tables.push_back(isRoughDielectric(material) ? 1U + static_cast<std::uint32_t>(found - indices.begin()) : 0U);
    }
    return tables;
}

} // namespace aureole
