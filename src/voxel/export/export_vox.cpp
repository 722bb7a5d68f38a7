// MagicaVoxel's .vox, after the published format text and its extension (ephtracy/voxel-model).

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/set_bits.h"
#include "import/octree_header.h"
#include "voxel/export/export.h"
#include "voxel/export/export_palette.h"
#include "voxel/export/export_stream.h"
#include "voxel/export/vox_chunks.h"
#include "voxel/export/vox_look.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/level.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kVersion = 200;
constexpr std::int32_t kModelSide = 256;
constexpr std::uint32_t kTileShift = 18; ///< of block codes: 64^3 blocks are a model

/// Where voxel (0, 0, 0) of the octree stands, in whole voxels; our axes.
struct Placement {
    glm::i64vec3 origin{0};
    bool moved = false;
};

/// Cameras and light, of the world that the octree stands in.
void writeLook(ExportStream& out, const VoxelGrid& grid, const Placement& placement, const Scene& scene) {
    const glm::dmat4 scaled = glm::scale(glm::dmat4(1.0), glm::dvec3(1.0 / grid.voxelSize));
    const glm::dmat4 voxelsFromWorld = glm::translate(glm::dmat4(1.0), glm::dvec3(placement.origin)) * scaled *
                                       glm::translate(glm::dmat4(1.0), -grid.origin);
    for (const VoxDictionary& camera : voxCameras(scene, voxelsFromWorld)) {
        writeVoxChunk(out, "rCAM", VoxContent().number(camera.number).dictionary(camera.entries));
    }
    for (const VoxAttributes& settings : voxLight(scene)) {
        writeVoxChunk(out, "rOBJ", VoxContent().dictionary(settings));
    }
}

bool within(double low, std::int64_t size, std::int64_t bottom) {
    return low >= static_cast<double>(bottom) && low + static_cast<double>(size) <= static_cast<double>(kVoxReach);
}

/// At the octree's own origin where that is in reach; else in the middle, on the ground if it is not too high.
Placement placeGrid(const VoxelGrid& grid) {
    const glm::dvec3 origin = glm::round(grid.origin / grid.voxelSize);
    const glm::i64vec3 size(grid.size);
    Placement placement;
    // MagicaVoxel's y is our -z, but its world is as deep on either side.
    const bool fits = within(origin.x, size.x, -kVoxReach) && within(origin.y, size.y, -kVoxReach) &&
                      within(origin.z, size.z, -kVoxReach);
    if (fits) {
        placement.origin = glm::i64vec3(origin);
        return placement;
    }
    placement.moved = true;
    placement.origin = -(size / std::int64_t{2});
    placement.origin.y = size.y <= kVoxReach ? 0 : placement.origin.y;
    return placement;
}

struct ModelVoxel {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
    std::uint8_t z = 0;
    std::uint8_t colour = 0;
};

/// Writes a model for every cube of 256^3 voxels that holds some, cut to what they fill.
class ModelWriter {
public:
    ModelWriter(ExportStream& out, const Placement& placement)
        : out_(out)
        , placement_(placement) {}

    void enter(std::uint64_t tile) {
        if (tile != tile_) {
            flush();
            tile_ = tile;
        }
    }

    /// A voxel by its place in the octree.
    void add(const glm::uvec3& voxel, std::uint8_t colour) {
        const glm::ivec3 local(voxel & glm::uvec3(kModelSide - 1));
        low_ = glm::min(low_, local);
        high_ = glm::max(high_, local + 1);
        voxels_.push_back({static_cast<std::uint8_t>(local.x), static_cast<std::uint8_t>(local.y),
                           static_cast<std::uint8_t>(local.z), colour});
    }

    void flush() {
        if (voxels_.empty()) {
            return;
        }
        // Z is up there and y our -z.
        const glm::ivec3 size = high_ - low_;
        writeVoxChunk(out_, "SIZE", VoxContent().number(size.x).number(size.z).number(size.y));
        out_.text("XYZI");
        out_.text(VoxContent()
                      .number(static_cast<std::int64_t>(4 * voxels_.size() + 4))
                      .number(0)
                      .number(static_cast<std::int64_t>(voxels_.size()))
                      .bytes());
        for (ModelVoxel& voxel : voxels_) {
            voxel = {static_cast<std::uint8_t>(voxel.x - low_.x), static_cast<std::uint8_t>(high_.z - 1 - voxel.z),
                     static_cast<std::uint8_t>(voxel.y - low_.y), voxel.colour};
        }
        out_.write(std::as_bytes(std::span<const ModelVoxel>(voxels_)));
        const glm::i64vec3 corner = placement_.origin + glm::i64vec3(codeCell(tile_) * unsigned{kModelSide});
        const glm::i64vec3 low = corner + glm::i64vec3(low_);
        const glm::i64vec3 high = corner + glm::i64vec3(high_);
        // A model is placed by its middle, rounded down.
        centres_.emplace_back(low.x + size.x / 2, -high.z + size.z / 2, low.y + size.y / 2);
        voxels_.clear();
        low_ = glm::ivec3(kModelSide);
        high_ = glm::ivec3(0);
    }

