#include "import/model_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

#include "import/extreme_points.h"
#include "model/triangle_area.h"

namespace aureole {

namespace {

/// The side of a model's voxels where it consists of voxels alone, all of one size and along the axes; otherwise 0.
double commonCell(const ImportedModel& model) {
    if (!model.meshInstances.empty() || model.voxelInstances.empty()) {
        return 0.0;
    }
    const double cell = glm::length(glm::dvec3(model.voxelInstances.front().worldFromModel[0]));
    for (const VoxelInstance& instance : model.voxelInstances) {
        for (glm::length_t column = 0; column < 3; ++column) {
            const glm::dvec3 edge = glm::abs(glm::dvec3(instance.worldFromModel[column]));
            const double longest = std::max({edge.x, edge.y, edge.z});
            if (std::abs(longest - cell) > 1e-9 * cell || edge.x + edge.y + edge.z - longest > 1e-9 * cell) {
                return 0.0;
            }
        }
    }
    return cell;
}

/// The average side of the cells of the finest level set; 0 where there is none.
double levelSetCell(const ImportedModel& model) {
    double finest = 0.0;
    for (const VoxelInstance& instance : model.voxelInstances) {
        const double side = std::cbrt(std::abs(glm::determinant(glm::dmat3(instance.worldFromModel))));
        if (model.voxelModels[instance.model].isLevelSet() && (finest == 0.0 || side < finest)) {
            finest = side;
        }
    }
    return finest;
}

/// Adds the cells that a level set's surface goes through.
void addSurface(const LevelSet& levelSet, const glm::dmat4& worldFromModel, Bounds& bounds) {
    const glm::dmat3 axes(worldFromModel);
    const glm::dvec3 reach = 0.5 * (glm::abs(axes[0]) + glm::abs(axes[1]) + glm::abs(axes[2]));
    for (const glm::ivec3& cell : crossedCells(levelSet)) {
        const glm::dvec3 middle(worldFromModel * glm::dvec4(glm::dvec3(cell) + 0.5, 1.0));
        bounds.add(middle - reach);
        bounds.add(middle + reach);
    }
}

/// By how much a matrix makes all lengths longer; none where that is not one number.
std::optional<double> evenScale(const glm::dmat4& matrix) {
    constexpr double kRounding = 1e-9;
    const glm::dmat3 axes(matrix);
    const glm::dmat3 square = glm::transpose(axes) * axes;
    const double most = kRounding * square[0][0];
    const bool isEven = std::abs(square[1][1] - square[0][0]) <= most &&
                        std::abs(square[2][2] - square[0][0]) <= most && std::abs(square[0][1]) <= most &&
                        std::abs(square[0][2]) <= most && std::abs(square[1][2]) <= most;
    return isEven ? std::optional(std::sqrt(square[0][0])) : std::nullopt;
}

/// The area of all surfaces; of a voxel's cells, that of one face for each, as inner ones have none and outer ones
/// more.
double modelArea(const ImportedModel& model) {
    double area = 0.0;
    std::vector<std::optional<double>> own(model.meshes.size()); // in their own coordinates
    for (const MeshInstance& instance : model.meshInstances) {
        const Mesh& mesh = model.meshes[instance.mesh];
        if (const std::optional<double> scale = evenScale(instance.worldFromMesh)) {
            std::optional<double>& known = own[instance.mesh];
            known = known ? known : areaOf(mesh, glm::dmat4(1.0));
            area += *known * *scale * *scale;
        } else {
            area += areaOf(mesh, instance.worldFromMesh);
        }
    }
    std::map<std::uint32_t, double> solid; // of models, which may be placed a million times
    for (const VoxelInstance& instance : model.voxelInstances) {
        const auto [cells, isNew] = solid.try_emplace(instance.model);
        if (isNew) {
            cells->second = static_cast<double>(solidCells(model.voxelModels[instance.model]));
        }
        area += cells->second * std::pow(std::abs(glm::determinant(glm::dmat3(instance.worldFromModel))), 2.0 / 3.0);
    }
    return area;
}

/// Adds the boxes of voxel models where instances place them. `solid` has those that are known by now.
void addVoxels(const ImportedModel& model, const std::vector<VoxelInstance>& instances,
               std::map<std::uint32_t, Bounds>& solid, Bounds& bounds) {
    for (const VoxelInstance& instance : instances) {
        const VoxelModel& voxels = model.voxelModels[instance.model];
        if (voxels.isLevelSet()) {
            addSurface(voxels.levelSet, instance.worldFromModel, bounds);
            continue;
        }
        const auto [found, isNew] = solid.try_emplace(instance.model);
        if (isNew) {
            found->second = solidBounds(voxels);
        }
        bounds.add(transformed(found->second, instance.worldFromModel));
    }
}

/// Adds the ends of all rows of solid cells of a voxel model, in its own coordinates.
void addRows(const VoxelModel& voxels, ExtremePoints& hull) {
    const auto isSolid = [](std::uint8_t cell) { return cell != 0; };
    auto row = voxels.cells.begin();
    for (std::uint32_t z = 0; z < voxels.size.z; ++z) {
        for (std::uint32_t y = 0; y < voxels.size.y; ++y, row += voxels.size.x) {
            const auto end = row + voxels.size.x;
            const auto first = std::find_if(row, end, isSolid);
            const auto last = std::find_if(std::reverse_iterator(end), std::reverse_iterator(first), isSolid);
            if (first != end) {
                hull.add(Bounds{glm::dvec3(first - row, y, z), glm::dvec3(last.base() - row, y + 1, z + 1)});
            }
        }
    }
}

/// The hulls of what is placed many times, in its own coordinates, by its number.
struct PartHull {
    std::vector<glm::dvec3> points;
    Bounds box;
};
using PartHulls = std::map<std::uint32_t, PartHull>;

/// Adds a part where a matrix places it; `addPart` adds one to its own hull that is not known yet.
template <typename AddPart>
void addPlaced(std::uint32_t part, const glm::dmat4& worldFromPart, PartHulls& known, const AddPart& addPart,
               ExtremePoints& hull) {
    const auto [found, isNew] = known.try_emplace(part);
    if (isNew) {
        ExtremePoints own;
        addPart(own);
        found->second.points = own.points();
        for (const glm::dvec3& point : found->second.points) {
            found->second.box.add(point);
        }
    }
    if (hull.hold(transformed(found->second.box, worldFromPart))) {
        return; // as most of many are, within others
    }
    Bounds bounds;
    std::vector<glm::dvec3> placed;
    for (const glm::dvec3& point : found->second.points) {
        bounds.add(placed.emplace_back(worldFromPart * glm::dvec4(point, 1.0)));
    }
    if (!hull.hold(bounds)) {
        std::for_each(placed.begin(), placed.end(), [&](const glm::dvec3& point) { hull.add(point); });
    }
}

/// `bounds` are the model's. The surfaces of level sets lie in most of their boxes.
std::vector<glm::dvec3> hullOf(const ImportedModel& model, const Bounds& bounds) {
    if (model.octree || levelSetCell(model) > 0.0) {
        return cornersOf(bounds);
    }
    ExtremePoints hull;
    PartHulls meshes;
    for (const MeshInstance& instance : model.meshInstances) {
        addPlaced(
            instance.mesh, instance.worldFromMesh, meshes,
            [&](ExtremePoints& own) {
                for (const glm::vec3& position : model.meshes[instance.mesh].positions) {
                    own.add(glm::dvec3(position));
                }
            },
            hull);
    }
    PartHulls voxels;
    for (const VoxelInstance& instance : model.voxelInstances) {
        addPlaced(
            instance.model, instance.worldFromModel, voxels,
            [&](ExtremePoints& own) { addRows(model.voxelModels[instance.model], own); }, hull);
    }
    hull.add(model.laterBounds.value_or(Bounds{}));
    return hull.points();
}

} // namespace

std::size_t solidCells(const VoxelModel& model) {
    const std::vector<std::uint8_t>& cells = model.cells;
    return cells.size() - static_cast<std::size_t>(std::count(cells.begin(), cells.end(), std::uint8_t{0})) +
           crossedCells(model.levelSet).size();
}

Bounds solidBounds(const VoxelModel& voxels) {
    Bounds solid;
    std::size_t cell = 0;
    for (std::uint32_t z = 0; z < voxels.size.z; ++z) {
        for (std::uint32_t y = 0; y < voxels.size.y; ++y) {
            for (std::uint32_t x = 0; x < voxels.size.x; ++x) {
                if (voxels.cells[cell++] != 0) {
                    solid.add(glm::dvec3(x, y, z));
                    solid.add(glm::dvec3(x + 1, y + 1, z + 1));
                }
            }
        }
    }
    return solid;
}

bool anyTriangleHasArea(const Mesh& mesh, const glm::dmat4& worldFromMesh) {
    return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const glm::uvec3& triangle) {
        std::array<glm::dvec3, 3> corners;
        for (int i = 0; i < 3; ++i) {
            corners[static_cast<std::size_t>(i)] =
                glm::dvec3(worldFromMesh * glm::dvec4(mesh.positions[triangle[i]], 1.0));
        }
        return hasArea(corners);
    });
}

