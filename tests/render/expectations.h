#pragma once

// What pictures of both backends have to fulfil alike.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "image/image.h"
#include "scene/scene.h"
#include "statistics.h"

namespace aureole {

/// Every channel of `whole` stands in `merged` with the same values, but for 1e-6 of them.
inline void expectMergedIsWhole(const Image& merged, const Image& whole) {
    for (const Channel& channel : whole.channels) {
        const Channel* other = merged.find(channel.name);
        ASSERT_NE(other, nullptr) << channel.name;
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
            ASSERT_NEAR(other->values[i], channel.values[i], 1e-6 * (1.0 + std::abs(channel.values[i])))
                << channel.name;
        }
    }
}

/// However directions are drawn and light is found, `render` gives the picture of `reference`; it takes the scene's
/// settings, with another seed each time.
inline void expectStrategiesConverge(Scene& scene, const FilmSums& reference, const std::function<FilmSums()>& render) {
    scene.integrator.seed = 1000;
    for (const LightSampling light : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
        for (const DirectionSampling direction :
             {DirectionSampling::Bsdf, DirectionSampling::Cosine, DirectionSampling::Uniform}) {
            scene.integrator.lightSampling = light;
            scene.integrator.sampling = direction;
            ++scene.integrator.seed;
            const ZTest test = zTestOfTwo(render(), reference);
            SCOPED_TRACE(testing::Message() << static_cast<int>(light) << static_cast<int>(direction));
            EXPECT_LT(test.worstPixel, test.pixelLimit);
            EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
        }
    }
}

} // namespace aureole