    /// The centres of the models, in the axes of the file.
    const std::vector<glm::i64vec3>& centres() const { return centres_; }

private:
    ExportStream& out_;
    const Placement& placement_;
    std::uint64_t tile_ = ~std::uint64_t{0};
    glm::ivec3 low_{kModelSide};
    glm::ivec3 high_{0};
    std::vector<ModelVoxel> voxels_;
    std::vector<glm::i64vec3> centres_;
};

/// Index 1 is the first colour. What is inside a solid has that one, or of glass that of the last glass before it: what
/// shines through glass must be glass too.
void writeModels(ModelWriter& writer, const Octree& octree, Palette& palette) {
    ExportProgress progress("writing", countVoxels(octree, 0));
    const auto firstGlass = std::find_if(palette.colours().begin(), palette.colours().end(),
                                         [](const PaletteColour& colour) { return colour.ior > 0.0F; });
    auto inside =
        static_cast<std::uint8_t>(firstGlass == palette.colours().end() ? 0 : firstGlass - palette.colours().begin());
    walkOctree(octree, 0,
               {[&](const WalkedBlock& block) {
                    writer.enter(block.code >> kTileShift);
                    const glm::uvec3 origin = 4U * codeCell(block.code);
                    std::size_t next = 0;
                    for (const std::uint32_t bit : setBits(block.mask)) {
                        std::uint8_t colour = inside;
                        if (((block.inside >> bit) & 1U) == 0) {
                            const shared::VoxelMaterial material = block.material(next);
                            colour = palette.find(block.attributes[next], material.emission,
                                                  paletteModel(octree, material.material));
                            inside = palette.colours()[colour].ior > 0.0F ? colour : inside;
                            ++next;
                        }
                        writer.add(origin + glm::uvec3(shared::bitCell(bit)), static_cast<std::uint8_t>(colour + 1));
                    }
                    progress.add(static_cast<std::uint64_t>(std::popcount(block.mask)));
                },
                [&](std::uint64_t code, std::uint32_t cubeLevels) {
                    // A cube is no larger than a model: else it would hold more voxels than fit a file.
                    const std::uint64_t first = code << (6U * cubeLevels);
                    const std::uint64_t count = std::uint64_t{1} << (6U * cubeLevels);
                    writer.enter(first >> (kTileShift + 6U));
                    for (std::uint64_t i = 0; i < count; ++i) {
                        writer.add(codeCell(first + i), static_cast<std::uint8_t>(inside + 1));
                    }
                    progress.add(count);
                }});
    writer.flush();
}

/// The scene graph: a transform over a group, and in it a transform over a shape for each model.
void writeGraph(ExportStream& out, const std::vector<glm::i64vec3>& centres, const std::string& name) {
    const auto transform = [&](std::int64_t id, const VoxAttributes& attributes, std::int64_t layer,
                               const VoxAttributes& frame) {
        writeVoxChunk(out, "nTRN",
                      VoxContent()
                          .number(id)
                          .dictionary(attributes)
                          .number(id + 1)
                          .number(-1)
                          .number(layer)
                          .number(1)
                          .dictionary(frame));
    };
    const auto nodeOf = [](std::size_t model) { return static_cast<std::int64_t>(2 * model + 2); };
    transform(0, {}, -1, {});
    VoxContent group;
    group.number(1).dictionary({}).number(static_cast<std::int64_t>(centres.size()));
    for (std::size_t i = 0; i < centres.size(); ++i) {
        group.number(nodeOf(i));
    }
    writeVoxChunk(out, "nGRP", group);
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const glm::i64vec3& at = centres[i];
        transform(nodeOf(i), {{"_name", name}}, 0, {{"_t", fmt::format("{} {} {}", at.x, at.y, at.z)}});
        writeVoxChunk(out, "nSHP",
                      VoxContent()
                          .number(nodeOf(i) + 1)
                          .dictionary({})
                          .number(1)
                          .number(static_cast<std::int64_t>(i))
                          .dictionary({}));
    }
    writeVoxChunk(out, "LAYR", VoxContent().number(0).dictionary({}).number(-1));
}

