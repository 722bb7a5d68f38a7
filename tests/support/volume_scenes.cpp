#include "volume_scenes.h"

namespace aureole::test {

DensityGrid densityOf(const glm::ivec3& low, const glm::ivec3& high, double cell,
                      const std::function<double(const glm::dvec3&)>& density) {
    DensityGrid grid;
    grid.name = "density";
    grid.worldFromPoint = glm::dmat4(glm::dmat3(cell));
    const auto blockOf = [](const glm::ivec3& point) { return point >> 3; }; // which rounds down
    glm::ivec3 block;
    for (block.z = blockOf(low).z; block.z <= blockOf(high - 1).z; ++block.z) {
        for (block.y = blockOf(low).y; block.y <= blockOf(high - 1).y; ++block.y) {
            for (block.x = blockOf(low).x; block.x <= blockOf(high - 1).x; ++block.x) {
                grid.values.push_back(static_cast<std::uint32_t>(grid.blocks.size()));
                grid.blocks.push_back(block);
                for (int i = 0; i < 512; ++i) {
                    const glm::ivec3 point = 8 * block + glm::ivec3(i & 7, i >> 3 & 7, i >> 6);
                    const bool within =
                        glm::all(glm::greaterThanEqual(point, low)) && glm::all(glm::lessThan(point, high));
                    grid.densities.push_back(within ? static_cast<float>(density(cell * glm::dvec3(point))) : 0.0F);
                }
            }
        }
    }
    return grid;
}

void addVolume(Scene& scene, const DensityGrid& grid, const glm::vec3& scattering, const glm::vec3& absorption,
               float anisotropy) {
    Volume volume;
    volume.name = grid.name;
    volume.tree = makeDensityTree(grid, grid.name);
    volume.scattering = scattering;
    volume.absorption = absorption;
    volume.anisotropy = anisotropy;
    scene.volumeInstances.push_back({static_cast<std::uint32_t>(scene.volumes.size())});
    scene.volumes.push_back(std::move(volume));
}

} // namespace aureole::test
