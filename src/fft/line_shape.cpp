#include "fft/line_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "fft/factors.h"
#include "fft/shuffles.h"

namespace aureole::fft {

namespace {

// Neighbouring places of up to so many lines, running fastest, still meet in a subgroup of eight.
constexpr std::uint32_t kMostPairedLines = 4;

shared::FftRadices packRadices(const std::vector<std::uint32_t>& radices) {
    std::array<std::uint32_t, FFT_MAX_STAGES> all{};
    all.fill(1);
    std::copy(radices.begin(), radices.end(), all.begin());
    return {all[0], all[1], all[2], all[3], all[4], all[5]};
}

ExchangeTask taskOf(const LineShape& shape, const std::vector<std::uint32_t>& radices, std::uint32_t memoryBytes) {
    return {shape.length,
            radices,
            shape.threads,
            shape.lines,
            shape.elements,
            shape.firstLinesFastest,
            shape.laterLinesFastest,
            8,
            memoryBytes,
            shape.shuffled};
}

/// Lays the exchanges out, whole values where they fit. False where they do not fit without rounds.
bool layOut(LineShape& shape, const std::vector<std::uint32_t>& radices, std::uint32_t memoryBytes, bool allowRounds) {
    ExchangeTask task = taskOf(shape, radices, memoryBytes);
    shape.exchanges = shape.elements <= 16 ? layOutExchanges(task, false) : ExchangeLayouts{};
    shape.wholeValues = shape.exchanges.words > 0;
    if (!shape.wholeValues) {
        task.wordBytes = 4;
        shape.exchanges = layOutExchanges(task, allowRounds);
    }
    return shape.exchanges.words > 0;
}

/// Lets shuffles make the exchanges that they can.
void useShuffles(LineShape& shape, const std::vector<std::uint32_t>& radices, const LineLimits& limits) {
    ExchangeTask task = taskOf(shape, radices, limits.workgroupMemoryBytes);
    task.threads = threadsOfWholeSubgroups(task, limits.shuffleSize);
    if (task.threads == 0 || task.threads * task.lines > limits.invocations) {
        return;
    }
    shape.shuffled = shuffledBoundaries(task, limits.shuffleSize);
    if (shape.shuffled != 0) {
        shape.threads = task.threads;
        shape.subgroupSize = limits.shuffleSize;
    }
}

bool suits(std::uint32_t length, bool pairs) {
    return isSupported(length) && (!pairs || (length % 2 == 0 && length >= 4));
}

} // namespace

bool isSupported(std::uint32_t length) {
    if (length < 2 || length > kMaximumLength) {
        return false;
    }
    for (const std::uint32_t prime : {2U, 3U, 5U, 7U}) {
        while (length % prime == 0) {
            length /= prime;
        }
    }
    return length == 1;
}

std::vector<std::uint32_t> supportedLengths(std::uint32_t maximum) {
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t length = 2; length <= std::min(maximum, kMaximumLength); ++length) {
        if (isSupported(length)) {
            lengths.push_back(length);
        }
    }
    return lengths;
}

LineShape shapeLines(std::uint32_t length, const LineLimits& limits) {
    if (!suits(length, limits.pairs)) {
        fail(ExitCode::Internal, "no FFT of length {}{}: lengths are 2 to {} without a prime factor above 7", length,
             limits.pairs ? " in pairs" : "", kMaximumLength);
    }
    const Factors factors =
        cheapestFactors(length, {limits.pairs, limits.evenLastRadix, limits.invocations, limits.elements});
    if (factors.radices.empty() && limits.elements > 0) {
        fail(ExitCode::NoDevice, "an FFT of length {} cannot have {} values an invocation in workgroups of up to {}",
             length, limits.elements, limits.invocations);
    }
    if (factors.radices.empty()) {
        fail(ExitCode::NoDevice, "an FFT of length {} needs larger workgroups than the device's of {} invocations",
             length, limits.invocations);
    }
    LineShape shape;
    shape.length = length;
    shape.radices = packRadices(factors.radices);
    shape.stages = static_cast<std::uint32_t>(factors.radices.size());
    shape.elements = factors.elements;
    shape.threads = factors.threads;
    shape.firstLinesFastest = limits.firstLinesFastest;
    shape.laterLinesFastest = limits.laterLinesFastest;

    shape.lines = std::max(1U, limits.lines);
    const std::uint32_t mostLines = limits.pairs ? std::min(limits.lineCount, kMostPairedLines) : limits.lineCount;
    while (shape.workgroupSize() < limits.fewestInvocations && shape.lines < mostLines) {
        shape.lines *= 2;
    }
    while (shape.lines > 1 && (shape.workgroupSize() > limits.invocations ||
                               !layOut(shape, factors.radices, limits.workgroupMemoryBytes, limits.linesInRounds))) {
        shape.lines /= 2;
    }
    if (limits.shuffleSize > 0) {
        useShuffles(shape, factors.radices, limits);
    }
    if (!layOut(shape, factors.radices, limits.workgroupMemoryBytes, true)) {
        fail(ExitCode::NoDevice,
             "an FFT of length {} exchanges blocks of {} values; the device has {} bytes of "
             "workgroup memory",
             length, length / factors.radices[0], limits.workgroupMemoryBytes);
    }
    return shape;
}

std::vector<std::complex<float>> twiddleTable(const LineShape& shape) {
    constexpr double kTwoPi = 6.283185307179586477;
    std::vector<std::complex<float>> table;
    std::uint32_t span = shape.length;
    for (std::uint32_t stage = 0; stage + 1 < shape.stages; ++stage) {
        const std::uint32_t radix = shared::fftRadix(shape.radices, stage);
        const std::uint32_t stride = span / radix;
        for (std::uint32_t row = 0; row < shared::fftTwiddleRows(radix); ++row) {
            for (std::uint32_t i = 0; i < stride; ++i) {
                const double angle = -kTwoPi * (static_cast<double>(shared::fftTwiddleLeg(row)) * i) / span;
                table.emplace_back(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
            }
        }
        span = stride;
    }
    if (table.empty()) {
        table.emplace_back(1.0F, 0.0F); // buffers are never empty
    }
    return table;
}

double transformCost(std::uint32_t length) {
    return cheapestFactors(length).cost;
}

std::uint32_t cheapestLength(std::uint32_t minimum, bool pairs) {
    // A longer period also moves more values (at about 8 operations a byte), and makes more lines to transform along
    // the other axis.
    constexpr double kOperationsPerValue = 256;
    if (minimum > kMaximumLength) {
        fail(ExitCode::BadInput, "a convolution needs a period of {} pixels; at most {} are possible", minimum,
             kMaximumLength);
    }
    std::uint32_t best = 0;
    double bestCost = std::numeric_limits<double>::infinity();
    const std::uint32_t limit = std::min(kMaximumLength, std::max(4U, 2 * minimum));
    for (std::uint32_t length = std::max(4U, minimum + minimum % 2); length <= limit; length += 2) {
        if (!isSupported(length) || length * kOperationsPerValue >= bestCost) {
            continue;
        }
        const double cost = cheapestFactors(length, {pairs, !pairs}).cost + kOperationsPerValue * length;
        if (cost < bestCost) {
            best = length;
            bestCost = cost;
        }
    }
    return best;
}

} // namespace aureole::fft
