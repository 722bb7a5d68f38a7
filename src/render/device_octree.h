#pragma once

#include <span>
#include <vector>

#include "gpu/device.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// An octree in device memory, in chunks no larger than the device allows.
class DeviceOctree {
public:
    /// Its materials are numbered from `firstMaterial` on there. Throws Error (OutOfMemory).
    DeviceOctree(const gpu::Device& device, const Octree& octree, std::uint32_t firstMaterial = 0);
    /// Of what is in device memory already, in chunks of the caller's making: `buffers` are those that `view` points
    /// to.
    DeviceOctree(const gpu::Device& device, const shared::OctreeView& view, std::vector<gpu::Buffer> buffers);

    /// A view with device addresses, for parameters that embed one.
    const shared::OctreeView& view() const { return view_; }
    /// Device address of a copy of the view.
    std::uint64_t viewAddress() const { return viewBuffer_.address(); }
    /// Whether nodes and leaf masks are one chunk each, so that shaders need not look theirs up.
    bool isOneChunk() const { return view_.nodes[1] == 0 && view_.leaves[1] == 0; }
    std::uint64_t bytes() const { return bytes_; }

private:
    template <typename T>
    void uploadChunks(const gpu::Device& device, std::span<const T> values, std::size_t chunkSize,
                      std::uint64_t* addresses, std::size_t maximumChunks, const char* name);
    template <typename T>
    void uploadChunks(const gpu::Device& device, const Array<T>& values, std::uint32_t chunkShift,
                      std::uint64_t* addresses, std::size_t maximumChunks, const char* name);

    void upload(const gpu::Device& device, const TreeEncoding& tree);
    void upload(const gpu::Device& device, const DagEncoding& dag);
    void upload(const gpu::Device& device, const PlanesEncoding& planes);
    void upload(const gpu::Device& device, const FieldEncoding& field);

    std::vector<gpu::Buffer> buffers_;
    gpu::Buffer viewBuffer_;
    shared::OctreeView view_{};
    std::uint64_t bytes_ = 0;
};

} // namespace aureole
