#include "voxel/surface/field_signs.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "core/set_bits.h"
#include "scene/grid_scene.h"
#include "scene/scene_conflicts.h"
#include "scene/surface.h"
#include "voxel/surface/field_distances.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

namespace {

/// What a field cannot show, each once however often it is placed.
class FieldConflicts {
public:
    explicit FieldConflicts(const Scene& scene)
        : scene_(scene) {}

    void add(const std::string& what, const char* expected = "surface 'cubes' or 'planes'") {
        SceneConflict conflict{placeOfVoxels(scene_, "surface"), "",
                               fmt::format("found {} with surface 'field', expected {}", what, expected)};
        const bool known = std::any_of(conflicts_.begin(), conflicts_.end(),
                                       [&](const SceneConflict& other) { return other.message == conflict.message; });
        if (!known) {
            conflicts_.push_back(std::move(conflict));
        }
    }
    void throwAny() {
        if (!conflicts_.empty()) {
            throw ConflictError(scene_, std::move(conflicts_));
        }
    }

private:
    const Scene& scene_;
    std::vector<SceneConflict> conflicts_;
};

} // namespace

std::vector<Closure> fieldClosures(const Primitives& primitives) {
    const Scene& scene = primitives.scene();
    FieldConflicts conflicts(scene);
    for (const VoxelInstance& instance : scene.voxelInstances) {
        const VoxelModel& model = scene.voxelModels[instance.model];
        if (!model.isLevelSet()) {
            conflicts.add(fmt::format("voxel model '{}'", model.name));
        } else if (scene.materials[model.materials[1]].alphaMode != AlphaMode::Opaque) {
            conflicts.add(fmt::format("level set '{}', whose material may have holes,", model.name), "an opaque one");
        }
    }
    std::vector<Closure> closures = meshClosures(primitives);
    for (std::size_t i = 0; i < closures.size(); ++i) {
        const MeshInstance& instance = scene.meshInstances[i];
        const Mesh& mesh = scene.meshes[instance.mesh];
        const bool opaque = materialOf(scene, instance).alphaMode == AlphaMode::Opaque;
        if (!opaque || closures[i] == Closure::Open) {
            conflicts.add(
                fmt::format("mesh '{}'{}, which {},", mesh.name, mesh.origin,
                            opaque ? "is not closed" : "has a material that is not opaque and may have holes"));
        }
    }
    conflicts.throwAny();
    return closures;
}

namespace {

std::int32_t crossed(std::int32_t number, const RowCrossing& crossing) {
    return crossing.turn != 0 ? number + 2 * crossing.turn : number ^ 1;
}

/// Of a brick's corners whether they are inside, 0 or 1, by z, then y, then x.
class InsideCorners {
public:
    InsideCorners(std::uint32_t corners, const FieldRows& entering, const std::vector<RowCrossing>& crossings)
        : corners_(corners) {
        inside_.resize(std::size_t{corners} * corners * corners);
        auto next = crossings.begin();
        auto out = inside_.begin();
        for (std::uint32_t row = 0; row < corners * corners; ++row) {
            std::int32_t number = entering.numbers.empty() ? entering.all : entering.numbers[row];
            std::uint32_t from = 0;
            for (; next != crossings.end() && next->row == row; ++next) {
                out = std::fill_n(out, next->x - from, static_cast<std::uint8_t>(number != 0 ? 1 : 0));
                from = next->x;
                number = crossed(number, *next);
            }
            out = std::fill_n(out, corners - from, static_cast<std::uint8_t>(number != 0 ? 1 : 0));
        }
    }

    shared::CornerDistances turned(const glm::uvec3& voxel, shared::CornerDistances distances) const {
        const std::size_t corners = corners_;
        const std::size_t first = (voxel.z * corners + voxel.y) * corners + voxel.x;
        std::array<std::uint32_t, 8> codes{};
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::size_t corner = first + (i & 1U) + ((i >> 1U) & 1U) * corners + (i >> 2U) * corners * corners;
            codes[i] = inside_[corner] != 0 ? FIELD_MAX_CODE : 0;
        }
        const shared::CornerDistances turn = packCorners(codes);
        return {distances.low ^ turn.low, distances.middle ^ turn.middle, distances.high ^ turn.high};
    }

private:
    static thread_local std::vector<std::uint8_t> inside_; // taken once, not for every brick
    std::uint32_t corners_;                                ///< a side
};

thread_local std::vector<std::uint8_t> InsideCorners::inside_;

} // namespace

FieldRows FieldSigns::enter(std::uint64_t brick, const std::vector<RowCrossing>& crossings) {
    const glm::uvec3 cell = codeCell(brick);
    FieldRows& rows = rows_[(std::uint64_t{cell.y} << 32U) | cell.z];
    FieldRows entering = rows;
    if (crossings.empty()) {
        return entering;
    }
    const std::uint32_t corners = side_ + 1;
    if (rows.numbers.empty()) {
        rows.numbers.assign(std::size_t{corners} * corners, rows.all);
    }
    for (const RowCrossing& crossing : crossings) {
        std::int32_t& number = rows.numbers[crossing.row];
        number = crossed(number, crossing);
    }
    if (std::equal(rows.numbers.begin() + 1, rows.numbers.end(), rows.numbers.begin())) {
        rows.all = rows.numbers.front();
        rows.numbers = {};
    }
    return entering;
}

/// Calls turn(voxel) for those of a brick, by their coordinates from its corner.
template <typename Turn>
void FieldSigns::visitVoxels(const std::vector<VoxelBlock>& blocks, const Turn& turn) const {
    for (const VoxelBlock& block : blocks) {
        const glm::uvec3 corner = codeCell(block.code & (blocks_ - 1)) << 2U;
        for (const std::uint32_t bit : setBits(block.mask)) {
            turn(corner + shared::bitCell(bit));
        }
    }
}

void FieldSigns::turn(const FieldRows& entering, const std::vector<RowCrossing>& crossings,
                      const std::vector<VoxelBlock>& blocks, bool ofOpaque, std::vector<FieldVoxel>& voxels) const {
    const InsideCorners inside(side_ + 1, entering, crossings);
    auto field = voxels.begin();
    visitVoxels(blocks, [&](const glm::uvec3& voxel) {
        if (field->ofOpaque == ofOpaque) {
            field->distances = inside.turned(voxel, field->distances);
        }
        ++field;
    });
}

void FieldSigns::turn(const FieldRows& entering, const std::vector<RowCrossing>& crossings,
                      const std::vector<VoxelBlock>& blocks, std::span<const shared::CornerDistances> distances,
                      shared::CornerDistances* to) const {
    const InsideCorners inside(side_ + 1, entering, crossings);
    auto from = distances.begin();
    visitVoxels(blocks, [&](const glm::uvec3& voxel) { *to++ = inside.turned(voxel, *from++); });
}

void sortCrossings(std::vector<RowCrossing>& crossings) {
    std::sort(crossings.begin(), crossings.end(),
              [](const RowCrossing& a, const RowCrossing& b) { return std::tie(a.row, a.x) < std::tie(b.row, b.x); });
}

} // namespace aureole