double areaOf(const Mesh& mesh, const glm::dmat4& worldFromMesh) {
    const auto at = [&](std::uint32_t vertex) {
        return glm::dvec3(worldFromMesh * glm::dvec4(mesh.positions[vertex], 1.0));
    };
    double twice = 0.0;
    for (const glm::uvec3& triangle : mesh.triangles) {
        const glm::dvec3 a = at(triangle.x);
        twice += glm::length(glm::cross(at(triangle.y) - a, at(triangle.z) - a));
    }
    return 0.5 * twice;
}

Bounds modelBounds(const ImportedModel& model) {
    Bounds bounds = model.octree ? model.octree->bounds : Bounds{};
    std::vector<Bounds> boxes(model.meshes.size()); // of meshes, which may be placed a million times
    for (const MeshInstance& instance : model.meshInstances) {
        const Mesh& mesh = model.meshes[instance.mesh];
        Bounds& box = boxes[instance.mesh];
        box = box.empty() ? boundsOf(mesh) : box;
        const Bounds placed = transformed(box, instance.worldFromMesh);
        if (placed.empty() || (bounds.holds(placed.min) && bounds.holds(placed.max))) {
            continue;
        }
        for (const glm::vec3& position : mesh.positions) {
            bounds.add(glm::dvec3(instance.worldFromMesh * glm::dvec4(position, 1.0)));
        }
    }
    std::map<std::uint32_t, Bounds> solid;
    addVoxels(model, model.voxelInstances, solid, bounds);
    if (model.laterBounds) {
        bounds.add(*model.laterBounds);
    }
    return bounds;
}

std::vector<glm::dvec3> cornersOf(const Bounds& box) {
    std::vector<glm::dvec3> corners;
    for (unsigned number = 0; number < 8; ++number) {
        corners.push_back(box.corner(number));
    }
    return corners;
}

ModelOutline outlineOf(const ImportedModel& model) {
    if (model.outline) {
        return *model.outline;
    }
    const Bounds bounds = modelBounds(model);
    return {bounds,       commonCell(model), modelArea(model),     levelSetCell(model),
            model.points, model.frames,      hullOf(model, bounds)};
}

} // namespace aureole
