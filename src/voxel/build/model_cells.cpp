#include "voxel/build/model_cells.h"

#include <array>
#include <numeric>

#include "core/set_bits.h"
#include "core/threads/parallel.h"
#include "scene/surface.h"

namespace aureole {

namespace {

/// The faces of a cell of a model by what is on either side of them.
class FaceRule {
public:
    FaceRule(const VoxelModel& model, std::span<const Material> materials)
        : materials_(model.materials) {
        for (std::size_t i = 1; i < clear_.size(); ++i) {
            const bool known = model.materials[i] < materials.size();
            clear_[i] = known && isGlass(materials[model.materials[i]]);
            dielectric_[i] = known && isSolidGlass(materials[model.materials[i]]);
        }
    }

    bool clear(std::uint8_t index) const { return clear_[index]; }
    /// Whether a cell shows a face towards another one. Solids of different glass show both of theirs.
    bool shows(std::uint8_t index, std::uint8_t other) const {
        return other == 0 || (clear_[other] && !clear_[index]) ||
               (dielectric_[index] && dielectric_[other] && materials_[index] != materials_[other]);
    }

private:
    const decltype(VoxelModel::materials)& materials_;
    std::array<bool, 256> clear_{};
    std::array<bool, 256> dielectric_{};
};

/// Calls found(cell, faces) for the exposed cells of a layer of a model.
template <typename Found>
void exposedInLayer(const VoxelModel& model, const FaceRule& rule, std::uint32_t z, const Found& found) {
    const glm::ivec3 size(model.size);
    const auto indexAt = [&](const glm::ivec3& cell) {
        const bool inside = glm::all(glm::greaterThanEqual(cell, glm::ivec3(0))) && glm::all(glm::lessThan(cell, size));
        return inside ? model.cells[static_cast<std::size_t>(cell.x) +
                                    model.size.x * (static_cast<std::size_t>(cell.y) +
                                                    std::size_t{model.size.y} * static_cast<std::size_t>(cell.z))]
                      : std::uint8_t{0};
    };
    for (glm::ivec3 cell(0, 0, z); cell.y < size.y; ++cell.y) {
        for (cell.x = 0; cell.x < size.x; ++cell.x) {
            const std::uint8_t index = indexAt(cell);
            if (index == 0) {
                continue;
            }
            std::uint32_t faces = 0;
            for (std::uint32_t face = 0; face < 6; ++face) {
                const std::uint8_t other = indexAt(neighbourOf(glm::uvec3(cell), face));
                faces |= rule.shows(index, other) ? 1U << face : 0U;
            }
            if (faces != 0 || rule.clear(index)) {
                found(glm::uvec3(cell), faces);
            }
        }
    }
}

std::vector<ExposedCell> crossedExposed(const LevelSet& levelSet, const std::function<void(std::size_t)>& announce) {
    const std::vector<glm::ivec3> crossed = crossedCells(levelSet);
    if (announce) {
        announce(crossed.size());
    }
    std::vector<ExposedCell> cells;
    cells.reserve(crossed.size());
    for (const glm::ivec3& cell : crossed) {
        cells.push_back({glm::uvec3(cell), 0});
    }
    return cells;
}

} // namespace

std::vector<ExposedCell> exposedCells(const VoxelModel& model, std::span<const Material> materials,
                                      const std::function<void(std::size_t)>& announce) {
    if (model.isLevelSet()) {
        return crossedExposed(model.levelSet, announce);
    }
    const FaceRule rule(model, materials);
    std::vector<std::size_t> begins(std::size_t{model.size.z} + 1, 0); // of layers
    parallelFor(model.size.z, 1, [&](std::int64_t z) {
        std::size_t count = 0;
        exposedInLayer(model, rule, static_cast<std::uint32_t>(z), [&](const glm::uvec3&, std::uint32_t) { ++count; });
        begins[static_cast<std::size_t>(z) + 1] = count;
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    if (announce) {
        announce(begins.back());
    }
    std::vector<ExposedCell> exposed(begins.back());
    parallelFor(model.size.z, 1, [&](std::int64_t z) {
        std::size_t next = begins[static_cast<std::size_t>(z)];
        exposedInLayer(model, rule, static_cast<std::uint32_t>(z), [&](const glm::uvec3& cell, std::uint32_t faces) {
            exposed[next++] = {cell, faces};
        });
    });
    return exposed;
}

ModelTransform modelTransform(const VoxelGrid& grid, const VoxelInstance& instance) {
    glm::dmat4 gridFromWorld(1.0 / grid.voxelSize);
    gridFromWorld[3] = glm::dvec4(-grid.origin / grid.voxelSize, 1.0);
    ModelTransform transform;
    transform.gridFromModel = gridFromWorld * instance.worldFromModel;
    transform.modelFromGrid = glm::inverse(transform.gridFromModel);
    return transform;
}

CellCoverage::CellCoverage(const VoxelGrid& grid, const ModelTransform& transform, const glm::uvec3& cell,
                           bool ofLevelSet)
    : modelFromGrid_(transform.modelFromGrid)
    , cell_(cell)
    , ofLevelSet_(ofLevelSet) {
    const glm::dvec3 centre(transform.gridFromModel * glm::dvec4(glm::dvec3(cell) + 0.5, 1.0));
    const glm::dmat3 axes(transform.gridFromModel);
    const glm::dvec3 reach = 0.5 * (glm::abs(axes[0]) + glm::abs(axes[1]) + glm::abs(axes[2]));
    const glm::ivec3 last = glm::ivec3(grid.size) - 1;
    home_ = glm::clamp(glm::ivec3(glm::floor(centre)), glm::ivec3(0), last);
    constexpr double kRounding = 1e-6; // a cell that fills a voxel reaches into no other
    const glm::dvec3 within = ofLevelSet ? reach - kRounding : reach;
    low_ = glm::clamp(glm::ivec3(glm::floor(centre - within)), glm::ivec3(0), last);
    high_ = glm::clamp(glm::ivec3(glm::floor(centre + within)), glm::ivec3(0), last);
}

bool CellCoverage::contains(const glm::ivec3& voxel) const {
    const glm::dvec3 point(modelFromGrid_ * glm::dvec4(glm::dvec3(voxel) + 0.5, 1.0));
    return voxel == home_ || glm::ivec3(glm::floor(point)) == cell_;
}

std::uint64_t CellCoverage::mask(const CellCube& cube) const {
    const int shift = cube.shift - kSnapBits;
    const glm::ivec3 origin = cube.origin >> kSnapBits;
    std::uint64_t mask = shared::coverageRangeMask((low_ - origin) >> shift, (high_ - origin) >> shift);
    if (shift > 0 || ofLevelSet_) {
        return mask;
    }
    for (const std::uint32_t bit : setBits(mask)) {
        if (!contains(origin + glm::ivec3(shared::bitCell(bit)))) {
            mask &= ~(std::uint64_t{1} << bit);
        }
    }
    return mask;
}

} // namespace aureole
