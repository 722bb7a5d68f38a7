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
};

/// How directions are drawn in an environment.
struct EnvironmentSampling {
    std::vector<glm::vec4> texels;   ///< radiance, and the density per solid angle with which it is drawn
    std::vector<double> cellWeights; ///< of each cell of sampleEnvironment: the density integrated over it
    double total = 0.0;              ///< radiance integrated over all directions, by luminance; 0: there is no light
    double flux = 0.0;               ///< what of the total is drawn for; 0: nothing is drawn, densities are 0
};

/// Densities in proportion to luminance less `removed` of its mean over all directions, and at least 0: what is left
/// out is for the other strategy of multiple importance sampling, which finds it as well (Karlik, Sik, Vevoda, Skrivan
/// and Krivanek, "MIS Compensation: Optimizing Sampling Techniques in Multiple Importance Sampling", 2019). Nothing is
/// drawn where next to nothing is left: of a constant sky, which chance finds wherever it looks.
EnvironmentSampling sampleByLuminance(const EnvironmentTable& table, double removed);

/// Without the sun. Throws Error (BadInput), naming `file`, where an image lacks R, G or B.
EnvironmentTable bakeEnvironment(const Environment& environment, const std::string& file);

} // namespace aureole
