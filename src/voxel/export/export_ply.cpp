#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "voxel/build/stored_bytes.h"
#include "voxel/export/corner_index.h"
#include "voxel/export/export.h"
#include "voxel/export/export_stream.h"
#include "voxel/export/palette.h"
#include "voxel/tree/level.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostVertices = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kFacesInMemory = std::uint64_t{256} << 20U;
constexpr std::size_t kHeaderBytes = 512;

/// Whether 32-bit floats tell the insets of corners apart wherever the grid's voxels are.
bool floatsDo(const VoxelGrid& grid) {
    const glm::dvec3 far =
        glm::max(glm::abs(grid.origin), glm::abs(grid.origin + grid.voxelSize * glm::dvec3(grid.size)));
    const auto largest = static_cast<float>(std::max({far.x, far.y, far.z}));
    const double step = double{std::nextafter(largest, std::numeric_limits<float>::infinity())} - double{largest};
    return step <= grid.voxelSize / 1024.0;
}

/// Always of kHeaderBytes, so that it can be written last.
std::string header(bool floats, std::uint64_t vertices, std::uint64_t faces) {
    const char* const type = floats ? "float" : "double";
    std::string text = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n"
                                   "property {} x\nproperty {} y\nproperty {} z\n"
                                   "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                                   "element face {}\nproperty list uchar int vertex_indices\n"
                                   "comment made by aureole",
                                   vertices, type, type, type, faces);
    const std::string end = "\nend_header\n";
    text.resize(kHeaderBytes - end.size(), ' ');
    return text + end;
}

class PlyWriter {
public:
    PlyWriter(ExportStream& out, const fs::path& file, const VoxelGrid& grid)
        : out_(out)
        , file_(file)
        , grid_(grid)
        , floats_(floatsDo(grid))
        , budget_(kFacesInMemory, folderOf(file))
        , faces_(budget_) {
        out_.text(header(floats_, 0, 0));
    }

    void add(const ExposedQuad& quad) {
        const std::array<std::uint8_t, 3> colour = srgbAlbedo(quad.attributes);
        const std::uint32_t bits = colour[0] | (std::uint32_t{colour[1]} << 8U) | (std::uint32_t{colour[2]} << 16U);
        std::array<std::byte, 17> face{std::byte{4}};
        for (std::size_t i = 0; i < 4; ++i) {
            const CornerIndex::Vertex vertex = corners_.find(quad.corners[i], bits);
            if (vertex.isNew) {
                writeVertex(quad.corners[i], colour);
            }
            const auto number = static_cast<std::uint32_t>(vertex.number);
            std::copy_n(reinterpret_cast<const std::byte*>(&number), 4, face.begin() + 1 + 4 * static_cast<long>(i));
        }
        faces_.append(face);
        ++faceCount_;
    }
    void leaveTile() { corners_.leaveTile(); }

    ExportFigures finish() {
        const StoredBytes::Mapping faces = faces_.take();
        constexpr std::size_t kPiece = std::size_t{16} << 20U;
        ExportProgress progress("writing faces", faces.bytes.size());
        for (std::size_t done = 0; done < faces.bytes.size(); done += kPiece) {
            const auto piece = faces.bytes.subspan(done, std::min(kPiece, faces.bytes.size() - done));
            out_.write(piece);
            progress.add(piece.size());
        }
        const std::string text = header(floats_, corners_.count(), faceCount_);
        out_.rewrite(0, std::as_bytes(std::span(text)));
        ExportFigures figures;
        figures.vertices = corners_.count();
        figures.faces = faceCount_;
        return figures;
    }

private:
    void writeVertex(const QuadCorner& corner, const std::array<std::uint8_t, 3>& colour) {
        if (corners_.count() > kMostVertices) {
            fail(ExitCode::BadInput,
                 "{}: found more than {} vertices, expected at most that in PLY; a coarser --level has "
                 "about a quarter as many",
                 file_.string(), kMostVertices);
        }
        const glm::dvec3 at = cornerPosition(grid_, corner);
        for (int axis = 0; axis < 3; ++axis) {
            if (floats_) {
                out_.number(static_cast<float>(at[axis]));
            } else {
                out_.number(at[axis]);
            }
        }
        out_.write(std::as_bytes(std::span(colour)));
    }

    ExportStream& out_;
    const fs::path& file_;
    const VoxelGrid& grid_;
    bool floats_;
    MemoryBudget budget_;
    StoredBytes faces_; ///< which follow all vertices in the file
    CornerIndex corners_;
    std::uint64_t faceCount_ = 0;
};

} // namespace

ExportFigures exportPly(const fs::path& file, const Octree& octree) {
    ExportFigures figures;
    writeFileAtomically(file, [&](const fs::path& temporary) {
        ExportStream out(temporary);
        PlyWriter writer(out, file, octree.grid);
        {
            ExportProgress progress("writing", countVoxels(octree, 0));
            walkExposedQuads(octree, {[&](const ExposedQuad& quad) { writer.add(quad); }, [&] { writer.leaveTile(); },
                                      [&](std::uint64_t voxels) { progress.add(voxels); }});
        }
        figures = writer.finish();
        out.finish();
    });
    return figures;
}

} // namespace aureole
