#include "bloom/convolution_shape.h"

#include <algorithm>

#include "core/error.h"

namespace aureole {

namespace {

// Two pairs of lines fill runs of 32 bytes in the spectrum, what memory moves at least; four do so in the rows of an
// image that is read by columns. More make workgroups coarse. Where two pairs fit in rounds alone, whole runs are worth
// it to who writes them (`writes`). Measured on an NVIDIA H200 (tests/bench/record/bloom.md).
fft::LineShape shapeAxis(std::uint32_t period, const ConvolutionShape& shape, const fft::LineLimits& limits,
                         std::uint32_t lines, bool writes) {
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
    along.linesInRounds = writes && along.lines == 2;
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

/// The period that was wished for, or else the cheapest one. `axis`: how the pixels lie.
std::uint32_t choosePeriod(std::uint32_t wish, std::uint32_t pixels, const KernelWindow& window, BloomPadding padding,
                           bool second, const char* axis) {
    if (wish > 0) {
        return wish;
    }
    const std::uint32_t least = leastPeriod(pixels, window, padding);
    if (least > fft::kMaximumLength) {
        fail(ExitCode::BadInput,
             "bloom: an image {} pixels {} with a kernel of {} texels needs a period of {}; at most {} are possible",
             pixels, axis, window.count, least, fft::kMaximumLength);
    }
    return fft::cheapestLength(least, second);
}

} // namespace

KernelWindow usedWindow(std::uint32_t pixels, std::uint32_t taps, BloomPadding padding) {
    const std::uint32_t centre = taps / 2;
    if (padding == BloomPadding::Mirror) {
        return wholeWindow(taps);
    }
    const std::uint32_t before = std::min(centre, pixels - 1);
    const std::uint32_t after = std::min(taps - 1 - centre, pixels - 1);
    return {centre - before, before + 1 + after, before};
}

KernelWindow wholeWindow(std::uint32_t taps) {
    return {0, taps, taps / 2};
}

std::uint32_t leastPeriod(std::uint32_t pixels, const KernelWindow& window, BloomPadding padding) {
    return padding == BloomPadding::Mirror ? pixels + window.count - 1 : pixels + window.centre;
}

ConvolutionShape shapeConvolution(std::uint32_t width, std::uint32_t height, const KernelWindow& columns,
                                  const KernelWindow& rows, const fft::LineLimits& limits,
                                  const ConvolutionWishes& wishes, BloomPadding padding) {
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
    if (padding == BloomPadding::Mirror) {
        shape.firstMirroredTo = shape.pixels + along.centre;
        shape.secondMirroredTo = shape.lines + across.centre;
    }
    const char* const firstAxis = shape.columnsFirst ? "high" : "wide";
    const char* const secondAxis = shape.columnsFirst ? "wide" : "high";
    const std::uint32_t firstPeriod = choosePeriod(wishes.firstPeriod, shape.pixels, along, padding, false, firstAxis);
    const std::uint32_t secondPeriod =
        choosePeriod(wishes.secondPeriod, shape.lines, across, padding, true, secondAxis);
    shape.first = shapeAxis(firstPeriod, shape, limits, wishes.firstLines, true);
    shape.third = shapeAxis(firstPeriod, shape, limits, wishes.firstLines, false);
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
    const double bytes = static_cast<double>(convolutionBytes(shape, exactKernelBytes(shape, false))) / 3;
    const std::uint32_t columns = shape.first.length / 2 + 1;
    return kOperationsPerByte * (bytes + wasted) + 2.0 * shape.pairs() * fft::transformCost(shape.first.length) +
           2.0 * columns * fft::transformCost(shape.second.length);
}

std::uint64_t exactKernelBytes(const ConvolutionShape& shape, bool realKernel) {
    return 3 * std::uint64_t{realKernel ? 4U : 8U} * (shape.first.length / 2 + 1) * shape.second.length;
}

std::uint64_t convolutionBytes(const ConvolutionShape& shape, std::uint64_t kernelBytes) {
    const std::uint64_t image = std::uint64_t{4} * shape.pixels * shape.lines;
    const std::uint64_t spectrum = std::uint64_t{8} * shape.first.length * shape.pairs();
    return 3 * (2 * image + 4 * spectrum) + kernelBytes;
}

} // namespace aureole
