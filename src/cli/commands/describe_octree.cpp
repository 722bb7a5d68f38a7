#include "cli/commands/describe_octree.h"

#include <algorithm>
#include <string>

#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"

namespace aureole::cli {

using Json = nlohmann::ordered_json;

namespace {

Json toJson(const glm::dvec3& v) {
    return {v.x, v.y, v.z};
}

template <typename T>
std::uint64_t bytesOf(const Array<T>& values) {
    return values.size() * sizeof(T);
}

/// Entries of the palette that emit.
std::size_t countEmissions(const Octree& octree) {
    return static_cast<std::size_t>(
        std::count_if(octree.palette.begin(), octree.palette.end(),
                      [](const shared::VoxelMaterial& entry) { return entry.emission != glm::vec3(0.0F); }));
}

} // namespace

Json describeOctree(const std::filesystem::path& file) {
    const Octree octree = loadOctree(file);
    const VoxelGrid& grid = octree.grid;
    const auto voxels = static_cast<double>(std::max<std::uint64_t>(octree.voxelCount(), 1));
    const OctreeFileHeader header = readOctreeHeader(file);
    const Bounds bounds = octreeBounds(header);
    const bool isDag = octree.encoding == OctreeEncoding::Dag;
    const DagLayout dag = isDag ? dagLayout(octree) : DagLayout();
    const std::string unit = unitName(octree);
    Json json = {{"file", file.string()},
                 {"kind", "octree"},
                 {"format_version", header.version},
                 {"voxels", octree.voxelCount()},
                 {"resolution", std::max({grid.size.x, grid.size.y, grid.size.z})},
                 {"size", {grid.size.x, grid.size.y, grid.size.z}},
                 {"levels", octree.levels},
                 {"mode", coverageNames()[static_cast<std::size_t>(octree.coverage)]},
                 {"encoding", encodingNames()[static_cast<std::size_t>(octree.encoding)]},
                 {"voxel_size", grid.voxelSize},
                 {"bounds", {{"min", toJson(bounds.min)}, {"max", toJson(bounds.max)}}},
                 {"nodes", isDag ? dag.entries : octree.nodes.size()},
                 {"leaves", isDag ? dag.references - 1 : octree.leaves.size()},
                 {"materials", octree.materials.size()},
                 {"palette_entries", octree.palette.size()},
                 {"emissions", countEmissions(octree)},
                 {"bytes", octree.bytes()},
                 {"occupancy_bytes", octree.occupancyBytes()},
                 {"attribute_bytes", bytesOf(octree.attributes)},
                 {"surface_bytes", bytesOf(octree.slabs) + bytesOf(octree.distances)},
                 {"average_bytes", bytesOf(octree.leafAverages) + bytesOf(octree.nodeAverages) +
                                       bytesOf(octree.leafMaterials) + bytesOf(octree.nodeMaterials)},
                 {"occupancy_bits_per_" + unit, 8.0 * static_cast<double>(octree.occupancyBytes()) / voxels},
                 {"bytes_per_" + unit, static_cast<double>(octree.bytes()) / voxels},
                 {"file_bytes", header.fileBytes}};
    if (octree.encoding == OctreeEncoding::Planes) {
        json["cells"] = octree.voxelCount();
    }
    json["metadata"] = octree.metadata;
    return json;
}

} // namespace aureole::cli
