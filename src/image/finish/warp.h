#pragma once

#include <optional>

#include "image/finish/pixels.h"
#include "settings/finish.h"

namespace aureole {

/// Where the finished picture takes its pixels from: through the lens, then the bulge.
class Warp {
public:
    /// Throws Error (Usage) for a distortion that folds.
    Warp(const glm::dvec2& size, const std::optional<Bulge>& bulge, const std::optional<LensDistortion>& distortion);

    /// The place in the picture as rendered that a place of the finished one shows, both in pixels from the upper left.
    glm::dvec2 source(const glm::dvec2& place) const;

private:
    glm::dvec2 throughLens(const glm::dvec2& place) const;
    glm::dvec2 throughBulge(const glm::dvec2& place) const;

    glm::dvec2 size_;
    std::optional<Bulge> bulge_;
    std::optional<LensDistortion> distortion_;
    double scale_ = 1.0; ///< of the distorted picture, so that nothing from outside of the ideal one is seen
};

/// The picture as the warp shows it, by cubic interpolation (Catmull and Rom, 1974) kept within the four pixels around
/// a place, so that lights get no dark rings.
FinishPixels warped(const FinishPixels& pixels, const Warp& warp);

} // namespace aureole
