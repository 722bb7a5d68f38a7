#include "bloom/convolution_shape.h"

#include <algorithm>

namespace aureole {

namespace {

// Two pairs of lines fill runs of 32 bytes in the spectrum, what memory moves at least; four do so in the rows of an
// image that is read by columns. More make workgroups coarse. Measured on an NVIDIA H200 (tests/bench/NOTES.md).
fft::LineShape shapeFirst(std::uint32_t period, const ConvolutionShape& shape, const fft::LineLimits& limits,
                          std::uint32_t lines) {
    constexpr std::uint32_t kFewThreads = 80;
    fft::LineLimits along = limits;
    along.lineCount = shape.pairs();
    along.firstLinesFastest = shape.columnsFirst;
    along.laterLinesFastest = true;
    along.evenLastRadix = true;
    along.lines = 2;
    if (shape.columnsFirst || fft::shapeLines(period, along).threads <= kFewThreads) {
        along.lines = 4;
    }
    along.lines = lines > 0 ? lines : along.lines;
    return fft::shapeLines(period, along);
}

// Two neighbouring bins share runs of 16 bytes; where they are long, being apart pays more.
fft::LineShape shapeSecond(std::uint32_t period, const ConvolutionShape& shape, const fft::LineLimits& limits,
                           std::uint32_t lines) {
    constexpr std::uint32_t kManyThreads = 200;
    fft::LineLimits across = limits;
    across.lineCount = shape.first.length / 2;
    across.firstLinesFastest = true;
    across.pairs = true;
    across.lines = 1;
    if (fft::shapeLines(period, across).threads <= kManyThreads) {
        across.lines = 2;
    }
    across.lines = lines > 0 ? lines : across.lines;
    return fft::shapeLines(period, across);
}

} // namespace

KernelWindow usedWindow(std::uint32_t pixels, std::uint32_t taps, Padding padding) {
    const std::uint32_t centre = taps / 2;
    if (padding == Padding::Mirror) {
        return {0, taps, centre};
    }
    const std::uint32_t before = std::min(centre, pixels - 1);
    const std::uint32_t after = std::min(taps - 1 - centre, pixels - 1);
    return {centre - before, before + 1 + after, before};
}

std::uint32_t leastPeriod(std::uint32_t pixels, const KernelWindow& window, Padding padding) {
    return padding == Padding::Mirror ? pixels + window.count - 1 : pixels + window.centre;
}

ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits,
                                  const ConvolutionWishes& wishes, Padding padding) {
    if (!wishes.columnsFirst.has_value()) {
        ConvolutionWishes given = wishes;
        given.columnsFirst = false;
        const ConvolutionShape rowsFirst = shapeConvolution(width, height, columns, rows, limits, given, padding);
        given.columnsFirst = true;
        const ConvolutionShape columnsFirst = shapeConvolution(width, height, columns, rows, limits, given, padding);
        return convolutionCost(columnsFirst) < convolutionCost(rowsFirst) ? columnsFirst : rowsFirst;
    }
    ConvolutionShape shape;
    shape.columnsFirst = *wishes.columnsFirst;
    shape.pixels = shape.columnsFirst ? height : width;
    shape.lines = shape.columnsFirst ? width : height;
    const KernelWindow& along = shape.columnsFirst ? rows : columns;
    const KernelWindow& across = shape.columnsFirst ? columns : rows;
    const std::uint32_t firstLeast = leastPeriod(shape.pixels, along, padding);
    const std::uint32_t secondLeast = leastPeriod(shape.lines, across, padding);
    if (padding == Padding::Mirror) {
        shape.firstMirroredTo = shape.pixels + along.centre;
        shape.secondMirroredTo = shape.lines + across.centre;
    }
    const std::uint32_t firstPeriod =
        wishes.firstPeriod > 0 ? wishes.firstPeriod : fft::cheapestLength(firstLeast, false);
    const std::uint32_t secondPeriod =
        wishes.secondPeriod > 0 ? wishes.secondPeriod : fft::cheapestLength(secondLeast, true);
    shape.first = shapeFirst(firstPeriod, shape, limits, wishes.firstLines);
    shape.second = shapeSecond(secondPeriod, shape, limits, wishes.secondLines);
    return shape;
}

std::vector<shared::BloomBin> listBins(const fft::LineShape& first) {
    const std::uint32_t length = first.length;
    const bool aligned = first.lastRadix() % 2 == 0;
    std::vector<shared::BloomBin> bins;
    for (std::uint32_t position = 0; position < length; ++position) {
        const std::uint32_t frequency = shared::fftPositionFrequency(first.radices, length, position);
        const std::uint32_t mirror =
            shared::fftFrequencyPosition(first.radices, length, shared::fftMirror(length, frequency));
        if (position > mirror) {
            continue;
        }
        if (aligned && bins.size() % 2 != position % 2) {
            bins.push_back({BLOOM_NO_BIN, BLOOM_NO_BIN});
        }
        bins.push_back({position, mirror});
    }
    return bins;
}

double convolutionCost(const ConvolutionShape& shape) {
    constexpr double kOperationsPerByte = 8;
    // By columns, the pixels of few lines are read in short runs, of which memory moves more than it was asked for.
    const double wasted = shape.columnsFirst ? 2.0 * 4 * shape.pixels * shape.lines : 0.0;
    const double bytes = static_cast<double>(convolutionBytes(shape, false)) / 3;
    return kOperationsPerByte * (bytes + wasted) + 2.0 * shape.pairs() * fft::transformCost(shape.first.length) +
           2.0 * (shape.first.length / 2 + 1) * fft::transformCost(shape.second.length);
}

std::uint64_t convolutionBytes(const ConvolutionShape& shape, bool realKernel) {
    const std::uint64_t image = std::uint64_t{4} * shape.pixels * shape.lines;
    const std::uint64_t spectrum = std::uint64_t{8} * shape.first.length * shape.pairs();
    const std::uint64_t kernel =
        std::uint64_t{realKernel ? 4U : 8U} * (shape.first.length / 2 + 1) * shape.second.length;
    return 3 * (2 * image + 4 * spectrum + kernel);
}

} // namespace aureole
