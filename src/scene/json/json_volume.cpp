// "volume" of an asset: smoke or a cloud by the densities of a file.

#include "scene/json/json_volume.h"

#include "core/error.h"
#include "scene/scene_memory.h"

namespace aureole {

namespace {

/// The file's densities as a tree.
void readFile(const ValueReader& file, const std::string& grid, const ImportGrid& import, SceneDraft& draft,
              Volume& volume, std::string& hash) {
    const auto path = readAssetPath(file, draft.folder);
    if (!path) {
        return;
    }
    noteErrors(file, [&] {
        const ImportedModel model = import(*path, grid);
        const std::string name = path->string();
        if (!model.volume) {
            fail(ExitCode::BadInput,
                 "{}: found surfaces, expected fog of a .vdb or .nvdb file{}: surfaces are read by "
                 "the asset's 'file' in place of 'volume'",
                 name, grid.empty() ? ", whose name 'grid' may say" : "");
        }
        volume.tree = makeDensityTree(*model.volume, fmt::format("{}: grid '{}'", name, model.volume->name));
        hash = model.hash;
        draft.files.add(model.hash);
        draft.scene.files.insert(draft.scene.files.end(), model.files.begin(), model.files.end());
    });
}

} // namespace

std::optional<PlacedAsset> readVolume(const std::string& name, const ValueReader& value, const ImportGrid& import,
                                      SceneDraft& draft) {
    Volume volume;
    volume.name = name;
    PlacedAsset placed;
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        std::string grid;
        if (const auto asked = in.find("grid"); asked && asked->read(grid) && grid.empty()) {
            asked->expected("the name of a grid");
        }
        glm::vec3 density(1.0F);
        glm::vec3 albedo(1.0F);
        in.colour("density", density, kNotNegative);
        in.colour("albedo", albedo, kUnit);
        in.colour("emission", volume.emission, kNotNegative);
        in.number("anisotropy", volume.anisotropy, {kMinimumAnisotropy, kMaximumAnisotropy});
        volume.scattering = density * albedo;
        volume.absorption = density - volume.scattering;
        if (density == glm::vec3(0.0F)) {
            in.problem("density", "found a volume of nothing, expected a density above 0");
        }
        if (const auto file = in.require("file"); file && value.log().problems.size() == before) {
            readFile(*file, grid, import, draft, volume, placed.fileHash);
        }
    });
    if (value.log().problems.size() != before) {
        return std::nullopt;
    }
    takeMemory(value, bytesOf(volume), draft);
    placed.isSolid = false;
    placed.volume = static_cast<std::uint32_t>(draft.scene.volumes.size());
    draft.scene.volumes.push_back(std::move(volume));
    return placed;
}

} // namespace aureole
