#include "render/device_octree.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/trace.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/octree_starts.h"

namespace aureole {

template <typename T>
std::uint64_t DeviceOctree::uploadArray(const gpu::Device& device, std::span<const T> values, const char* name) {
    if (pool_ != nullptr) {
        return pool_->add(std::as_bytes(values), name);
    }
    const gpu::Buffer& buffer = buffers_.emplace_back(device.createBufferWith(values, name));
    bytes_ += buffer.size();
    return buffer.address();
}

template <typename T>
void DeviceOctree::uploadChunks(const gpu::Device& device, std::span<const T> values, std::size_t chunkSize,
                                std::uint64_t* addresses, std::size_t maximumChunks, const char* name) {
    const std::size_t chunks = (values.size() + chunkSize - 1) / chunkSize;
    if (chunks > maximumChunks) {
        fail(ExitCode::OutOfMemory, "octree: found {} {}, expected at most {}", values.size(), name,
             maximumChunks * chunkSize);
    }
    for (std::size_t i = 0; i < chunks; ++i) {
        const std::size_t size = std::min(chunkSize, values.size() - i * chunkSize);
        addresses[i] = uploadArray(device, std::span<const T>(values.data() + i * chunkSize, size), name);
    }
}

template <typename T>
void DeviceOctree::uploadChunks(const gpu::Device& device, const Array<T>& values, std::uint32_t chunkShift,
                                std::uint64_t* addresses, std::size_t maximumChunks, const char* name) {
    uploadChunks(device, std::span<const T>(values), std::size_t{1} << chunkShift, addresses, maximumChunks, name);
}

void DeviceOctree::upload(const gpu::Device& device, const TreeEncoding& tree) {
    uploadChunks(device, tree.nodes, OCTREE_NODE_CHUNK_SHIFT, view_.nodes, OCTREE_CHUNKS, "octree nodes");
    uploadChunks(device, tree.leaves, OCTREE_LEAF_CHUNK_SHIFT, view_.leaves, OCTREE_CHUNKS, "octree leaves");
    uploadChunks(device, tree.surfaces, OCTREE_LEAF_CHUNK_SHIFT, view_.surfaces, OCTREE_CHUNKS, "octree surfaces");
    uploadChunks(device, tree.leafOffsets, OCTREE_OFFSET_CHUNK_SHIFT, view_.leafOffsets, OCTREE_CHUNKS,
                 "octree leaf offsets");
    uploadChunks(device, tree.leafGroups, 32, &view_.leafGroups, 1, "octree leaf groups");
}

void DeviceOctree::upload(const gpu::Device& device, const DagEncoding& dag) {
    const DagReader reader(dag);
    const DagLayout& layout = reader.layout();
    uploadChunks(device, dag.masks, OCTREE_LEAF_CHUNK_SHIFT, view_.leaves, OCTREE_CHUNKS, "DAG masks");
    uploadChunks(device, dag.surfaces, OCTREE_LEAF_CHUNK_SHIFT, view_.surfaces, OCTREE_CHUNKS, "DAG surfaces");
    uploadChunks(device, reader.entryPart(), layout.entryChunkWords(), view_.nodes, OCTREE_CHUNKS, "DAG entries");
    uploadChunks(device, reader.referencePart(), layout.referenceChunkWords(), view_.leafOffsets, OCTREE_CHUNKS,
                 "DAG references");
    uploadChunks(device, reader.countPart(), std::size_t{1} << 33U, &view_.leafGroups, 1, "DAG counts");
    view_.dagBits = layout.bits;
}

void DeviceOctree::upload(const gpu::Device& device, const PlanesEncoding& planes) {
    uploadChunks(device, planes.nodes, OCTREE_NODE_CHUNK_SHIFT, view_.nodes, OCTREE_CHUNKS, "octree nodes");
    uploadChunks(device, planes.slabs, OCTREE_ATTRIBUTE_CHUNK_SHIFT, view_.details, OCTREE_ATTRIBUTE_CHUNKS,
                 "voxel slabs");
}

void DeviceOctree::upload(const gpu::Device& device, const FieldEncoding& field) {
    upload(device, field.tree);
    uploadChunks(device, field.distances, OCTREE_ATTRIBUTE_CHUNK_SHIFT, view_.details, OCTREE_ATTRIBUTE_CHUNKS,
                 "corner distances");
}

DeviceOctree::DeviceOctree(const gpu::Device& device, const Octree& octree, const SharedOctree& sharing)
    : pool_(sharing.pool) {
    std::visit([&](const auto& encoding) { upload(device, encoding); }, octree.encoding);
    uploadChunks(device, octree.attributes, OCTREE_ATTRIBUTE_CHUNK_SHIFT, view_.attributes, OCTREE_ATTRIBUTE_CHUNKS,
                 "voxel attributes");
    std::vector<shared::VoxelMaterial> palette(octree.palette.begin(), octree.palette.end());
    for (shared::VoxelMaterial& entry : palette) {
        entry.material += sharing.firstMaterial;
    }
    uploadChunks(device, std::span<const shared::VoxelMaterial>(palette), palette.size(), &view_.palette, 1,
                 "material palette");
    uploadChunks(device, octree.materialRuns, 31, &view_.materialRuns, 1, "material runs");
    view_.materialRunCount = static_cast<std::uint32_t>(octree.materialRuns.size());
    view_.levels = octree.levels;
    view_.encoding = static_cast<std::uint32_t>(octree.encodingKind());
    view_.isShape = octree.isShape ? 1U : 0U;
    const std::vector<shared::OctreeStart> starts = [&] {
        const TraceSpan span("octree starts");
        return octreeStarts(octree, sharing.startBits);
    }();
    uploadChunks(device, std::span<const shared::OctreeStart>(starts), starts.size(), &view_.starts, 1,
                 "octree starts");
    view_.startBits = sharing.startBits;
    viewAddress_ = uploadArray(device, std::span<const shared::OctreeView>(&view_, 1), "octree view");
    pool_ = nullptr;
}

DeviceOctree::DeviceOctree(const gpu::Device& device, const shared::OctreeView& view, std::vector<gpu::Buffer> buffers)
    : buffers_(std::move(buffers))
    , view_(view) {
    for (const gpu::Buffer& buffer : buffers_) {
        bytes_ += buffer.size();
    }
    viewAddress_ = uploadArray(device, std::span<const shared::OctreeView>(&view_, 1), "octree view");
}

} // namespace aureole
