#include "bloom/strips.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/divide_up.h"

namespace aureole {

namespace {

/// The pixel that stands at a place along an axis, which may lie outside; `size` where there is none.
std::uint32_t pixelAt(std::int64_t place, std::uint32_t size, BloomPadding padding) {
    const auto count = static_cast<std::int64_t>(size);
    if (place >= 0 && place < count) {
        return static_cast<std::uint32_t>(place);
    }
    if (padding == BloomPadding::Zero) {
        return size;
    }
    const std::int64_t cycle = 2 * count;
    const std::int64_t at = (place % cycle + cycle) % cycle;
    return static_cast<std::uint32_t>(at < count ? at : cycle - 1 - at);
}

/// The part of the image with its upper left pixel at `corner`. False where it is black.
bool fillWindow(const HostPlanes& image, BloomPadding padding, const glm::i64vec2& corner, HostPlanes& window) {
    bool lit = false;
    std::vector<std::uint32_t> columns(window.size.x);
    for (std::uint32_t x = 0; x < window.size.x; ++x) {
        columns[x] = pixelAt(corner.x + x, image.size.x, padding);
    }
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>& plane = window.planes.at(c);
        plane.assign(std::size_t{window.size.x} * window.size.y, 0.0F);
        for (std::uint32_t y = 0; y < window.size.y; ++y) {
            const std::uint32_t row = pixelAt(corner.y + y, image.size.y, padding);
            for (std::uint32_t x = 0; row < image.size.y && x < window.size.x; ++x) {
                const std::size_t from = std::size_t{row} * image.size.x + columns[x];
                const float value = columns[x] < image.size.x ? image.planes.at(c)[from] : 0.0F;
                plane[std::size_t{y} * window.size.x + x] = std::isfinite(value) ? value : 0.0F;
                lit = lit || value != 0.0F;
            }
        }
    }
    return lit;
}

/// A block of the kernel of the cut's size; beyond the kernel it is black. False where all of it is.
bool takeBlock(const BloomKernel& kernel, const glm::uvec2& first, BloomKernel& block) {
    bool lit = false;
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>& plane = block.planes.at(c);
        plane.assign(std::size_t{block.width} * block.height, 0.0F);
        for (std::uint32_t y = 0; y < std::min(block.height, kernel.height - first.y); ++y) {
            for (std::uint32_t x = 0; x < std::min(block.width, kernel.width - first.x); ++x) {
                const float value = kernel.planes.at(c)[std::size_t{first.y + y} * kernel.width + first.x + x];
                plane[std::size_t{y} * block.width + x] = value;
                lit = lit || value != 0.0F;
            }
        }
    }
    return lit;
}

/// Adds what of a convolved window is whole to the strip that begins at `begin`. `from` is that strip's place in it.
void addStrip(const HostPlanes& window, const glm::uvec2& from, const glm::uvec2& begin, const glm::uvec2& size,
              HostPlanes& result) {
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::uint32_t y = 0; y < size.y; ++y) {
            const float* const source = window.planes.at(c).data() + std::size_t{from.y + y} * window.size.x + from.x;
            float* const target = result.planes.at(c).data() + std::size_t{begin.y + y} * result.size.x + begin.x;
            std::transform(source, source + size.x, target, target, [](float a, float b) { return a + b; });
        }
    }
}

} // namespace

AxisCut cutAxis(std::uint32_t pixels, std::uint32_t taps, std::uint32_t longest) {
    AxisCut best{1, 1};
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
    for (std::uint32_t blocks = 1; blocks <= taps; ++blocks) {
        const std::uint32_t block = divideUp(taps, blocks);
        // A window and the kernel's centre: what BloomFilter keeps apart. Of one strip alone the window is the image.
        const std::uint64_t reach = std::uint64_t{block} - 1 + block / 2;
        if (reach >= longest) {
            continue;
        }
        const auto strip = static_cast<std::uint32_t>(std::min<std::uint64_t>(longest - reach, pixels));
        const std::uint64_t transforms = std::uint64_t{divideUp(pixels, strip)} * divideUp(taps, block);
        if (transforms < fewest) {
            fewest = transforms;
            best = {divideUp(pixels, divideUp(pixels, strip)), block};
        }
        if (strip > 4 * block || strip == pixels) { // smaller blocks only make more of them
            break;
        }
    }
    return best;
}

HostPlanes convolveInStrips(const HostPlanes& image, const BloomKernel& kernel, BloomPadding padding,
                            const AxisCut& columns, const AxisCut& rows, const MakeConvolution& make) {
    HostPlanes result{image.size, {}};
    for (std::vector<float>& plane : result.planes) {
        plane.assign(std::size_t{image.size.x} * image.size.y, 0.0F);
    }
    const glm::uvec2 taps(columns.taps, rows.taps);
    const glm::uvec2 strip(columns.pixels, rows.pixels);
    HostPlanes window{glm::uvec2(columns.window(), rows.window()), {}};
    BloomKernel block{taps.x, taps.y, {}};
    const glm::uvec2 blockCentre = taps / 2U;
    for (glm::uvec2 first(0); first.y < kernel.height; first.y += taps.y) {
        for (first.x = 0; first.x < kernel.width; first.x += taps.x) {
            if (!takeBlock(kernel, first, block)) {
                continue;
            }
            const ConvolveWindow convolve = make(window.size, block);
            // The texel that meets the last pixel before a strip, counted from the kernel's centre.
            const glm::i64vec2 last = glm::i64vec2(first) + glm::i64vec2(taps) - glm::i64vec2(1) -
                                      glm::i64vec2(kernel.width / 2, kernel.height / 2);
            for (glm::uvec2 begin(0); begin.y < image.size.y; begin.y += strip.y) {
                for (begin.x = 0; begin.x < image.size.x; begin.x += strip.x) {
                    if (fillWindow(image, padding, glm::i64vec2(begin) - last, window)) {
                        convolve(window);
                        addStrip(window, taps - 1U - blockCentre, begin, glm::min(strip, image.size - begin), result);
                    }
                }
            }
        }
    }
    return result;
}

} // namespace aureole
