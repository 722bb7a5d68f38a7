#pragma once

// What pictures of both backends have to fulfil alike.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "scene/scene.h"
#include "statistics.h"

namespace aureole {

/// However directions are drawn and light is found, `render` gives the picture of `reference`; it takes the scene's
/// settings, with another seed each time.
inline void expectStrategiesConverge(Scene& scene, const FilmSums& reference, const std::function<FilmSums()>& render,
                                     const std::vector<DirectionSampling>& directions) {
    scene.integrator.seed = 2000;
    for (const LightSampling light : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
        for (const DirectionSampling direction : directions) {
            scene.integrator.lightSampling = light;
            scene.integrator.sampling = direction;
            ++scene.integrator.seed;
            const ZTest test = zTestOfTwo(render(), reference);
            SCOPED_TRACE(::testing::Message() << static_cast<int>(light) << static_cast<int>(direction));
            EXPECT_LT(test.worstPixel, test.pixelLimit);
            EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
        }
    }
}

} // namespace aureole
