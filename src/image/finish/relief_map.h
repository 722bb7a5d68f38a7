#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/math.h"
#include "settings/finish.h"

namespace aureole {

/// Heights over the unit square, y down: an image's luminance at the centres of its pixels, bilinear between them and
/// even beyond the outermost.
class ReliefMap {
public:
    /// Throws Error (BadInput) where the file is missing or no image, has no colours, or has values that are not
    /// finite.
    explicit ReliefMap(const Relief& relief);
    ReliefMap(std::uint32_t width, std::uint32_t height, std::vector<float> heights);

    double height(const glm::dvec2& at) const;
    /// How much less high it is half a pixel of the map towards `light` (of unit length, y down) than half a pixel away
    /// from it: above 0 where the surface faces the light.
    double facing(const glm::dvec2& at, const glm::dvec2& light) const;

private:
    glm::dvec2 size() const { return {width_, height_}; }

    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<float> heights_;
};

} // namespace aureole
