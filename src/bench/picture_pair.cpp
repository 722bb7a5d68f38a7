#include "bench/picture_pair.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "image/colour/false_colour.h"
#include "image/metrics/flip.h"

namespace aureole::bench {

namespace {

/// Pixels a side that become one.
std::uint32_t blockOf(const glm::uvec2& size, std::uint32_t longest) {
    return (std::max(size.x, size.y) + longest - 1) / longest;
}

} // namespace

glm::uvec2 shrunkSize(const glm::uvec2& size, std::uint32_t longest) {
    return glm::max(size / blockOf(size, longest), glm::uvec2(1));
}

Image shrunkTo(const Image& image, std::uint32_t longest) {
    const std::uint32_t block = blockOf({image.width, image.height}, longest);
    const glm::uvec2 size = shrunkSize({image.width, image.height}, longest);
    Image result = makeImage(size.x, size.y, {"R", "G", "B"});
    const std::array<const Channel*, 3> colours = image.rgb("picture");
    for (std::size_t c = 0; c < colours.size(); ++c) {
        for (std::uint32_t y = 0; y < result.height; ++y) {
            for (std::uint32_t x = 0; x < result.width; ++x) {
                double sum = 0.0;
                std::uint32_t count = 0;
                for (std::uint32_t v = y * block; v < std::min((y + 1) * block, image.height); ++v) {
                    for (std::uint32_t u = x * block; u < std::min((x + 1) * block, image.width); ++u) {
                        sum += colours.at(c)->values[std::size_t{v} * image.width + u];
                        ++count;
                    }
                }
                result.channels[c].values[std::size_t{y} * result.width + x] = static_cast<float>(sum / count);
            }
        }
    }
    return result;
}

PicturePair compared(const std::string& title, const std::string& note, ReportPicture first, ReportPicture second) {
    const FlipResult flip = ldrFlip({first.image, first.name}, {second.image, second.name});
    PicturePair pair{title, note, std::move(first), std::move(second), {}};
    pair.note += flip.maximum == 0.0
                     ? " The pictures are equal."
                     : fmt::format(" FLIP of the two as shown: mean {:.4f}, largest {:.3f}.", flip.mean, flip.maximum);
    if (flip.maximum > 0.0) {
        pair.difference = {"FLIP: black 0, pale yellow 1", falseColour(flip.map)};
    }
    return pair;
}

} // namespace aureole::bench
