#include "fft/line_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace aureole::fft {

namespace {

struct Butterfly {
    std::uint32_t radix;
    double operations; ///< real additions and multiplications, without the twiddle factors
};

// Largest first, so that the search meets the fewest stages early. Counted from shaders/shared/fft_radix.h.
constexpr std::array<Butterfly, 11> kButterflies = {
    {{16, 168}, {12, 112}, {10, 108}, {9, 96}, {8, 64}, {7, 96}, {6, 44}, {5, 44}, {4, 16}, {3, 16}, {2, 4}}};
constexpr std::array<std::uint32_t, 2> kElementVariants = {16, 24};
constexpr std::uint32_t kMostThreads = 1024; ///< invocations of a workgroup on every device worth having
constexpr std::uint32_t kComplexBlock = 16;  ///< slots that fftSwizzle turns round, 64-bit words
constexpr std::uint32_t kRealBlock = 32;     ///< the same, 32-bit words

using Radices = std::vector<std::uint32_t>;

std::uint32_t divideUp(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}
std::uint32_t roundUp(std::uint32_t a, std::uint32_t multiple) {
    return divideUp(a, multiple) * multiple;
}

double butterflyOperations(std::uint32_t radix) {
    const auto* found = std::find_if(kButterflies.begin(), kButterflies.end(),
                                     [radix](const Butterfly& butterfly) { return butterfly.radix == radix; });
    return found->operations;
}

/// Invocations per line such that each stage's butterflies find room in the registers.
std::uint32_t threadsFor(std::uint32_t length, const Radices& radices, std::uint32_t elements) {
    std::uint32_t threads = 1;
    for (const std::uint32_t radix : radices) {
        threads = std::max(threads, divideUp(length / radix, elements / radix));
    }
    return threads;
}

double costOf(const Radices& radices, std::uint32_t threads, std::uint32_t elements) {
    // What an exchange of one value costs beside arithmetic: a store, a load, their addresses, a share of the barrier.
    constexpr double kExchangeOperations = 40;
    constexpr double kTwiddleOperations = 6;
    double cost = 0;
    for (std::size_t stage = 0; stage < radices.size(); ++stage) {
        const std::uint32_t radix = radices[stage];
        const double slots = static_cast<double>(elements / radix) * threads;
        cost += slots * butterflyOperations(radix);
        if (stage > 0) {
            cost += slots * (kTwiddleOperations * (radix - 1) + kExchangeOperations * radix);
        }
    }
    return cost;
}

struct Factorisation {
    Radices radices;
    std::uint32_t threads = 0;
    double cost = std::numeric_limits<double>::infinity();
};

void searchFactors(std::uint32_t length, std::uint32_t rest, std::size_t firstButterfly, std::uint32_t elements,
                   Radices& chosen, Factorisation& best) {
    if (rest == 1) {
        const std::uint32_t threads = threadsFor(length, chosen, elements);
        const double cost = costOf(chosen, threads, elements);
        if (threads <= kMostThreads && cost < best.cost) {
            best = {chosen, threads, cost};
        }
        return;
    }
    if (chosen.size() == FFT_MAX_STAGES) {
        return;
    }
    for (std::size_t i = firstButterfly; i < kButterflies.size(); ++i) {
        if (rest % kButterflies.at(i).radix == 0) {
            chosen.push_back(kButterflies.at(i).radix);
            searchFactors(length, rest / chosen.back(), i, elements, chosen, best);
            chosen.pop_back();
        }
    }
}

/// The cheapest radices of a length, the smallest first: the last stage's neighbouring slots then go to one invocation
/// in the largest groups. `elements` is set to the build variant.
Factorisation factorise(std::uint32_t length, std::uint32_t& elements) {
    Factorisation best;
    for (const std::uint32_t variant : kElementVariants) {
        Radices chosen;
        best = {};
        searchFactors(length, length, 0, variant, chosen, best);
        elements = variant;
        if (!best.radices.empty()) {
            break;
        }
    }
    std::sort(best.radices.begin(), best.radices.end());
    return best;
}

shared::FftRadices packRadices(const Radices& radices) {
    std::array<std::uint32_t, FFT_MAX_STAGES> all{};
    all.fill(1);
    std::copy(radices.begin(), radices.end(), all.begin());
    return {all[0], all[1], all[2], all[3], all[4], all[5]};
}

bool fitsMemory(LineShape& shape, std::uint32_t bytes) {
    shape.wholeValues = true;
    shape.capacity = roundUp(shape.length, kComplexBlock);
    if (shape.workgroupMemoryBytes() <= bytes) {
        return true;
    }
    shape.wholeValues = false;
    shape.capacity = roundUp(shape.length, kRealBlock);
    return shape.workgroupMemoryBytes() <= bytes;
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
    if (!isSupported(length)) {
        fail(ExitCode::Internal, "no FFT of length {}: lengths are 2 to {} without a prime factor above 7", length,
             kMaximumLength);
    }
    LineShape shape;
    shape.length = length;
    shape.linesFastest = limits.linesFastest;
    const Factorisation factors = factorise(length, shape.elements);
    shape.radices = packRadices(factors.radices);
    shape.stages = static_cast<std::uint32_t>(factors.radices.size());
    shape.threads = factors.threads;
    if (shape.threads > limits.invocations) {
        fail(ExitCode::NoDevice, "an FFT of length {} needs workgroups of {} invocations; the device has {}", length,
             shape.threads, limits.invocations);
    }

    shape.lines = std::max(1U, limits.lines);
    while (shape.workgroupSize() < limits.fewestInvocations && shape.lines < limits.lineCount) {
        shape.lines *= 2;
    }
    while (shape.lines > 1 &&
           (shape.workgroupSize() > limits.invocations || !fitsMemory(shape, limits.workgroupMemoryBytes))) {
        shape.lines /= 2;
    }
    if (!fitsMemory(shape, limits.workgroupMemoryBytes)) {
        shape.capacity = limits.workgroupMemoryBytes / 4 / kRealBlock * kRealBlock;
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
        for (std::uint32_t leg = 1; leg < radix; ++leg) {
            for (std::uint32_t i = 0; i < stride; ++i) {
                const double angle = -kTwoPi * (static_cast<double>(leg) * i) / span;
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
    std::uint32_t elements = 0;
    return factorise(length, elements).cost;
}

std::uint32_t cheapestEvenLength(std::uint32_t minimum) {
    if (minimum > kMaximumLength) {
        fail(ExitCode::BadInput, "a convolution needs a period of {} pixels; at most {} are possible", minimum,
             kMaximumLength);
    }
    std::uint32_t best = 0;
    double bestCost = std::numeric_limits<double>::infinity();
    const std::uint32_t limit = std::min(kMaximumLength, 2 * std::max(minimum, 2U));
    for (std::uint32_t length = std::max(2U, minimum + minimum % 2); length <= limit; length += 2) {
        // A longer period also moves more values (at about 8 operations a byte), and makes more lines to transform
        // along the other axis.
        constexpr double kOperationsPerValue = 256;
        if (!isSupported(length) || length * kOperationsPerValue >= bestCost) {
            continue;
        }
        const double cost = transformCost(length) + kOperationsPerValue * length;
        if (cost < bestCost) {
            best = length;
            bestCost = cost;
        }
    }
    return best;
}

} // namespace aureole::fft
