#include "voxel/emission_runs.h"

#include <algorithm>

#include "core/error.h"
#include "shared/attributes.h"

namespace aureole {

void EmissionRuns::assign(std::uint64_t first, std::span<const glm::vec3> radiances,
                          std::span<shared::VoxelAttributes> attributes) {
    // 64 radiances are fewer than a palette, so they never need two runs.
    std::vector<glm::vec3> fresh;
    for (const glm::vec3& radiance : radiances) {
        if (radiance != glm::vec3(0.0F) && !numbers_.contains(radiance) &&
            std::find(fresh.begin(), fresh.end(), radiance) == fresh.end()) {
            fresh.push_back(radiance);
        }
    }
    if (runs_.empty() || numbers_.size() + fresh.size() > ATTRIBUTE_MAX_EMISSION) {
        numbers_.clear();
        const std::uint32_t before = static_cast<std::uint32_t>(emissions_.size() - 1);
        runs_.push_back({runs_.empty() ? 0 : first, before, 0});
    }
    for (const glm::vec3& radiance : radiances) {
        if (radiance != glm::vec3(0.0F) && !numbers_.contains(radiance)) {
            numbers_.emplace(radiance, static_cast<std::uint32_t>(numbers_.size() + 1));
            emissions_.push_back(radiance);
        }
    }
    if (emissions_.size() > std::size_t{1} << 31U) {
        fail(ExitCode::OutOfMemory, "the scene's voxels have more than 2^31 emissions; lower the resolution");
    }
    for (std::size_t i = 0; i < radiances.size(); ++i) {
        if (radiances[i] != glm::vec3(0.0F)) {
            attributes[i].shading |= numbers_.at(radiances[i]) << ATTRIBUTE_EMISSION_SHIFT;
        }
    }
}

} // namespace aureole
