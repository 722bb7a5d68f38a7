#include "scene/instance_numbers.h"

#include <map>

#include <fmt/format.h>

#include "core/printable.h"

namespace aureole {

namespace {

constexpr const char* kOwnOctree = "scene";

std::string nameOf(const GridPlacement& placement, const SceneGrid& grid) {
    if (grid.name.empty()) {
        return kOwnOctree;
    }
    return grid.part.empty() ? placement.name : placement.name + "/" + grid.part;
}

} // namespace

InstanceNumbers instanceNumbers(const Scene& scene) {
    if (!scene.hasGrids()) {
        return {{kOwnOctree}, {1}, {kOwnOctree}};
    }
    InstanceNumbers numbers;
    // An asset has several octrees where its instances differ in materials or frames.
    std::map<std::string, std::uint32_t> numberOf;
    std::vector<std::uint32_t> ofGrid;
    for (const SceneGrid& grid : scene.grids) {
        const std::string name = grid.name.empty() ? kOwnOctree : labelOf(grid);
        const auto next = static_cast<std::uint32_t>(numbers.assets.size() + 1);
        const auto [found, isNew] = numberOf.try_emplace(labelOf(grid), next);
        if (isNew) {
            numbers.assets.push_back(name);
        }
        ofGrid.push_back(found->second);
    }
    for (const GridPlacement& placement : scene.gridPlacements) {
        numbers.instances.push_back(nameOf(placement, scene.grids.at(placement.grid)));
        numbers.assetOf.push_back(ofGrid[placement.grid]);
    }
    return numbers;
}

std::string numberedNames(const std::vector<std::string>& names) {
    std::string lines;
    for (std::size_t first = 0; first < names.size();) {
        std::size_t next = first + 1;
        while (next < names.size() && names[next] == names[first]) {
            ++next;
        }
        const std::string last = next - first > 1 ? fmt::format("-{}", next) : "";
        lines += fmt::format("{}{}{} {}", first == 0 ? "" : "\n", first + 1, last, onOneLine(names[first]));
        first = next;
    }
    return lines;
}

} // namespace aureole
