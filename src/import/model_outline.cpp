#include "import/model_outline.h"

#include <algorithm>
#include <cmath>

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

} // namespace

Bounds modelBounds(const ImportedModel& model) {
    Bounds bounds = model.octree ? model.octree->bounds : Bounds{};
    for (const MeshInstance& instance : model.meshInstances) {
        for (const glm::vec3& position : model.meshes[instance.mesh].positions) {
            bounds.add(glm::dvec3(instance.worldFromMesh * glm::dvec4(position, 1.0)));
        }
    }
    for (const VoxelInstance& instance : model.voxelInstances) {
        const VoxelModel& voxels = model.voxelModels[instance.model];
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
        for (unsigned corner = 0; corner < 8 && !solid.empty(); ++corner) {
            const glm::dvec4 at((corner & 1U) != 0 ? solid.max.x : solid.min.x,
                                (corner & 2U) != 0 ? solid.max.y : solid.min.y,
                                (corner & 4U) != 0 ? solid.max.z : solid.min.z, 1.0);
            bounds.add(glm::dvec3(instance.worldFromModel * at));
        }
    }
    return bounds;
}

ModelOutline outlineOf(const ImportedModel& model) {
    return model.outline ? *model.outline : ModelOutline{modelBounds(model), commonCell(model)};
}

} // namespace aureole
