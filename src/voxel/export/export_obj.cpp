#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "voxel/export/corner_index.h"
#include "voxel/export/export.h"
#include "voxel/export/export_palette.h"
#include "voxel/export/export_stream.h"
#include "voxel/tree/level.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

std::string materialName(std::size_t index) {
    return fmt::format("colour{}", index + 1);
}

/// Vertices and faces of one tile after the other, the faces by material.
class ObjWriter {
public:
    ObjWriter(ExportStream& out, const VoxelGrid& grid, Palette& palette)
        : out_(out)
        , grid_(grid)
        , palette_(palette) {}

    void add(const ExposedQuad& quad) {
        Face face;
        face.material = palette_.find(quad.attributes, quad.radiance);
        for (std::size_t i = 0; i < 4; ++i) {
            const CornerIndex::Vertex vertex = corners_.find(quad.corners[i], 0);
            if (vertex.isNew) {
                const glm::dvec3 at = cornerPosition(grid_, quad.corners[i]);
                fmt::format_to(std::back_inserter(text_), "v {:.10g} {:.10g} {:.10g}\n", at.x, at.y, at.z);
            }
            face.vertices[i] = vertex.number + 1; // counted from 1
        }
        faces_.push_back(face);
    }

    void leaveTile() {
        corners_.leaveTile();
        std::stable_sort(faces_.begin(), faces_.end(),
                         [](const Face& a, const Face& b) { return a.material < b.material; });
        int material = -1;
        for (const Face& face : faces_) {
            if (material != face.material) {
                material = face.material;
                fmt::format_to(std::back_inserter(text_), "usemtl {}\n", materialName(face.material));
            }
            fmt::format_to(std::back_inserter(text_), "f {} {} {} {}\n", face.vertices[0], face.vertices[1],
                           face.vertices[2], face.vertices[3]);
        }
        faceCount_ += faces_.size();
        faces_.clear();
        out_.text({text_.data(), text_.size()});
        text_.clear();
    }

    std::uint64_t vertices() const { return corners_.count(); }
    std::uint64_t faces() const { return faceCount_; }

private:
    struct Face {
        std::array<std::uint64_t, 4> vertices{};
        std::uint8_t material = 0;
    };

    ExportStream& out_;
    const VoxelGrid& grid_;
    Palette& palette_;
    CornerIndex corners_;
    std::vector<Face> faces_; ///< of the tile
    fmt::memory_buffer text_;
    std::uint64_t faceCount_ = 0;
};

void writeMaterials(const fs::path& file, const Palette& palette) {
    std::string text = "# made by aureole: linear colours\n";
    for (std::size_t i = 0; i < palette.colours().size(); ++i) {
        const PaletteColour& colour = palette.colours()[i];
        const glm::vec3 diffuse = colour.linear();
        text += fmt::format("newmtl {}\nKd {:.7g} {:.7g} {:.7g}\n", materialName(i), diffuse.x, diffuse.y, diffuse.z);
        if (colour.strength > 0.0F) {
            const glm::vec3 light = colour.strength * diffuse;
            text += fmt::format("Ke {:.7g} {:.7g} {:.7g}\n", light.x, light.y, light.z);
        }
    }
    writeFileAtomically(file, std::as_bytes(std::span(text)));
}

} // namespace

ExportFigures exportObj(const fs::path& file, const Octree& octree) {
    Palette palette = gatherPalette(octree, false);
    ExportFigures figures;
    figures.colours = palette.colours().size();
    figures.exactColours = palette.exact();
    const fs::path library = fs::path(file).replace_extension(".mtl");
    writeFileAtomically(file, [&](const fs::path& temporary) {
        ExportStream out(temporary);
        out.text(fmt::format("# made by aureole\nmtllib {}\n", library.filename().string()));
        ObjWriter writer(out, octree.grid, palette);
        {
            ExportProgress progress("writing", countVoxels(octree, 0));
            walkExposedQuads(octree, {[&](const ExposedQuad& quad) { writer.add(quad); }, [&] { writer.leaveTile(); },
                                      [&](std::uint64_t voxels) { progress.add(voxels); }});
        }
        out.finish();
        figures.vertices = writer.vertices();
        figures.faces = writer.faces();
        // Last, so that an interrupted export leaves neither file.
        writeMaterials(library, palette);
    });
    return figures;
}

} // namespace aureole
