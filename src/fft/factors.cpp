#include "fft/factors.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/divide_up.h"
#include "shared/fft/fft_index.h"

namespace aureole::fft {

namespace {

struct Butterfly {
    std::uint32_t radix;
    double operations; ///< real additions and multiplications, without the twiddle factors; more where slower
};

// Largest first, so that the search meets the fewest stages early. Counted from shaders/shared/fft/fft_radix.h.
constexpr std::array<Butterfly, 13> kButterflies = {{{16, 168},
                                                     {15, 280},
                                                     {14, 420},
                                                     {12, 112},
                                                     {10, 108},
                                                     {9, 96},
                                                     {8, 64},
                                                     {7, 96},
                                                     {6, 44},
                                                     {5, 44},
                                                     {4, 16},
                                                     {3, 16},
                                                     {2, 4}}};
// The build variants of the shaders: fewer values an invocation need fewer registers, more need fewer stages. The last
// is for lengths that need many invocations otherwise, or do not go into workgroups of 1024 at all.
constexpr std::array<std::uint32_t, 2> kElementVariants = {16, 8};
constexpr std::uint32_t kMostElements = 24;
// Stages of the variants, as the build has them (AureoleFftShaders.cmake).
constexpr std::size_t kFewestStagesOfMost = 4;
constexpr std::size_t kMostStagesOfFewer = 5; ///< more are of no use where workgroups have 1024 invocations
constexpr std::uint32_t kManyThreads = 256;

using Radices = std::vector<std::uint32_t>;

double butterflyOperations(std::uint32_t radix) {
    const auto* found = std::find_if(kButterflies.begin(), kButterflies.end(),
                                     [radix](const Butterfly& butterfly) { return butterfly.radix == radix; });
    return found->operations;
}

/// Invocations per line such that each stage's butterflies find room in the registers.
std::uint32_t threadsFor(std::uint32_t length, const Radices& radices, std::uint32_t elements, bool pairs) {
    std::uint32_t threads = 1;
    for (const std::uint32_t radix : radices) {
        threads = std::max(threads, divideUp(length / radix, elements / radix));
    }
    return pairs ? threads + threads % 2 : threads;
}

/// Weights from measurements on an NVIDIA H200 (tests/bench/record/fft.md): they order the factors of a length, and
/// lengths.
double costOf(std::uint32_t length, const Radices& radices, std::uint32_t threads, std::uint32_t elements) {
    // What an exchange of one value costs beside arithmetic: a store, a load, their addresses, a share of the barriers.
    constexpr double kExchangeOperations = 30;
    constexpr double kTwiddleOperations = 8;
    // Where the last butterflies leave invocations idle, every access is under a condition.
    constexpr double kPartlyFilled = 1.35;
    // Two lines, most often, share subgroups of 32.
    constexpr std::uint32_t kThreadsTogether = 16;
    const std::uint32_t issued = divideUp(threads, kThreadsTogether) * kThreadsTogether;
    double cost = 0;
    for (std::size_t stage = 0; stage < radices.size(); ++stage) {
        const std::uint32_t radix = radices[stage];
        const std::uint32_t rounds = std::min(divideUp(length / radix, threads), elements / radix);
        const double slots = static_cast<double>(rounds) * issued;
        double operations = butterflyOperations(radix);
        if (stage > 0) {
            operations += kTwiddleOperations * (radix - 1) + kExchangeOperations * radix;
        }
        cost += slots * operations * (length / radix == rounds * threads ? 1.0 : kPartlyFilled);
    }
    return cost;
}

/// Brings the radices into stage order, the smallest first: the first stage then has the longest stride, and the last
/// one's neighbouring slots go to one invocation in the largest groups. Whether the wishes can be met.
bool order(std::uint32_t length, Radices& radices, const FactorWishes& wishes) {
    std::sort(radices.begin(), radices.end());
    if (wishes.evenLastRadix && length % 2 == 0) {
        const auto last = std::find_if(radices.rbegin(), radices.rend(), [](std::uint32_t r) { return r % 2 == 0; });
        std::rotate(last.base() - 1, last.base(), radices.end());
    }
    if (!wishes.pairs) {
        return true;
    }
    const auto first =
        std::find_if(radices.begin(), radices.end(), [length](std::uint32_t r) { return length / r % 2 == 0; });
    if (first == radices.end()) {
        return false;
    }
    std::rotate(radices.begin(), first, first + 1);
    return true;
}

struct Search {
    std::uint32_t length = 0;
    std::uint32_t elements = 0;
    FactorWishes wishes{};
    Radices chosen{};
    Factors best{};

    void run(std::uint32_t rest, std::size_t firstButterfly) {
        if (rest == 1) {
            consider();
            return;
        }
        if (chosen.size() == FFT_MAX_STAGES) {
            return;
        }
        for (std::size_t i = firstButterfly; i < kButterflies.size(); ++i) {
            if (kButterflies.at(i).radix <= elements && rest % kButterflies.at(i).radix == 0) {
                chosen.push_back(kButterflies.at(i).radix);
                run(rest / chosen.back(), i);
                chosen.pop_back();
            }
        }
    }

    void consider() {
        Radices ordered = chosen;
        if (elements == kMostElements ? ordered.size() < kFewestStagesOfMost : ordered.size() > kMostStagesOfFewer) {
            return;
        }
        const std::uint32_t threads = threadsFor(length, ordered, elements, wishes.pairs);
        if (threads > wishes.mostThreads || !order(length, ordered, wishes)) {
            return;
        }
        const double cost = costOf(length, ordered, threads, elements);
        // Of equals, the fewest values an invocation, and the most even radices.
        if (cost < best.cost || (cost == best.cost && elements <= best.elements)) {
            best = {std::move(ordered), elements, threads, cost};
        }
    }
};

} // namespace

Factors cheapestFactors(std::uint32_t length, const FactorWishes& wishes) {
    Search search{length, 0, wishes};
    search.best.cost = std::numeric_limits<double>::infinity();
    if (wishes.elements > 0) {
        search.elements = wishes.elements;
        search.run(length, 0);
        return search.best;
    }
    for (const std::uint32_t elements : kElementVariants) {
        search.elements = elements;
        search.run(length, 0);
    }
    if (search.best.radices.empty() ||
        (search.best.threads > kManyThreads && search.best.radices.size() >= kFewestStagesOfMost)) {
        search.elements = kMostElements;
        search.run(length, 0);
    }
    return search.best;
}

} // namespace aureole::fft
