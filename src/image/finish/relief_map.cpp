#include "image/finish/relief_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "image/image_file.h"

namespace aureole {

ReliefMap::ReliefMap(std::uint32_t width, std::uint32_t height, std::vector<float> heights)
    : width_(width)
    , height_(height)
    , heights_(std::move(heights)) {}

ReliefMap::ReliefMap(const Relief& relief) {
    const std::string& file = relief.image;
    const Image image = readImage(file, relief.links);
    const std::array<const Channel*, 3> rgb = image.rgb(file);
    width_ = image.width;
    height_ = image.height;
    heights_.resize(image.pixelCount());
    for (std::size_t i = 0; i < heights_.size(); ++i) {
        const double value = luminance(rgb[0]->values[i], rgb[1]->values[i], rgb[2]->values[i]);
        if (!std::isfinite(value)) {
            fail(ExitCode::BadInput, "{}: found {} at pixel {},{}, expected finite heights for a relief", file, value,
                 i % width_, i / width_);
        }
        heights_[i] = static_cast<float>(value);
    }
}

double ReliefMap::height(const glm::dvec2& at) const {
    const glm::dvec2 place = glm::clamp(at * size() - 0.5, glm::dvec2(0.0), size() - 1.0);
    const auto x = static_cast<std::size_t>(place.x);
    const auto y = static_cast<std::size_t>(place.y);
    const std::size_t right = std::min<std::size_t>(x + 1, width_ - 1);
    const std::size_t below = std::min<std::size_t>(y + 1, height_ - 1);
    const glm::dvec2 part = place - glm::floor(place);
    const auto row = [&](std::size_t line) {
        const float* const values = heights_.data() + line * width_;
        return glm::mix(double{values[x]}, double{values[right]}, part.x);
    };
    return glm::mix(row(y), row(below), part.y);
}

double ReliefMap::facing(const glm::dvec2& at, const glm::dvec2& light) const {
    const glm::dvec2 half = 0.5 * light / size();
    return height(at - half) - height(at + half);
}

} // namespace aureole
