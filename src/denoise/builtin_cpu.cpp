// The filter on the CPU: block by block the weights and the fits, then the errors over the whole picture.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/interrupt.h"
#include "core/raw_vector.h"
#include "core/shared_progress.h"
#include "core/stopwatch.h"
#include "core/threads/parallel.h"
#include "denoise/denoise_planes.h"
#include "denoise/window_sums.h"
#include "shared/denoise/regression.h"
#include "shared/denoise/selection.h"
#include "shared/denoise/similarity.h"

namespace aureole {
namespace {

using Colours = RawVector<glm::vec3>;
using Evidence = RawVector<glm::vec2>;

/// Pixels of a block along an axis: its weights stay in the cache of a core.
constexpr int kBlock = 16;

/// A picture as each half of the samples has it: the first half, then the other.
using Halves = std::array<Colours, 2>;

/// The weights of a block's pixels for each offset of the window.
std::vector<glm::vec4> weightsOf(const shared::DenoisePicture& picture, const shared::DenoiseBlock& block) {
    constexpr int kOffsets = DENOISE_OFFSETS;
    const int columns = block.width + 2 * DENOISE_PATCH;
    const std::size_t pixels = pixelIndex({0, block.height}, block.width);
    std::vector<glm::vec4> weights(pixels * kOffsets);
    std::vector<glm::vec4> sums(pixelIndex({0, block.height}, columns));
    glm::vec4* weight = weights.data();
    for (int number = 0; number < kOffsets; ++number) {
        for (int top = 0; top < block.height; top += DENOISE_RUN) {
            for (int x = 0; x < columns; ++x) {
                const glm::ivec2 pixel(block.left - DENOISE_PATCH + x, block.top + top);
                const shared::DenoiseRun run = shared::denoiseColumnDifferences(picture, pixel, number);
                for (int i = 0; i < std::min(DENOISE_RUN, block.height - top); ++i) {
                    sums[pixelIndex({x, top + i}, columns)] = run.at[i];
                }
            }
        }
        for (int y = 0; y < block.height; ++y) {
            for (int x = 0; x < block.width; ++x) {
                glm::vec4 sum(0.0F);
                for (int i = 0; i <= 2 * DENOISE_PATCH; ++i) {
                    sum += shared::denoiseRowPart(sums[pixelIndex({x + i, y}, columns)], i - DENOISE_PATCH);
                }
                *weight++ = shared::denoiseWeights(sum);
            }
        }
    }
    return weights;
}

/// What the fits make of a picture: each filter's, the widest first.
using Filtered = std::array<Halves, DENOISE_FILTERS>;

/// The picture by each filter. Throws Error (Interrupted) where a stop is asked for
/// meanwhile: one from before is that of the samples, whose picture is to be denoised.
Filtered filtered(const DenoisePlanes& planes) {
    const shared::DenoisePicture picture = sharedPicture(planes);
    const std::size_t pixels = planes.pixelCount();
    Filtered result;
    for (Halves& halves : result) {
        halves = {Colours(pixels), Colours(pixels)};
    }
    SharedProgress progress("denoise", std::max<std::size_t>(pixels, 1));
    const bool alreadyStopped = interruptRequested();
    const auto columns = static_cast<int>(divideUp(planes.width, kBlock));
    parallelFor(std::int64_t{columns} * divideUp(planes.height, kBlock), 1, [&](std::int64_t number) {
        if (!alreadyStopped && interruptRequested()) {
            fail(ExitCode::Interrupted, "interrupted: denoising was not finished");
        }
        shared::DenoiseBlock block{};
        block.left = static_cast<int>(number) % columns * kBlock;
        block.top = static_cast<int>(number) / columns * kBlock;
        block.width = std::min(kBlock, picture.width - block.left);
        block.height = std::min(kBlock, picture.height - block.top);
        const std::vector<glm::vec4> weights = weightsOf(picture, block);
        for (int i = 0; i < block.width * block.height; ++i) {
            const glm::ivec2 pixel(block.left + i % block.width, block.top + i / block.width);
            const std::size_t place = pixelIndex(pixel, picture.width);
            for (std::size_t half = 0; half < 2; ++half) {
                const int side = static_cast<int>(half);
                for (std::size_t which = 0; which < DENOISE_FILTERS; ++which) {
                    result.at(which)[half][place] =
                        shared::denoiseFitPixel(picture, block, reinterpret_cast<std::uint64_t>(weights.data()), pixel,
                                                side, static_cast<int>(which));
                }
            }
        }
        progress.add(pixelIndex({0, block.height}, block.width));
    });
    return result;
}

/// What each pixel says, summed over the window of errors.
template <typename OfPixel>
Evidence windowEvidence(const DenoisePlanes& planes, const OfPixel& ofPixel) {
    Evidence found(planes.pixelCount());
    forEachIndex(planes.pixelCount(), [&](std::size_t pixel) { found[pixel] = ofPixel(pixel); });
    return windowSums(std::move(found), glm::ivec2(planes.width, planes.height), DENOISE_ERRORS);
}

/// Makes the first filter's picture the better of it and the next one's at each pixel, or a mix; the next one's goes.
void takeBetter(const DenoisePlanes& planes, Filtered& filters, std::size_t number) {
    Halves& best = filters[0];
    const Halves next = std::move(filters.at(number));
    const Evidence shares = windowEvidence(planes, [&](std::size_t i) {
        return shared::denoiseEvidence(best[0][i], next[0][i], planes.otherHalf(i), planes.variances[i]) +
               shared::denoiseEvidence(best[1][i], next[1][i], planes.halves[i], planes.variances[i]);
    });
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        for (std::size_t half = 0; half < 2; ++half) {
            best[half][i] = glm::mix(next[half][i], best[half][i], shared::denoiseShare(shares[i]));
        }
    });
}

} // namespace

std::vector<float> denoiseBuiltin(const DenoiseInput& input, double* milliseconds) {
    const DenoisePlanes planes = denoisePlanes(input);
    const Stopwatch clock;
    Filtered filters = filtered(planes);
    for (std::size_t number = 1; number < DENOISE_FILTERS; ++number) {
        takeBetter(planes, filters, number);
    }
    Halves& best = filters[0];
    const Evidence biases = windowEvidence(planes, [&](std::size_t i) {
        return shared::denoiseBias(best[0][i], best[1][i], planes.halves[i], planes.otherHalf(i), planes.variances[i]);
    });
    Colours& colours = best[0];
    forEachIndex(planes.pixelCount(), [&](std::size_t i) {
        const glm::vec3 clean = 0.5F * (best[0][i] + best[1][i]);
        colours[i] =
            glm::mix(planes.colour[i], clean, shared::denoiseShareOfFiltered(biases[i], clean, planes.variances[i]));
    });
    if (milliseconds != nullptr) {
        *milliseconds = 1e3 * clock.seconds();
    }
    return denoisedPicture(planes, colours);
}

} // namespace aureole
