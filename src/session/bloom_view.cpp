#include "session/bloom_view.h"

#include <charconv>
#include <string>

#include "bloom/kernel.h"
#include "core/error.h"
#include "core/log.h"
#include "session/bloom_kernel.h"
#include "settings/parse_text.h"

namespace aureole {

namespace {

/// Of images that do not tell.
constexpr double kUsualVerticalFov = 40.0;

/// The size that was rendered. Attributes that do not fit the image, as of one that was scaled since, are not meant.
glm::uvec2 wholeSize(const Image& image) {
    const glm::uvec2 own{image.width, image.height};
    const auto size = image.attributes.find("aureole.size");
    const auto crop = image.attributes.find("aureole.crop");
    if (size == image.attributes.end() || crop == image.attributes.end()) {
        return own;
    }
    try {
        const glm::uvec2 whole = parseSize(size->first, size->second);
        const Crop part = parseCrop(crop->first, crop->second);
        const bool fits = part.high - part.low == own && part.high.x <= whole.x && part.high.y <= whole.y;
        return fits ? whole : own;
    } catch (const Error& error) {
        logWarning("{}; taking the image as a whole", error.what());
        return own;
    }
}

} // namespace

BloomView bloomViewOf(const Image& image, const std::optional<double>& fieldOfView) {
    const glm::uvec2 size = wholeSize(image);
    const double usual = degreesPerPixel(fieldOfView.value_or(kUsualVerticalFov), size.y);
    const auto noted = image.attributes.find(kDegreesPerPixelAttribute);
    if (fieldOfView || noted == image.attributes.end()) {
        return {size, usual};
    }
    const std::string& text = noted->second;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value > 0.0 && value < 180.0) {
        return {size, value};
    }
    logWarning("{}: found '{}', expected an angle in degrees; taking a field of view of {} degrees",
               kDegreesPerPixelAttribute, text, kUsualVerticalFov);
    return {size, usual};
}

} // namespace aureole
