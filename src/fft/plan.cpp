#include "fft/plan.h"

#include "fft/memory_region.h"
#include "fft/specialization.h"

namespace aureole::fft {

namespace {

AxisOptions axisOf(const PlanOptions& options) {
    AxisOptions axis;
    axis.length = options.length;
    axis.inverse = options.inverse;
    axis.naturalOrder = options.naturalOrder;
    axis.real = options.real;
    axis.linesFastest = options.linesFastest;
    axis.exchange = options.exchange;
    axis.elements = options.elements;
    return axis;
}

MemoryRegion regionOf(const AxisOptions& axis, bool isTarget, const Lines& lines, std::uint32_t count) {
    const bool frequencies = isTarget != axis.inverse;
    const std::uint32_t values = frequencies ? frequencyCount(axis) : axis.length;
    return {isTarget ? "target" : "source",
            lines.address,
            axis.real && !frequencies ? 4U : 8U,
            {{{values, lines.stride}, {count, lines.lineStride}, {1, 0}}}};
}

} // namespace

Plan plan(const gpu::Device& device, const PlanOptions& options) {
    Plan result;
    result.pass_ = createAxisPass(device, axisOf(options));
    return result;
}

LineShape shapeFor(const gpu::Device& device, const PlanOptions& options) {
    return shapeAxis(limitsOf(device, options.exchange), axisOf(options));
}

void Plan::execute(gpu::CommandEncoder& commands, const Lines& target, const Lines& source, std::uint32_t count,
                   float scale) const {
    if (count == 0) {
        return;
    }
    checkRegions(regionOf(pass_.options, true, target, count), regionOf(pass_.options, false, source, count));
    pass_.record(commands, {target.address, target.stride, target.lineStride},
                 {source.address, source.stride, source.lineStride}, count, 1, scale);
}

std::uint64_t sourceBytes(const PlanOptions& options, const Lines& source, std::uint32_t count) {
    return regionOf(axisOf(options), false, source, count).bytes();
}

std::uint64_t targetBytes(const PlanOptions& options, const Lines& target, std::uint32_t count) {
    return regionOf(axisOf(options), true, target, count).bytes();
}

} // namespace aureole::fft
