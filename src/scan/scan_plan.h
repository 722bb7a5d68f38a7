#pragma once

// Reductions and scans on the device: over each subgroup's items, over segments of a workgroup's, over all.
//
// With items x[0], x[1]... and an operation o with identity e, the reduction is x[0] o x[1] o ..., the inclusive scan
// y[i] = x[0] o ... o x[i], the exclusive scan y[i] = x[0] o ... o x[i - 1] with y[0] = e: those of std::reduce,
// std::inclusive_scan and std::exclusive_scan. Integers wrap around. Floats are added and multiplied in an order of the
// plan's own: a sum is within ScanPlan::roundings() 2^-24 of the exact one times the sum of |x|, a product of n factors
// within 1.01 n 2^-24 of itself. NaN is not ordered: min and max may keep or drop it.
//
// Kogge and Stone (1973) within a subgroup; totals of subgroups and of chunks are scanned in turn (reduce-then-scan),
// or in one pass by decoupled look-back (Merrill and Garland 2016), see shaders/scan/scan_look_back.glsl.

#include <cstdint>

#include "gpu/device.h"
#include "scan/tile_shape.h"

namespace aureole::scan {

enum class Kind { Reduce, Inclusive, Exclusive };
/// Bitwise ones are for integers only.
enum class Operation { Add, Multiply, Min, Max, And, Or, Xor };
/// u64 is for Add only.
enum class Type { U32, I32, F32, U64 };
enum class Level {
    Subgroup,  ///< segments of subgroup size x items items, a subgroup each
    Workgroup, ///< segments of any length, a workgroup each: a virtual workgroup
    Device,    ///< all items
};
/// How lanes of a subgroup combine what they hold.
enum class Subgroups {
    Native,   ///< the device's subgroup arithmetic
    Emulated, ///< shuffles, the faster ones on all devices measured (tests/bench/record/scans.md)
};
/// How a device-wide scan goes over memory.
enum class Method {
    Fastest,        ///< one pass where the device lets waiting workgroups wait, except for sums and products of floats,
                    ///< which only reduce-then-scan adds up in the same order every time
    ReduceThenScan, ///< reads twice, writes once; waits for nobody
    SinglePass,     ///< reads once, writes once
};

/// The largest count of one execution.
inline constexpr std::uint64_t kMostItems = 1ULL << 30;

struct ScanOptions {
    std::uint64_t maximumCount = 0; ///< the most items that will be scanned at a time, up to kMostItems
    Kind kind = Kind::Inclusive;
    Operation operation = Operation::Add;
    Type type = Type::U32;
    Level level = Level::Device;
    std::uint64_t segment = 0; ///< items of a segment of Level::Workgroup; 0: one tile
    Subgroups subgroups = Subgroups::Emulated;
    Method method = Method::Fastest;
    std::uint32_t workgroupSize = 0; ///< a multiple of the subgroup size; 0: the device's best
    std::uint32_t items = 4;         ///< consecutive ones of an invocation, 1 to 4
    std::uint32_t rows = 0;          ///< vectors of an invocation, 1 to 8; 0: the device's best
    /// SinglePass: how often a subgroup asks in vain for other tiles' totals before it adds them up itself. Devices
    /// that promise no progress have at most DeviceDefaults::mostPatience.
    std::uint32_t patience = 1U << 20;
    /// Workgroups that share the tiles of a single pass, each one tile after the other; 0: the device's default.
    std::uint32_t onePassWorkgroups = 0;
};

/// Bytes of an item.
std::uint32_t itemBytes(Type type);
/// Whether a type has an operation.
bool isSupported(Type type, Operation operation);

/// A scan made ready for a device. Must live until the commands it was executed in have ended.
class ScanPlan {
public:
    /// Records the scan of `count` items at the address `input` into `output`: as many items for scans, one item for
    /// each segment for reductions (for Level::Device one, the identity where there are no items). Scans may work in
    /// place (with Method::SinglePass only on devices that let waiting workgroups wait); else the ranges must not
    /// overlap. Addresses are multiples of the item's size; multiples of 16 are faster. The caller sets barriers around
    /// it, two executions of one plan included, and submits all of a plan's executions in the order of their recording:
    /// they are numbered. Throws Error (Internal) for more items than the plan was made for, for addresses that are not
    /// aligned, and for ranges that overlap.
    void execute(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output, std::uint64_t count);

    const TileShape& shape() const { return shape_; }
    bool native() const { return native_; }
    bool singlePass() const { return singlePass_; }
    /// The additions that an item goes through at most where `count` items are scanned.
    std::uint64_t roundings(std::uint64_t count) const;
    /// Items of a segment; 0 for Level::Device.
    std::uint64_t segment() const { return segment_; }
    /// Device memory that the plan holds: 16 bytes a tile (32 for u64) with Method::SinglePass, else an item for each
    /// of the workgroups that share the work. 0 for the other levels.
    std::uint64_t scratchBytes() const { return scratch_.size(); }

private:
    friend ScanPlan plan(const gpu::Device& device, const ScanOptions& options);
    void executeSegments(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output, std::uint64_t count);
    void executeReduction(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output,
                          std::uint64_t count);
    void executeTwice(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output, std::uint64_t count);
    void executeOnce(gpu::CommandEncoder& commands, std::uint64_t input, std::uint64_t output, std::uint64_t count);
    void checkRanges(std::uint64_t input, std::uint64_t output, std::uint64_t count) const;
    void createPipelines(const gpu::Device& device);
    void createScratch(const gpu::Device& device);

    ScanOptions options_;
    TileShape shape_;
    bool native_ = false;
    bool singlePass_ = false;
    bool mayWait_ = false; ///< DeviceDefaults::forwardProgress
    std::uint32_t patience_ = 0;
    std::uint64_t segment_ = 0;
    std::uint32_t workgroups_ = 0;        ///< that share a reduction or a reduce-then-scan
    std::uint32_t onePassWorkgroups_ = 0; ///< that share the tiles of a single pass; 0: one each
    std::uint32_t epoch_ = 0;             ///< executions with the status words as they are
    gpu::Pipeline reduce_;
    gpu::Pipeline scan_;
    gpu::Buffer scratch_; ///< the counter, then totals or status words
};

/// Throws Error (Internal) for options outside the ranges above, and what the device throws.
ScanPlan plan(const gpu::Device& device, const ScanOptions& options);

} // namespace aureole::scan
