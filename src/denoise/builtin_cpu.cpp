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
#include "core/parallel.h"
#include "core/raw_vector.h"
#include "core/shared_progress.h"
#include "core/stopwatch.h"
#include "denoise/denoise_planes.h"
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
    const int columns = block.width + 2 * DENOISE_PATCH;
    const auto blockPixels = static_cast<std::size_t>(block.width * block.height);
    std::vector<glm::vec4> weights(blockPixels * DENOISE_OFFSETS);
    std::vector<glm::vec4> sums(static_cast<std::size_t>(columns * block.height));
    for (int number = 0; number < DENOISE_OFFSETS; ++number) {
        for (int top = 0; top < block.height; top += DENOISE_RUN) {
            for (int x = 0; x < columns; ++x) {
                const glm::ivec2 pixel(block.left - DENOISE_PATCH + x, block.top + top);
                const shared::DenoiseRun run = shared::denoiseColumnDifferences(picture, pixel, number);
                for (int i = 0; i < std::min(DENOISE_RUN, block.height - top); ++i) {
                    sums[static_cast<std::size_t>((top + i) * columns + x)] = run.at[i];
                }
            }
        }
        glm::vec4* const ofOffset = weights.data() + static_cast<std::size_t>(number) * blockPixels;
        for (int i = 0; i < block.width * block.height; ++i) {
            glm::vec4 sum(0.0F);
            for (int x = 0; x <= 2 * DENOISE_PATCH; ++x) {
                sum += shared::denoiseRowPart(
                    sums[static_cast<std::size_t>(i / block.width * columns + i % block.width + x)], x - DENOISE_PATCH);
            }
            ofOffset[i] = shared::denoiseWeights(sum);
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
            const auto place = static_cast<std::size_t>(pixel.y) * static_cast<std::size_t>(picture.width) +
                               static_cast<std::size_t>(pixel.x);
            for (std::size_t half = 0; half < 2; ++half) {
                const int side = static_cast<int>(half);
                for (std::size_t which = 0; which < DENOISE_FILTERS; ++which) {
                    result.at(which)[half][place] =
                        shared::denoiseFitPixel(picture, block, reinterpret_cast<std::uint64_t>(weights.data()), pixel,
                                                side, static_cast<int>(which));
                }
            }
        }
        progress.add(static_cast<std::uint64_t>(block.width * block.height));
    });
    return result;
}

/// The sum of a plane over the window of errors about each pixel, as far as it lies in the picture.
Evidence windowSums(Evidence plane, int width, int height) {
    Evidence alongRows(plane.size());
    const auto at = [&](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    };
    parallelFor(height, 16, [&](std::int64_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < width; ++x) {
            glm::vec2 sum(0.0F);
            for (int i = std::max(x - DENOISE_ERRORS, 0); i <= std::min(x + DENOISE_ERRORS, width - 1); ++i) {
                sum += plane[at(i, y)];
            }
            alongRows[at(x, y)] = sum;
        }
    });
    parallelFor(height, 16, [&](std::int64_t row) {
        const int y = static_cast<int>(row);
        std::fill_n(&plane[at(0, y)], width, glm::vec2(0.0F));
        for (int i = std::max(y - DENOISE_ERRORS, 0); i <= std::min(y + DENOISE_ERRORS, height - 1); ++i) {
            for (int x = 0; x < width; ++x) {
                plane[at(x, y)] += alongRows[at(x, i)];
            }
        }
    });
    return plane;
}

/// What each pixel says, summed over the window of errors.
template <typename OfPixel>
Evidence windowEvidence(const DenoisePlanes& planes, const OfPixel& ofPixel) {
    Evidence found(planes.pixelCount());
    forEachIndex(planes.pixelCount(), [&](std::size_t pixel) { found[pixel] = ofPixel(pixel); });
    return windowSums(std::move(found), static_cast<int>(planes.width), static_cast<int>(planes.height));
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
