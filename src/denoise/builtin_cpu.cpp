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

template <typename Values>
std::uint64_t addressOf(const Values& values) {
    return reinterpret_cast<std::uint64_t>(values.data());
}

shared::DenoisePicture pictureOf(const DenoisePlanes& planes) {
    shared::DenoisePicture picture{};
    picture.halves = addressOf(planes.halves);
    picture.variances = addressOf(planes.variances);
    picture.features = addressOf(planes.features);
    picture.width = static_cast<int>(planes.width);
    picture.height = static_cast<int>(planes.height);
    return picture;
}

/// The weights of a block's pixels for each offset of the window.
std::vector<glm::vec4> weightsOf(const shared::DenoisePicture& picture, const shared::DenoiseBlock& block) {
    const int columns = block.width + 2 * DENOISE_PATCH;
    const auto blockPixels = static_cast<std::size_t>(block.width * block.height);
    std::vector<glm::vec4> weights(blockPixels * DENOISE_OFFSETS);
    std::vector<glm::vec4> sums(static_cast<std::size_t>(columns * block.height));
    for (int number = 0; number < DENOISE_OFFSETS; ++number) {
        const glm::ivec2 offset = shared::denoiseOffset(number);
        for (int top = 0; top < block.height; top += DENOISE_RUN) {
            for (int x = 0; x < columns; ++x) {
                const glm::ivec2 pixel(block.left - DENOISE_PATCH + x, block.top + top);
                const shared::DenoiseRun run = shared::denoiseColumnDifferences(picture, pixel, offset);
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

/// The picture by the wide filter and by the narrow one. Throws Error (Interrupted) where a stop is asked for
/// meanwhile: one from before is that of the samples, whose picture is to be denoised.
std::array<Halves, 2> filtered(const DenoisePlanes& planes) {
    const shared::DenoisePicture picture = pictureOf(planes);
    const std::size_t pixels = planes.pixelCount();
    std::array<Halves, 2> result;
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
            for (int half = 0; half < 2; ++half) {
                const shared::DenoisedPixel fitted =
                    shared::denoiseFitPixel(picture, block, addressOf(weights), pixel, half);
                result[0][static_cast<std::size_t>(half)][place] = fitted.wide;
                result[1][static_cast<std::size_t>(half)][place] = fitted.narrow;
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
    forEachPixel(planes, [&](std::size_t pixel) { found[pixel] = ofPixel(pixel); });
    return windowSums(std::move(found), static_cast<int>(planes.width), static_cast<int>(planes.height));
}

/// At each pixel the better of both filters, or a mix. It takes the place of the wide one: pictures may be large.
Halves bestOf(const DenoisePlanes& planes) {
    const std::size_t pixels = planes.pixelCount();
    std::array<Halves, 2> filters = filtered(planes);
    Halves& wide = filters[0];
    const Halves& narrow = filters[1];
    const Evidence shares = windowEvidence(planes, [&](std::size_t i) {
        return shared::denoiseEvidence(wide[0][i], narrow[0][i], planes.halves[pixels + i], planes.variances[i]) +
               shared::denoiseEvidence(wide[1][i], narrow[1][i], planes.halves[i], planes.variances[i]);
    });
    forEachPixel(planes, [&](std::size_t i) {
        for (std::size_t half = 0; half < 2; ++half) {
            wide[half][i] = glm::mix(narrow[half][i], wide[half][i], shared::denoiseShare(shares[i]));
        }
    });
    return std::move(wide);
}

} // namespace

std::vector<float> denoiseBuiltin(const DenoiseInput& input, double* milliseconds) {
    const DenoisePlanes planes = denoisePlanes(input);
    const Stopwatch clock;
    const std::size_t pixels = planes.pixelCount();
    Halves best = bestOf(planes);
    const Evidence biases = windowEvidence(planes, [&](std::size_t i) {
        return shared::denoiseBias(best[0][i], best[1][i], planes.halves[i], planes.halves[pixels + i],
                                   planes.variances[i]);
    });
    Colours& colours = best[0];
    forEachPixel(planes, [&](std::size_t i) {
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
