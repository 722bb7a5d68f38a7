#pragma once

// Voxelisation on the device: pairs of a triangle and a cube of cells are refined level by level, from bricks to blocks
// of 4x4x4 voxels, and sorted by block, so that all triangles of a voxel are at hand, in the order of the scene,
// without an atomic operation (Patzold and Kolb, "Grid-Free Out-of-Core Voxelization to Sparse Voxel Octrees on GPU",
// 2015). Many bricks are made at a time (batch_kernels.h).

#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "voxel/build/brick_maker.h"
#include "voxelizer/batch_kernels.h"
#include "voxelizer/made_batch.h"

namespace aureole::voxelizer {

/// How the batches went so far.
struct BatchFigures {
    std::uint64_t batches = 0;
    std::uint64_t emitting = 0; ///< batches with a triangle that emits
    std::uint64_t onCpu = 0;    ///< bricks that had more than a batch may have
    std::uint64_t inVain = 0;   ///< batches of several bricks that had more, and were tried again with fewer
    std::uint64_t fragments = 0;
    std::uint64_t voxels = 0;
    double milliseconds = 0.0;          ///< of the device, all kernels
    double fetchMilliseconds = 0.0;     ///< of the copies to the host that follow
    double occupancyMilliseconds = 0.0; ///< of these, what tells which voxels are solid
};

/// Makes bricks, but for the signs of fields, from triangles of materials that are the same everywhere. It runs out of
/// memory at the start or not at all.
class DeviceBricks : public BrickMaker {
public:
    /// Keeps the device.
    explicit DeviceBricks(const gpu::Device& device, const BatchLimits& limits = {});

    std::string name() const override;
    std::string whyNot(const Scene& scene, const VoxelizeOptions& options) const override;
    void prepare(SurfaceKind surface) override;
    void begin(const Primitives& primitives, const BrickList& bricks, const VoxelizeOptions& options,
               bool branches) override;
    std::vector<BrickVoxels> make(std::size_t first) override;
    void end() override;

    BatchFigures figures() const;

private:
    /// The bricks from `first` up to `end`, which the device has made, or which are the CPU's to make.
    struct Batch {
        std::size_t first = 0;
        std::size_t end = 0;
        bool onCpu = false;
        bool emits = false; ///< whether a triangle of the batch does
        std::uint32_t blocks = 0;
        std::uint32_t voxels = 0;
        std::size_t number = 0; ///< of those that the device has made
    };

    Batch runNext(std::size_t first);
    std::optional<Batch> runBatch(std::size_t first, std::size_t end);
    bool writeEntries(std::size_t first, std::size_t end);
    std::optional<std::uint32_t> findVoxels(std::size_t first, std::size_t end);
    std::vector<BrickVoxels> cutBricks(const Batch& batch);
    BrickVoxels cutPlanes(const MadeBatch& batch, const BrickLeaves& leaves, const Brick& brick);
    std::vector<BrickVoxels> makeOnCpu(const Batch& batch) const;
    BrickVoxels makeOnCpu(const Brick& brick) const;
    std::size_t chooseEnd(std::size_t first) const;
    std::size_t endOfFull(std::size_t first) const;
    void adapt(std::size_t entries, double share);

    const gpu::Device& device_;
    BatchLimits given_;
    BatchLimits limits_; ///< of the scene at hand
    BatchFigures figures_;
    std::atomic<std::uint64_t> fullOfPoints_ = 0; ///< bricks that the CPU makes for these, while the device goes on
    const Primitives* primitives_ = nullptr;
    const BrickList* bricks_ = nullptr;
    bool branches_ = false;
    double entriesAtOnce_ = 0.0;            ///< what fits into a batch, by those before
    std::future<BatchPipelines> pipelines_; ///< from prepare() to begin()
    SurfaceKind prepared_ = SurfaceKind::Cubes;
    std::unique_ptr<BatchKernels> kernels_;
    std::future<Batch> next_; ///< that the device works on, with all above, while the host takes the one before
};

} // namespace aureole::voxelizer
