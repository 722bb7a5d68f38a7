#include "render/device_octree.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/octree_starts.h"

namespace aureole {

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
        const gpu::Buffer& buffer = buffers_.emplace_back(
            device.createBufferWith(std::span<const T>(values.data() + i * chunkSize, size), name));
        addresses[i] = buffer.address();
        bytes_ += buffer.size();
    }
}

template <typename T>
void DeviceOctree::uploadChunks(const gpu::Device& device, const Array<T>& values, std::uint32_t chunkShift,
                                std::uint64_t* addresses, std::size_t maximumChunks, const char* name) {
    uploadChunks(device, std::span<const T>(values), std::size_t{1} << chunkShift, addresses, maximumChunks, name);
}

void DeviceOctree::uploadDag(const gpu::Device& device, const Octree& octree) {
    const DagReader dag(octree);
    const DagLayout& layout = dag.layout();
    uploadChunks(device, dag.entryPart(), layout.entryChunkWords(), view_.nodes, OCTREE_CHUNKS, "DAG entries");
    uploadChunks(device, dag.referencePart(), layout.referenceChunkWords(), view_.leafOffsets, OCTREE_CHUNKS,
                 "DAG references");
    uploadChunks(device, dag.countPart(), std::size_t{1} << 33U, &view_.leafGroups, 1, "DAG counts");
    view_.dagBits = layout.bits;
}

DeviceOctree::DeviceOctree(const gpu::Device& device, const Octree& octree) {
    uploadChunks(device, octree.nodes, OCTREE_NODE_CHUNK_SHIFT, view_.nodes, OCTREE_CHUNKS, "octree nodes");
    uploadChunks(device, octree.leaves, OCTREE_LEAF_CHUNK_SHIFT, view_.leaves, OCTREE_CHUNKS, "octree leaves");
    uploadChunks(device, octree.surfaces, OCTREE_LEAF_CHUNK_SHIFT, view_.surfaces, OCTREE_CHUNKS, "octree surfaces");
    uploadChunks(device, octree.leafOffsets, OCTREE_OFFSET_CHUNK_SHIFT, view_.leafOffsets, OCTREE_CHUNKS,
                 "octree leaf offsets");
    uploadChunks(device, octree.leafGroups, 32, &view_.leafGroups, 1, "octree leaf groups");
    uploadChunks(device, octree.attributes, OCTREE_ATTRIBUTE_CHUNK_SHIFT, view_.attributes, OCTREE_ATTRIBUTE_CHUNKS,
                 "voxel attributes");
    uploadChunks(device, octree.slabs, OCTREE_ATTRIBUTE_CHUNK_SHIFT, view_.details, OCTREE_ATTRIBUTE_CHUNKS,
                 "voxel slabs");
    uploadChunks(device, octree.distances, OCTREE_ATTRIBUTE_CHUNK_SHIFT, view_.details, OCTREE_ATTRIBUTE_CHUNKS,
                 "corner distances");
    uploadChunks(device, octree.palette, 32, &view_.palette, 1, "material palette");
    uploadChunks(device, octree.materialRuns, 31, &view_.materialRuns, 1, "material runs");
    view_.materialRunCount = static_cast<std::uint32_t>(octree.materialRuns.size());
    view_.levels = octree.levels;
    view_.encoding = static_cast<std::uint32_t>(octree.encoding);
    if (octree.encoding == OctreeEncoding::Dag) {
        uploadDag(device, octree);
    }
    const std::vector<shared::OctreeStart> starts = octreeStarts(octree);
    uploadChunks(device, std::span<const shared::OctreeStart>(starts), starts.size(), &view_.starts, 1,
                 "octree starts");
    viewBuffer_ = device.createBufferWith(std::span<const shared::OctreeView>(&view_, 1), "octree view");
}

DeviceOctree::DeviceOctree(const gpu::Device& device, const shared::OctreeView& view, std::vector<gpu::Buffer> buffers)
    : buffers_(std::move(buffers))
    , viewBuffer_(device.createBufferWith(std::span<const shared::OctreeView>(&view, 1), "octree view"))
    , view_(view) {
    for (const gpu::Buffer& buffer : buffers_) {
        bytes_ += buffer.size();
    }
}

} // namespace aureole
