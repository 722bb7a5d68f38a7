#include "image/finish/relief_map.h"

#include <algorithm>
#include <utility>

#include "image/heights.h"
#include "image/image_file.h"

namespace aureole {

ReliefMap::ReliefMap(std::uint32_t width, std::uint32_t height, std::vector<float> heights)
    : width_(width)
    , height_(height)
    , heights_(std::move(heights)) {}

ReliefMap::ReliefMap(const Relief& relief) {
    const std::string& file = relief.image;
    const Image image = readImage(file, relief.links);
    width_ = image.width;
    height_ = image.height;
    heights_ = heightsOf(image, file, "heights for a relief");
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
