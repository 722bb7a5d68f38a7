#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace aureole {

/// An environment as radiances on a grid of directions (environmentUv in shared/light/lights.h), row by row from
/// straight up.
struct EnvironmentTable {
    glm::uvec2 size{1};
    std::vector<glm::vec3> radiances;

    /// Of the texels, for choosing one: the brightest of a texel and its neighbours, since bilinear lookups reach them,
    /// by solid angle. Above 0 wherever a lookup is.
    std::vector<double> texelWeights() const;
    /// Radiance integrated over all directions, by luminance.
    double flux() const;
};

/// Without the sun. Throws Error (BadInput), naming `file`, where an image lacks R, G or B.
EnvironmentTable bakeEnvironment(const Environment& environment, const std::string& file);

} // namespace aureole
