#include "import/schematic/schematic_import.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/extension.h"
#include "core/log.h"
#include "core/printable.h"
#include "import/schematic/block_looks.h"
#include "import/schematic/schematic_file.h"

namespace aureole::schematic {

namespace {

constexpr std::size_t kIndices = 255; ///< that a voxel model can have, beside 0 for what is empty

/// By what the file holds, whatever its extension, which only says as what it is tried first.
std::vector<Region> readRegions(const AssetReader& reader) {
    const std::vector<std::byte> bytes = reader.readModel();
    const std::string extension = lowerExtension(reader.file());
    std::array kinds = {readSchematic, readLitematic, readStructure};
    const std::ptrdiff_t first = extension == ".litematic" ? 1 : extension == ".nbt" ? 2 : 0;
    std::rotate(kinds.begin(), kinds.begin() + first, kinds.end());
    for (const auto& read : kinds) {
        if (std::optional<std::vector<Region>> regions = read(bytes, reader.name())) {
            return std::move(*regions);
        }
    }
    fail(ExitCode::BadInput,
         "{}: found no entry of a build, expected Palette with BlockData or Data (.schem), Blocks (.schematic), "
         "Regions (.litematic), or palette and blocks (.nbt)",
         reader.name());
}

/// Makes voxel models of regions, whose blocks share materials.
class Builder {
public:
    Builder(ImportedModel& model, const std::string& name)
        : model_(model)
        , name_(name) {}

    void add(const Region& region) {
        const std::vector<std::uint32_t> materials = materialsOf(region);
        std::vector<std::uint32_t> used = materialsThatShow(region, materials);
        // Solids of glass and water that touch must be of one model to know of each other; nearly always all are.
        std::stable_partition(used.begin(), used.end(), [&](std::uint32_t material) {
            return model_.materials[material].model == MaterialModel::Dielectric;
        });
        for (std::size_t first = 0; first < used.size(); first += kIndices) {
            addCells(region, materials, std::span(used).subspan(first, std::min(kIndices, used.size() - first)));
        }
    }

    /// Tells of the blocks that no word says anything of.
    void warnOfUnknown() const {
        constexpr std::size_t kShown = 5;
        if (!unknown_.empty()) {
            const auto end =
                std::next(unknown_.begin(), static_cast<std::ptrdiff_t>(std::min(kShown, unknown_.size())));
            logWarning("{}: found names of blocks that say no colour, which are grey: {}{}", name_,
                       fmt::join(unknown_.begin(), end, ", "),
                       unknown_.size() > kShown ? fmt::format(" and {} more", unknown_.size() - kShown) : "");
        }
    }

private:
    /// For each block of the palette, its material, or kNone where it is nothing.
    std::vector<std::uint32_t> materialsOf(const Region& region) {
        std::vector<std::uint32_t> materials;
        for (const std::string& state : region.palette) {
            BlockLook look = lookOf(state);
            if (!look.isSolid) {
                materials.push_back(kNone);
                continue;
            }
            const auto [number, isNew] =
                numbers_.try_emplace(look.material.name, static_cast<std::uint32_t>(model_.materials.size()));
            if (isNew) {
                if (!look.isKnown) {
                    unknown_.insert(onOneLine(look.material.name));
                }
                model_.materials.push_back(std::move(look.material));
            }
            materials.push_back(number->second);
        }
        return materials;
    }

    /// The materials that blocks have, each once, in the order of the palette.
    static std::vector<std::uint32_t> materialsThatShow(const Region& region, std::vector<std::uint32_t> materials) {
        std::vector<bool> isUsed(materials.size(), false);
        for (const std::uint16_t block : region.blocks) {
            if (block != Region::kNoBlock) {
                isUsed[block] = true;
            }
        }
        std::vector<std::uint32_t> used;
        std::set<std::uint32_t> seen{kNone};
        for (std::size_t i = 0; i < materials.size(); ++i) {
            if (isUsed[i] && seen.insert(materials[i]).second) {
                used.push_back(materials[i]);
            }
        }
        return used;
    }

    /// A model of the blocks that have one of `indexed`, at most kIndices materials; `materials` are those of the
    /// palette.
    void addCells(const Region& region, const std::vector<std::uint32_t>& materials,
                  std::span<const std::uint32_t> indexed) {
        VoxelModel& model = model_.voxelModels.emplace_back();
        model.name = region.name;
        model.size = region.size;
        model.materials.fill(kNone);
        std::map<std::uint32_t, std::uint8_t> indices;
        for (std::size_t i = 0; i < indexed.size(); ++i) {
            model.materials.at(i + 1) = indexed[i];
            indices[indexed[i]] = static_cast<std::uint8_t>(i + 1);
        }
        std::vector<std::uint8_t> cellOf(std::size_t{Region::kNoBlock} + 1, 0); // by the number of the block
        for (std::size_t i = 0; i < materials.size(); ++i) {
            const auto index = indices.find(materials[i]);
            cellOf[i] = index == indices.end() ? std::uint8_t{0} : index->second;
        }
        model.cells.resize(region.blocks.size());
        const glm::uvec3& size = region.size;
        const std::uint16_t* block = region.blocks.data();
        for (std::size_t y = 0; y < size.y; ++y) {
            for (std::size_t z = 0; z < size.z; ++z) {
                std::uint8_t* const row = model.cells.data() + size.x * (y + size.y * z);
                for (std::size_t x = 0; x < size.x; ++x) {
                    row[x] = cellOf[*block++];
                }
            }
        }
        glm::dmat4 world(1.0);
        world[3] = glm::dvec4(glm::dvec3(region.origin), 1.0);
        model_.voxelInstances.push_back({static_cast<std::uint32_t>(model_.voxelModels.size() - 1), world});
    }

    ImportedModel& model_;
    const std::string& name_;
    std::map<std::string, std::uint32_t> numbers_; ///< of materials, by their names
    std::set<std::string> unknown_;
};

} // namespace

ImportedModel importSchematic(const AssetReader& reader) {
    std::vector<Region> regions = readRegions(reader);
    ImportedModel model;
    Builder builder(model, reader.name());
    for (Region& region : regions) {
        builder.add(region);
        region.blocks = {}; // they take room
    }
    builder.warnOfUnknown();
    if (model.voxelInstances.empty()) {
        fail(ExitCode::BadInput, "{}: holds no block that shows, expected at least one", reader.name());
    }
    return model;
}

} // namespace aureole::schematic
