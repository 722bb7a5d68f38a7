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

/// Inner nodes and leaves as an encoding stores them: of a DAG, each different list of children once.
struct EncodingCounts {
    std::uint64_t nodes = 0;
    std::uint64_t leaves = 0;
};

struct CountParts {
    EncodingCounts operator()(const TreeEncoding& tree) const { return {tree.nodes.size(), tree.leaves.size()}; }
    EncodingCounts operator()(const DagEncoding& dag) const {
        const DagLayout layout = dagLayout(dag);
        return {layout.entries, layout.references - 1};
    }
    EncodingCounts operator()(const PlanesEncoding& planes) const { return {planes.nodes.size(), 0}; }
    EncodingCounts operator()(const FieldEncoding& field) const { return (*this)(field.tree); }
};

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
    const EncodingCounts counts = std::visit(CountParts(), octree.encoding);
    const std::string unit = unitName(octree);
    Json json = {{"file", file.string()},
                 {"kind", "octree"},
                 {"format_version", header.version},
                 {"voxels", octree.voxelCount()},
                 {"resolution", std::max({grid.size.x, grid.size.y, grid.size.z})},
                 {"size", {grid.size.x, grid.size.y, grid.size.z}},
                 {"levels", octree.levels},
                 {"mode", coverageNames()[static_cast<std::size_t>(octree.coverage)]},
                 {"encoding", encodingNames()[octree.encoding.index()]},
                 {"voxel_size", grid.voxelSize},
                 {"bounds", {{"min", toJson(bounds.min)}, {"max", toJson(bounds.max)}}},
                 {"nodes", counts.nodes},
                 {"leaves", counts.leaves},
                 {"materials", octree.materials.size()},
                 {"palette_entries", octree.palette.size()},
                 {"emissions", countEmissions(octree)},
                 {"bytes", octree.bytes()},
                 {"occupancy_bytes", octree.occupancyBytes()},
                 {"attribute_bytes", octree.attributes.bytes()},
                 {"surface_bytes", octree.detailBytes()},
                 {"average_bytes", octree.leafAverages.bytes() + octree.nodeAverages.bytes() +
                                       octree.leafMaterials.bytes() + octree.nodeMaterials.bytes()},
                 {"occupancy_bits_per_" + unit, 8.0 * static_cast<double>(octree.occupancyBytes()) / voxels},
                 {"bytes_per_" + unit, static_cast<double>(octree.bytes()) / voxels},
                 {"file_bytes", header.fileBytes}};
    if (octree.encodingKind() == OctreeEncoding::Planes) {
        json["cells"] = octree.voxelCount();
    }
    if (octree.isShape) {
        json["attributes"] = voxelContentNames()[static_cast<std::size_t>(VoxelContent::None)];
    }
    json["metadata"] = octree.metadata;
    return json;
}

} // namespace aureole::cli
