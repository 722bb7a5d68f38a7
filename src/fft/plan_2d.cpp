#include "fft/plan_2d.h"

#include "core/error.h"
#include "fft/memory_region.h"
#include "fft/specialization.h"

namespace aureole::fft {

namespace {

constexpr std::uint32_t kRealBytes = 4;
constexpr std::uint32_t kHalfBytes = 4; ///< of a complex value
constexpr std::uint32_t kComplexBytes = 8;

AxisOptions rowsOf(const Plan2dOptions& options) {
    AxisOptions rows;
    rows.length = options.width;
    rows.inverse = options.inverse;
    rows.naturalOrder = options.naturalOrder;
    rows.real = options.real;
    rows.exchange = options.exchange;
    rows.elements = options.elements;
    rows.mostLines = options.height;
    rows.sourceHalf = options.halfIntermediates && options.inverse;
    rows.targetHalf = options.halfIntermediates && !options.inverse;
    return rows;
}

AxisOptions columnsOf(const Plan2dOptions& options) {
    AxisOptions columns;
    columns.length = options.height;
    columns.inverse = options.inverse;
    columns.naturalOrder = options.naturalOrder;
    columns.linesFastest = true;
    columns.exchange = options.exchange;
    columns.elements = options.elements;
    columns.mostLines = frequencyCount(rowsOf(options));
    columns.sourceHalf = options.halfIntermediates && !options.inverse;
    columns.targetHalf = options.halfIntermediates && options.inverse;
    return columns;
}

AxisLayout alongRows(const Images& images) {
    return {images.address, images.stride, images.rowStride, images.imageStride, 0};
}

/// Lines of the same values along the other axis.
AxisLayout across(const AxisLayout& rows) {
    return {rows.address, rows.lineStride, rows.stride, rows.batchStride, rows.scales};
}

MemoryRegion regionOf(const Plan2dOptions& options, bool isTarget, const Images& images, std::uint32_t count) {
    const bool frequencies = isTarget != options.inverse;
    const std::uint32_t columns = frequencies ? frequencyCount(rowsOf(options)) : options.width;
    return {isTarget ? "target" : "source",
            images.address,
            options.real && !frequencies ? kRealBytes : kComplexBytes,
            {{{columns, images.stride}, {options.height, images.rowStride}, {count, images.imageStride}}}};
}

/// Whether the rows of a real target can hold the half spectrum.
bool holdsSpectrum(const Images& target) {
    return target.stride == 1 && target.rowStride % 2 == 0 && target.imageStride % 2 == 0 &&
           target.address % kComplexBytes == 0;
}

bool needsScratch(const Plan2dOptions& options, const Images& target) {
    return options.halfIntermediates || (options.real && options.inverse && !holdsSpectrum(target));
}

/// Bytes of the values in scratch memory; scales come after them.
std::uint64_t scratchValueBytes(const Plan2dOptions& options, std::uint32_t count) {
    const std::uint64_t values = std::uint64_t{frequencyCount(rowsOf(options))} * options.height;
    return bytesOf({{values, 1}, {count, values}}, options.halfIntermediates ? kHalfBytes : kComplexBytes);
}

/// Where the values between the two axes stand, as rows.
AxisLayout intermediate(const Plan2dOptions& options, const Images& target, std::uint32_t count,
                        std::uint64_t scratch) {
    const std::uint32_t columns = frequencyCount(rowsOf(options));
    if (needsScratch(options, target)) {
        if (scratch == 0) {
            fail(ExitCode::Internal, "FFT of {} x {}: no scratch memory, expected {} bytes", options.width,
                 options.height, scratchBytes(options, target, count));
        }
        return {scratch, 1, columns, std::uint64_t{columns} * options.height,
                scratch + scratchValueBytes(options, count)};
    }
    AxisLayout rows = alongRows(target);
    if (options.real && options.inverse) {
        rows.lineStride /= 2;
        rows.batchStride /= 2;
    }
    return rows;
}

} // namespace

Plan2d plan2d(const gpu::Device& device, const Plan2dOptions& options) {
    Plan2d result;
    result.options_ = options;
    result.rows_ = createAxisPass(device, rowsOf(options));
    result.columns_ = createAxisPass(device, columnsOf(options));
    return result;
}

Shapes2d shapesFor(const gpu::Device& device, const Plan2dOptions& options) {
    const LineLimits limits = limitsOf(device, options.exchange);
    return {shapeAxis(limits, rowsOf(options)), shapeAxis(limits, columnsOf(options))};
}

void Plan2d::execute(gpu::CommandEncoder& commands, const Images& target, const Images& source, std::uint32_t images,
                     float scale, std::uint64_t scratch) const {
    if (images == 0) {
        return;
    }
    const MemoryRegion targetRegion = regionOf(options_, true, target, images);
    const MemoryRegion sourceRegion = regionOf(options_, false, source, images);
    checkRegions(targetRegion, sourceRegion);
    if (needsScratch(options_, target)) {
        const std::uint32_t unit = options_.halfIntermediates ? kHalfBytes : kComplexBytes;
        const MemoryRegion scratchRegion = {
            "scratch memory", scratch, unit, {{{scratchBytes(options_, target, images) / unit, 1}, {1, 0}, {1, 0}}}};
        checkSeparate(scratchRegion, targetRegion);
        checkSeparate(scratchRegion, sourceRegion);
    }
    const AxisLayout between = intermediate(options_, target, images, scratch);
    const std::uint32_t lines = columns_.options.mostLines;
    if (options_.inverse) {
        columns_.record(commands, across(between), across(alongRows(source)), lines, images, scale);
        commands.dispatchBarrier();
        rows_.record(commands, alongRows(target), between, options_.height, images, 1.0F);
    } else {
        rows_.record(commands, between, alongRows(source), options_.height, images, scale);
        commands.dispatchBarrier();
        columns_.record(commands, across(alongRows(target)), across(between), lines, images, 1.0F);
    }
}

std::uint64_t sourceBytes(const Plan2dOptions& options, const Images& source, std::uint32_t count) {
    return regionOf(options, false, source, count).bytes();
}

std::uint64_t targetBytes(const Plan2dOptions& options, const Images& target, std::uint32_t count) {
    return regionOf(options, true, target, count).bytes();
}

std::uint64_t scratchBytes(const Plan2dOptions& options, const Images& target, std::uint32_t count) {
    if (!needsScratch(options, target)) {
        return 0;
    }
    // A scale for each line of the first axis, of each image.
    const std::uint64_t lines = options.inverse ? frequencyCount(rowsOf(options)) : options.height;
    const std::uint64_t scales = options.halfIntermediates ? bytesOf({{lines, 1}, {count, lines}}, sizeof(float)) : 0;
    const std::uint64_t values = scratchValueBytes(options, count);
    return bytesOf({{values, 1}, {2, scales}}, 1);
}

} // namespace aureole::fft
