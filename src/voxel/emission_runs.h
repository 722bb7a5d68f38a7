#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "shared/octree.h"
#include "voxel/radiance.h"

namespace aureole {

/// Numbers the radiances of voxels in few bits: voxels in order form runs, each with a palette of its own, and a new
/// run begins where the old one's palette would overflow.
class EmissionRuns {
public:
    /// Writes the numbers of some voxels' radiances, at most 64, into their attributes, the first of which is number
    /// `first`. In ascending order; voxels without emission may be left out.
    void assign(std::uint64_t first, std::span<const glm::vec3> radiances,
                std::span<shared::VoxelAttributes> attributes);

    /// The palettes one after the other behind black, and the runs. The first of these begins at attributes 0;
    /// there is none where nothing emits.
    std::vector<glm::vec3> takeEmissions() { return std::move(emissions_); }
    std::vector<shared::EmissionRun> takeRuns() { return std::move(runs_); }

private:
    std::vector<glm::vec3> emissions_{glm::vec3(0.0F)};
    std::vector<shared::EmissionRun> runs_;
    std::unordered_map<glm::vec3, std::uint32_t, RadianceHash> numbers_; ///< of the current run, from 1
};

} // namespace aureole
