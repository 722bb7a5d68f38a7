#include "bloom/convolution_shape.h"

#include <algorithm>

namespace aureole {

KernelWindow usedWindow(std::uint32_t pixels, std::uint32_t taps) {
    const std::uint32_t centre = taps / 2;
    const std::uint32_t before = std::min(centre, pixels - 1);
    const std::uint32_t after = std::min(taps - 1 - centre, pixels - 1);
    return {centre - before, before + 1 + after, before};
}

std::uint32_t leastPeriod(std::uint32_t pixels, const KernelWindow& window) {
    return pixels + window.centre;
}

ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits, bool columnsFirst) {
    // Four pairs of lines fill runs of 64 bytes in the spectrum.
    constexpr std::uint32_t kPairsTogether = 4;
    const std::uint32_t periodX = fft::cheapestEvenLength(leastPeriod(width, columns));
    const std::uint32_t periodY = fft::cheapestEvenLength(leastPeriod(height, rows));
    ConvolutionShape shape;
    shape.columnsFirst = columnsFirst;
    shape.pixels = columnsFirst ? height : width;
    shape.lines = columnsFirst ? width : height;

    fft::LineLimits along = limits;
    along.lines = kPairsTogether;
    along.lineCount = (shape.lines + 1) / 2;
    along.linesFastest = columnsFirst;
    shape.first = fft::shapeLines(columnsFirst ? periodY : periodX, along);

    fft::LineLimits across = limits;
    across.lines = 1;
    across.lineCount = shape.bins();
    shape.second = fft::shapeLines(columnsFirst ? periodX : periodY, across);
    return shape;
}

ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits) {
    const ConvolutionShape rowsFirst = shapeConvolution(width, height, columns, rows, limits, false);
    const ConvolutionShape columnsFirst = shapeConvolution(width, height, columns, rows, limits, true);
    return convolutionCost(columnsFirst) < convolutionCost(rowsFirst) ? columnsFirst : rowsFirst;
}

double convolutionCost(const ConvolutionShape& shape) {
    constexpr double kOperationsPerByte = 8;
    const double image = 4.0 * shape.pixels * shape.lines;
    const double spectrum = 8.0 * shape.bins() * shape.lines;
    const double kernel = 8.0 * shape.bins() * shape.second.length;
    const double bytes = 2 * image + 4 * spectrum + kernel;
    const double pairs = 0.5 * shape.lines;
    return kOperationsPerByte * bytes + 2 * pairs * fft::transformCost(shape.first.length) +
           2.0 * shape.bins() * fft::transformCost(shape.second.length);
}

} // namespace aureole