void writePalette(ExportStream& out, const Palette& palette) {
    VoxContent content;
    for (std::size_t i = 0; i < 256; ++i) {
        const bool used = i < palette.colours().size();
        for (std::size_t channel = 0; channel < 3; ++channel) {
            content.byte(used ? palette.colours()[i].srgb[channel] : std::uint8_t{0});
        }
        content.byte(255);
    }
    writeVoxChunk(out, "RGBA", content);
}

/// A light radiates emit * 10^flux of its colour, with emit from 0 to 1.
VoxAttributes materialOf(const PaletteColour& colour) {
    if (colour.strength > 0.0F) {
        const double flux = std::max(0.0, std::ceil(std::log10(double{colour.strength})));
        return {{"_type", "_emit"},
                {"_emit", fmt::format("{:.9g}", double{colour.strength} / std::pow(10.0, flux))},
                {"_flux", fmt::format("{:.0f}", flux)}};
    }
    if (colour.ior > 0.0F) {
        // "_ior", what the index has above 1, is what older versions read.
        const bool isCloud = colour.density > 0.0F && colour.ior == 1.0F; // without a surface
        VoxAttributes glass = {{"_type", isCloud ? "_media" : "_glass"},
                               {"_trans", "1"},
                               {"_rough", fmt::format("{:.9g}", colour.roughness)},
                               {"_ri", fmt::format("{:.9g}", colour.ior)},
                               {"_ior", fmt::format("{:.9g}", colour.ior - 1.0F)}};
        if (colour.density > 0.0F) {
            glass.insert(glass.end(), {{"_media_type", "_scatter"},
                                       {"_d", fmt::format("{:.9g}", colour.density)},
                                       {"_g", fmt::format("{:.9g}", colour.anisotropy)}});
        } else if (colour.absorbs) { // its colour is that after one cell
            glass.insert(glass.end(), {{"_media_type", "_absorb"}, {"_d", "1"}});
        }
        return glass;
    }
    return {{"_type", "_metal"},
            {"_metal", fmt::format("{:.9g}", colour.metalness)},
            {"_rough", fmt::format("{:.9g}", colour.roughness)}};
}

void writeMaterials(ExportStream& out, const Palette& palette) {
    for (std::size_t i = 0; i < palette.colours().size(); ++i) {
        const PaletteColour& colour = palette.colours()[i];
        if (colour.strength > 0.0F || colour.metalness > 0.0F || colour.ior > 0.0F) {
            writeVoxChunk(out, "MATL",
                          VoxContent().number(static_cast<std::int64_t>(i + 1)).dictionary(materialOf(colour)));
        }
    }
}

} // namespace

std::uint32_t finestVoxLevel(const Octree& octree) {
    for (std::uint32_t level = 0;; ++level) {
        const glm::uvec3 size = levelGrid(octree.grid, level).size;
        if (std::max({size.x, size.y, size.z}) <= 2 * kVoxReach && countVoxels(octree, level) <= kVoxVoxels) {
            return level;
        }
    }
}

ExportFigures exportVox(const fs::path& file, const Octree& octree, const Scene* look) {
    if (finestVoxLevel(octree) > 0) {
        fail(ExitCode::BadInput,
             "{}: found {} voxels in {} x {} x {}, expected at most {} within {} on each side for .vox", file.string(),
             countVoxels(octree, 0), octree.grid.size.x, octree.grid.size.y, octree.grid.size.z, kVoxVoxels,
             2 * kVoxReach);
    }
    Palette palette = gatherPalette(octree, true);
    const Placement placement = placeGrid(octree.grid);
    ExportFigures figures;
    figures.colours = palette.colours().size();
    figures.exactColours = palette.exact();
    figures.moved = placement.moved;
    writeFileAtomically(file, [&](const fs::path& temporary) {
        ExportStream out(temporary);
        out.text("VOX " + VoxContent().number(kVersion).bytes() + "MAIN" + VoxContent().number(0).number(0).bytes());
        const std::uint64_t start = out.size();
        ModelWriter writer(out, placement);
        writeModels(writer, octree, palette);
        figures.models = writer.centres().size();
        writeGraph(out, writer.centres(), fmt::format("voxels of {:.6g} m", octree.grid.voxelSize));
        writePalette(out, palette);
        writeMaterials(out, palette);
        if (look != nullptr) {
            writeLook(out, octree.grid, placement, *look);
        }
        const std::string size = VoxContent().number(static_cast<std::int64_t>(out.size() - start)).bytes();
        out.rewrite(start - 4, std::as_bytes(std::span(size)));
        out.finish();
    });
    return figures;
}

} // namespace aureole
