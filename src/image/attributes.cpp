#include "image/attributes.h"

#include <fmt/format.h>

namespace aureole {

const std::string& attributeOf(const Image& image, const std::string& name) {
    static const std::string none;
    const auto found = image.attributes.find(name);
    return found == image.attributes.end() ? none : found->second;
}

void noteWindow(const PictureWindow& window, Image& image) {
    image.attributes[kCropAttribute] = cropText(window.crop);
    image.attributes[kSizeAttribute] = fmt::format("{}x{}", window.whole.x, window.whole.y);
}

std::optional<PictureWindow> windowOf(const Image& image) {
    const auto size = image.attributes.find(kSizeAttribute);
    const auto crop = image.attributes.find(kCropAttribute);
    if (size == image.attributes.end() || crop == image.attributes.end()) {
        return std::nullopt;
    }
    const PictureWindow window{parseCrop(crop->first, crop->second), parseSize(size->first, size->second)};
    const bool fits = window.crop.high - window.crop.low == glm::uvec2(image.width, image.height) &&
                      glm::all(glm::lessThanEqual(window.crop.high, window.whole));
    return fits ? std::optional(window) : std::nullopt;
}

std::string cropText(const Crop& crop) {
    return fmt::format("{},{},{},{}", crop.low.x, crop.low.y, crop.high.x, crop.high.y);
}

} // namespace aureole
