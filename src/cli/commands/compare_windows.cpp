#include "cli/commands/compare_windows.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/log.h"
#include "image/attributes.h"

namespace aureole::cli {

namespace {

/// None where the image does not tell.
std::optional<PictureWindow> toldWindow(const Image& image) {
    try {
        return windowOf(image);
    } catch (const Error&) { // of another program's making
        return std::nullopt;
    }
}

/// What an image that does not tell stands for beside one that does.
PictureWindow guessBeside(const PictureWindow& other, const Image& image) {
    const glm::uvec2 own{image.width, image.height};
    return own == other.whole ? PictureWindow{{glm::uvec2(0), own}, own} : other;
}

/// The pixels from `low` to `high` of the picture, of an image that begins at `origin`.
void cut(Image& image, const glm::uvec2& origin, const Crop& crop) {
    const glm::uvec2 from = crop.low - origin;
    const glm::uvec2 size = crop.high - crop.low;
    for (Channel& channel : image.channels) {
        std::vector<float> values;
        values.reserve(std::size_t{size.x} * size.y);
        for (std::uint32_t y = 0; y < size.y; ++y) {
            const auto row =
                channel.values.begin() + static_cast<std::ptrdiff_t>(std::size_t{from.y + y} * image.width);
            values.insert(values.end(), row + from.x, row + from.x + size.x);
        }
        channel.values = std::move(values);
    }
    image.width = size.x;
    image.height = size.y;
}

} // namespace

void alignWindows(Image& image, const std::string& name, Image& reference, const std::string& referenceName) {
    const std::optional<PictureWindow> first = toldWindow(image);
    const std::optional<PictureWindow> second = toldWindow(reference);
    if (!first && !second) {
        return;
    }
    const PictureWindow a = first ? *first : guessBeside(*second, image);
    const PictureWindow b = second ? *second : guessBeside(*first, reference);
    if (a.crop.low == b.crop.low && a.crop.high == b.crop.high && a.whole == b.whole) {
        return;
    }
    if (a.whole != b.whole) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, crop {}, expected {} x {} as in {}, crop {}", name,
             a.whole.x, a.whole.y, cropText(a.crop), b.whole.x, b.whole.y, referenceName, cropText(b.crop));
    }
    const Crop both{glm::max(a.crop.low, b.crop.low), glm::min(a.crop.high, b.crop.high)};
    if (!glm::all(glm::lessThan(both.low, both.high))) {
        fail(ExitCode::BadInput, "{}: found crop {}, expected one that has pixels in common with crop {} of {}", name,
             cropText(a.crop), cropText(b.crop), referenceName);
    }
    logWarning("{} is crop {} and {} is crop {}: crop {} is compared, which both have", name, cropText(a.crop),
               referenceName, cropText(b.crop), cropText(both));
    cut(image, a.crop.low, both);
    cut(reference, b.crop.low, both);
}

} // namespace aureole::cli
