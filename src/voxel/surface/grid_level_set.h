#pragma once

#include "model/level_set.h"
#include "voxel/build/primitives.h"

namespace aureole {

/// A level set where it stands in the grid.
class GridLevelSet {
public:
    /// The primitives outlive it.
    GridLevelSet(const Primitives& primitives, std::uint32_t instance);

    /// The signed distance at a corner of voxels, in voxels.
    float at(const glm::ivec3& corner) const {
        return sampler_.at(glm::dvec3(modelFromGrid_ * glm::dvec4(glm::dvec3(corner), 1.0))) * voxelsPerCell_;
    }
    float voxelsPerCell() const { return voxelsPerCell_; }
    /// No distance is greater.
    float farthest() const { return farthest_; }
    /// The box around the surface and what is within a field's reach of it.
    const Bounds& reach() const { return reach_; }
    /// A place in voxels, in the level set's model.
    glm::dvec3 inModel(const glm::dvec3& place) const { return {modelFromGrid_ * glm::dvec4(place, 1.0)}; }
    /// About where the surface goes through a cell of the level set, in voxels.
    glm::dvec3 placeIn(const glm::uvec3& cell) const;
    /// To which side the surface faces there; unit length.
    glm::vec3 normalIn(const glm::uvec3& cell) const;

private:
    glm::dmat4 modelFromGrid_;
    glm::dmat4 gridFromModel_;
    LevelSetSampler sampler_;
    float voxelsPerCell_;
    float farthest_;
    Bounds reach_;
};

} // namespace aureole
