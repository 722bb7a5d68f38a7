// "volume" of an asset: smoke or a cloud by the densities of a file, fire by its temperatures.

#include "scene/json/json_volume.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "core/printable.h"
#include "scene/scene_memory.h"
#include "scene/volume_heat.h"

namespace aureole {

namespace {

/// The name of a grid, and the key that gives it, if there is one.
struct GridName {
    std::string name;
    std::optional<ValueReader> key;
};

/// What "temperature" asks for: kelvin where its grid has t are `scale` t + `offset`.
struct Temperature {
    GridName grid{"temperature", {}};
    double scale = 1.0;
    double offset = 0.0;
    std::optional<ValueReader> place{}; ///< where what is wrong with the grid is told
};

/// Hotter than any star that is seen by its colour: beyond it colours change no more.
constexpr double kHottest = 40000.0;
/// What is colder gives off less than a billionth of the light that it does at 2000 K.
constexpr double kColdest = 700.0;

void readGridName(ObjectReader& in, GridName& grid) {
    grid.key = in.find("grid");
    if (grid.key && grid.key->read(grid.name) && grid.name.empty()) {
        grid.key->expected("the name of a grid");
    }
}

std::optional<Temperature> readTemperature(ObjectReader& in) {
    const auto value = in.find("temperature");
    if (!value) {
        return std::nullopt;
    }
    Temperature temperature;
    value->readObject([&](ObjectReader& own) {
        readGridName(own, temperature.grid);
        temperature.place = temperature.grid.key.value_or(own.value());
        own.number("scale", temperature.scale, kPositive);
        own.number("offset", temperature.offset, {0.0, kHottest});
    });
    return temperature;
}

/// The file's temperatures as a tree and its colours; `left` is the memory that the tree may take. Throws Error
/// (BadInput).
VolumeHeat readHeat(const std::filesystem::path& path, const Temperature& asked, const ImportGrid& import,
                    std::uint64_t left) {
    const ImportedModel model = import(path, asked.grid.name);
    const std::string place = fmt::format("{}: grid '{}'", path.string(), excerpt(asked.grid.name));
    if (!model.volume) {
        fail(ExitCode::BadInput, "{}: found a surface, expected temperatures, as a grid of fog", place);
    }
    DensityTree tree = makeDensityTree(*model.volume, place, left);
    const double hottest = asked.scale * double{tree.most()} + asked.offset;
    if (!(hottest <= kHottest)) {
        fail(ExitCode::BadInput,
             "{}: found {:g} K, by its largest value {:g} and the scale {:g}, expected {:g} K at "
             "most",
             place, hottest, tree.most(), asked.scale, kHottest);
    }
    if (hottest < kColdest) {
        logWarning("{}: found {:.4g} K at most, by its largest value {:g} and the scale {:g}, at which nothing is seen "
                   "to glow: 'scale' of 'temperature' is what kelvin a value of 1 stands for",
                   place, hottest, tree.most(), asked.scale);
    }
    return makeVolumeHeat(std::move(tree), asked.scale, asked.offset);
}

/// The file's densities as a tree, and its temperatures where they are asked for.
void readFile(const ValueReader& file, const GridName& grid, const std::optional<Temperature>& temperature,
              const ImportGrid& import, SceneDraft& draft, Volume& volume, std::string& hash) {
    const auto path = readAssetPath(file, draft.folder);
    if (!path) {
        return;
    }
    std::uint64_t left = 0;
    const bool isRead = noteErrors(file, {grid.key, {}}, *path, [&] {
        const ImportedModel model = import(*path, grid.name);
        const std::string name = path->string();
        if (!model.volume) {
            fail(ExitCode::BadInput,
                 "{}: found surfaces, expected fog of a .vdb or .nvdb file{}: surfaces are read by "
                 "the asset's 'file' in place of 'volume'",
                 name, grid.name.empty() ? ", whose name 'grid' may say" : "");
        }
        left = memoryLeft(draft);
        const std::string place = fmt::format("{}: grid '{}'", name, excerpt(model.volume->name));
        volume.tree = makeDensityTree(*model.volume, place, left);
        hash = model.hash;
        draft.files.add(model.hash);
        draft.scene.files.insert(draft.scene.files.end(), model.files.begin(), model.files.end());
        left -= std::min(left, bytesOf(volume));
    });
    if (isRead && temperature) {
        noteErrors(*temperature->place, [&] { volume.heat = readHeat(*path, *temperature, import, left); });
    }
}

/// A cloud has some tens or hundreds.
constexpr double kMostPathsAcross = 1e6;

} // namespace

void checkPlacedVolume(const Volume& volume, const glm::dmat4& transform, const ObjectReader& in) {
    const glm::dmat4 worldFromCells = transform * volume.tree.worldFromCells;
    const glm::mat3 cellsFromWorld(glm::inverse(glm::dmat3(worldFromCells)));
    const glm::vec3 squares(glm::dot(cellsFromWorld[0], cellsFromWorld[0]),
                            glm::dot(cellsFromWorld[1], cellsFromWorld[1]),
                            glm::dot(cellsFromWorld[2], cellsFromWorld[2]));
    if (!std::isfinite(squares.x + squares.y + squares.z)) {
        in.problem("found a placement that leaves its volume no width, expected one that keeps all three axes");
        return;
    }
    const glm::vec3 extinction = volume.scattering + volume.absorption;
    const double paths = glm::length(boundsOf(volume.tree, worldFromCells).extent()) * double{volume.tree.most()} *
                         double{std::max({extinction.x, extinction.y, extinction.z})};
    if (!(paths <= kMostPathsAcross)) {
        in.problem(fmt::format("found a volume of {:.3g} mean free paths across, expected {:g} at most: its asset's "
                               "'density' is too large",
                               paths, kMostPathsAcross));
    }
}

std::vector<std::string> gridsOfVolume(ObjectReader& in) {
    GridName grid;
    readGridName(in, grid);
    std::vector<std::string> grids = {grid.name};
    if (const std::optional<Temperature> temperature = readTemperature(in)) {
        grids.push_back(temperature->grid.name);
    }
    return grids;
}

std::optional<PlacedAsset> readVolume(const std::string& name, const ValueReader& value, const ImportGrid& import,
                                      SceneDraft& draft) {
    Volume volume;
    volume.name = name;
    PlacedAsset placed;
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        GridName grid;
        readGridName(in, grid);
        const std::optional<Temperature> temperature = readTemperature(in);
        volume.emission = glm::vec3(temperature ? 1.0F : 0.0F);
        glm::vec3 density(1.0F);
        glm::vec3 albedo(1.0F);
        in.colour("density", density, kNotNegative);
        in.colour("albedo", albedo, kUnit);
        in.colour("emission", volume.emission, kNotNegative);
        in.number("anisotropy", volume.anisotropy, {kMinimumAnisotropy, kMaximumAnisotropy});
        volume.scattering = density * albedo;
        volume.absorption = density - volume.scattering;
        if (glm::any(glm::lessThanEqual(density, glm::vec3(0.0F)) &&
                     glm::greaterThan(volume.emission, glm::vec3(0.0F)))) {
            in.problem("emission", "found light of a colour whose density is 0, expected it where there is something");
        }
        if (density == glm::vec3(0.0F)) {
            in.problem("density", "found a volume of nothing, expected a density above 0");
        }
        if (const auto file = in.require("file"); file && value.log().problems.size() == before) {
            readFile(*file, grid, temperature, import, draft, volume, placed.fileHash);
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
