#pragma once

#include <span>
#include <vector>

#include "gpu/device.h"
#include "render/buffer_pool.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// What an octree is in device memory where it is one of several.
struct SharedOctree {
    BufferPool* pool = nullptr;      ///< which its arrays lie in, and which outlives the use of them
    std::uint32_t firstMaterial = 0; ///< its materials are numbered from here on
    std::uint32_t startBits = OCTREE_START_BITS;
};

/// An octree in device memory, in chunks no larger than the device allows.
class DeviceOctree {
public:
    /// Throws Error (OutOfMemory).
    DeviceOctree(const gpu::Device& device, const Octree& octree, const SharedOctree& sharing = {});
    /// Takes what is in device memory already, in chunks of the caller's making: `buffers` are those that `view` points
    /// to.
    DeviceOctree(const gpu::Device& device, const shared::OctreeView& view, std::vector<gpu::Buffer> buffers);

    /// A view with device addresses, for parameters that embed one.
    const shared::OctreeView& view() const { return view_; }
    /// Device address of a copy of the view.
    std::uint64_t viewAddress() const { return viewAddress_; }
    /// Whether nodes and leaf masks are one chunk each, so that shaders need not look theirs up.
    bool isOneChunk() const { return view_.nodes[1] == 0 && view_.leaves[1] == 0; }
    /// The bytes of its own buffers, not those of a pool.
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

    /// The address of a copy of the values.
    template <typename T>
    std::uint64_t uploadArray(const gpu::Device& device, std::span<const T> values, const char* name);

    BufferPool* pool_ = nullptr; ///< while it is made
    std::vector<gpu::Buffer> buffers_;
    std::uint64_t viewAddress_ = 0;
    shared::OctreeView view_{};
    std::uint64_t bytes_ = 0;
};

} // namespace aureole
