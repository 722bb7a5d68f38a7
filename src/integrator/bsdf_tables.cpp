#include "integrator/bsdf_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "core/threads/parallel.h"
#include "integrator/directional_albedo.h"
#include "shared/bsdf/bsdf.h"

namespace aureole {

namespace {

using Table = std::vector<glm::vec2>;

constexpr std::uint32_t kEntries = ALBEDO_TABLE;

/// Integrals are made at fewer nodes than the tables have, every kFiner-th of a row and of a column, and cubics go
/// through them.
constexpr std::size_t kFiner = 3;
constexpr std::size_t kColumns = (ALBEDO_COSINES - 1) / kFiner + 1;
constexpr std::size_t kRows = (ALBEDO_ROUGHNESSES - 1) / kFiner + 1;
static_assert((kColumns - 1) * kFiner + 1 == ALBEDO_COSINES && (kRows - 1) * kFiner + 1 == ALBEDO_ROUGHNESSES);

float alphaOf(std::size_t row) {
    const double roughness = static_cast<double>(row) / (ALBEDO_ROUGHNESSES - 1);
    return std::max(static_cast<float>(roughness * roughness), 1e-6F);
}

/// The cosine that albedoColumn() has in a column. At grazing incidence the limit is a direction that is all but level.
double cosineOf(std::size_t column, float alpha) {
    const float x = static_cast<float>(column) / (ALBEDO_COSINES - 1);
    double below = 1e-6 * static_cast<double>(alpha);
    double above = 1.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (below + above);
        (shared::albedoColumn(static_cast<float>(middle), alpha) < x ? below : above) = middle;
    }
    return above;
}

/// Replaces what is between every kFiner-th of `count` entries, `step` apart, by Lagrange's cubics through them.
void fillBetween(Table& table, std::size_t first, std::size_t step, std::size_t count) {
    const std::size_t nodes = (count - 1) / kFiner + 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % kFiner == 0) {
            continue;
        }
        const std::size_t start = std::min(std::max<std::size_t>(i / kFiner, 1) - 1, nodes - 4);
        const double t = static_cast<double>(i) / kFiner - static_cast<double>(start);
        glm::dvec2 sum{0.0};
        for (std::size_t node = 0; node < 4; ++node) {
            double weight = 1.0;
            for (std::size_t other = 0; other < 4; ++other) {
                const auto from = static_cast<double>(other);
                weight *= other == node ? 1.0 : (t - from) / (static_cast<double>(node) - from);
            }
            sum += glm::dvec2(table[first + (start + node) * kFiner * step]) * weight;
        }
        table[first + i * step] = sum;
    }
}

/// An albedo with what integrals and interpolation may be wrong by added to it: a surface gives back what the table
/// says is missing, and must not give more than it got. `uncertain` is that of a surface that loses all.
double withMargin(double albedo, double uncertain) {
    return albedo * (1.0 + 2e-4 + uncertain * (1.0 - albedo));
}

/// By how much a straight line from node to node stays below a curve through three of them, at most.
glm::vec2 shortfall(const glm::vec2& before, const glm::vec2& here, const glm::vec2& after) {
    return glm::max((here - before - after + here) / 8.0F, glm::vec2(0.0F));
}

/// Raises entries so that what lookUpAlbedo interpolates between them is nowhere less than the albedo itself.
Table raised(const Table& table) {
    Table result = table;
    // Where between two nodes, the curve is as bent as at one of them.
    const auto largest = [&](std::size_t row, std::size_t column, std::size_t step, std::size_t at, std::size_t count) {
        glm::vec2 most(0.0F);
        const std::size_t entry = row * ALBEDO_ROW + column;
        for (std::size_t i = std::max<std::size_t>(at, 2) - 1; i <= std::min(at + 1, count - 2); ++i) {
            const std::size_t middle = entry + i * step - at * step;
            most = glm::max(most, shortfall(table[middle - step], table[middle], table[middle + step]));
        }
        return most;
    };
    for (std::size_t row = 0; row < ALBEDO_ROUGHNESSES; ++row) {
        for (std::size_t column = 0; column < ALBEDO_COSINES; ++column) {
            glm::vec2& entry = result[row * ALBEDO_ROW + column];
            entry += largest(row, column, 1, column, ALBEDO_COSINES) +
                     largest(row, column, ALBEDO_ROW, row, ALBEDO_ROUGHNESSES);
        }
    }
    return result;
}

/// The average of the coat as lookUpAlbedo interpolates it at a row, over the hemisphere and weighted by the cosine: so
/// that what goes through the coat and what it keeps add up.
glm::vec2 averageOf(const Table& table, std::size_t row) {
    constexpr int kSteps = 4096;
    const float alpha = alphaOf(row);
    glm::dvec2 sum{0.0};
    for (int i = 0; i < kSteps; ++i) {
        const double root = (i + 0.5) / kSteps;
        const auto cosine = static_cast<float>(root * root);
        const float x = shared::albedoColumn(cosine, alpha) * (ALBEDO_COSINES - 1);
        const glm::dvec2 entry =
            shared::albedoEntry(reinterpret_cast<std::uint64_t>(table.data()), 0, x, static_cast<std::uint32_t>(row));
        const auto own = static_cast<double>(shared::schlickWeight(cosine));
        sum += glm::dvec2(entry.x, entry.y + entry.x * own) * (4.0 * root * root * root / kSteps);
    }
    return sum;
}

/// `entry` makes that of a cosine and an alpha.
template <typename Entry>
Table makeTable(const Entry& entry) {
    Table table(kEntries);
    parallelFor(kRows * kColumns, 8, [&](std::int64_t index) {
        const std::size_t row = static_cast<std::size_t>(index) / kColumns * kFiner;
        const std::size_t column = static_cast<std::size_t>(index) % kColumns * kFiner;
        table[row * ALBEDO_ROW + column] = entry(cosineOf(column, alphaOf(row)), alphaOf(row));
    });
    for (std::size_t row = 0; row < ALBEDO_ROUGHNESSES; row += kFiner) {
        fillBetween(table, row * ALBEDO_ROW, 1, ALBEDO_COSINES);
    }
    for (std::size_t column = 0; column < ALBEDO_COSINES; ++column) {
        fillBetween(table, column, ALBEDO_ROW, ALBEDO_ROUGHNESSES);
    }
    return raised(table);
}

Table makeCoatTable() {
    Table table = makeTable([](double cosine, float alpha) {
        const glm::dvec2 albedo = integrateCoat(cosine, alpha);
        const double whole = withMargin(albedo.x, 1e-4);
        return glm::vec2(whole, withMargin(albedo.y, 3e-4) - whole * std::pow(1.0 - cosine, 5.0));
    });
    for (std::size_t row = 0; row < ALBEDO_ROUGHNESSES; ++row) {
        table[row * ALBEDO_ROW + ALBEDO_COSINES] = averageOf(table, row);
    }
    return table;
}

Table makeDielectricTable(float ior) {
    return makeTable([&](double cosine, float alpha) {
        const double outside = integrateDielectric(cosine, alpha, ior);
        const double inside = integrateDielectric(cosine, alpha, 1.0F / ior);
        const auto masking = static_cast<double>(shared::ggxMasking(static_cast<float>(cosine), alpha));
        return glm::vec2(withMargin(outside, 2e-4) - masking, withMargin(inside, 8e-4) - masking);
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
        return material.model == MaterialModel::MetallicRoughness || isPartialGlass(ofItsModel(material));
    });
    if (!coat && keys.empty()) {
        return {};
    }
    keys.insert(keys.begin(), 0.0F);
    Table all;
    all.reserve(keys.size() * kEntries);
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
