#include "cli/commands/compare_windows.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cli/options/arguments.h"
#include "core/error.h"
#include "core/log.h"

namespace aureole::cli {

namespace {

/// The part of a picture that an image is.
struct Window {
    Crop crop;
    glm::uvec2 whole{0};
};

std::string textOf(const Crop& crop) {
    return fmt::format("{},{},{},{}", crop.low.x, crop.low.y, crop.high.x, crop.high.y);
}

/// None where the image does not tell, or has another size than it tells.
std::optional<Window> windowOf(const Image& image) {
    const auto size = image.attributes.find("aureole.size");
    const auto crop = image.attributes.find("aureole.crop");
    if (size == image.attributes.end() || crop == image.attributes.end()) {
        return std::nullopt;
    }
    try {
        const Window window{parseCrop(crop->first, crop->second), parseSize(size->first, size->second)};
        const glm::uvec2 own{image.width, image.height};
        return window.crop.high - window.crop.low == own ? std::optional(window) : std::nullopt;
    } catch (const Error&) { // of another program's making
        return std::nullopt;
    }
}

/// What an image that does not tell stands for beside one that does.
Window guessBeside(const Window& other, const Image& image) {
    const glm::uvec2 own{image.width, image.height};
    return own == other.whole ? Window{{glm::uvec2(0), own}, own} : other;
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
    const std::optional<Window> first = windowOf(image);
    const std::optional<Window> second = windowOf(reference);
    if (!first && !second) {
        return;
    }
    const Window a = first ? *first : guessBeside(*second, image);
    const Window b = second ? *second : guessBeside(*first, reference);
    if (a.crop.low == b.crop.low && a.crop.high == b.crop.high && a.whole == b.whole) {
        return;
    }
    if (a.whole != b.whole) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, crop {}, expected {} x {} as in {}, crop {}", name,
             a.whole.x, a.whole.y, textOf(a.crop), b.whole.x, b.whole.y, referenceName, textOf(b.crop));
    }
    const Crop both{glm::max(a.crop.low, b.crop.low), glm::min(a.crop.high, b.crop.high)};
    if (!glm::all(glm::lessThan(both.low, both.high))) {
        fail(ExitCode::BadInput, "{}: found crop {}, expected one that has pixels in common with crop {} of {}", name,
             textOf(a.crop), textOf(b.crop), referenceName);
    }
    logWarning("{} is crop {} and {} is crop {}: crop {} is compared, which both have", name, textOf(a.crop),
               referenceName, textOf(b.crop), textOf(both));
    cut(image, a.crop.low, both);
    cut(reference, b.crop.low, both);
}

} // namespace aureole::cli
