// Scenes at the edges of what the format allows: finite pictures, and an end.

#include <cmath>

#include <gtest/gtest.h>

#include "edge_scenes.h"
#include "reference/reference_renderer.h"

namespace aureole {
namespace {

TEST(SceneValues, PicturesStayFinite) {
    for (const auto& [name, change] : edgeChanges()) {
        for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
            Scene scene = plainScene();
            change(scene);
            scene.integrator.lightSampling = strategy;
            ReferenceRenderer renderer(scene, defaultView(scene));
            ASSERT_EQ(renderer.render(0, 8, [](double) { return true; }), 8U);
            const FilmSums film = renderer.film();
            for (std::size_t i = 0; i < film.radiance.size(); ++i) {
                ASSERT_TRUE(std::isfinite(film.radiance[i]) && film.radiance[i] >= 0.0) << name << film.radiance[i];
                ASSERT_TRUE(std::isfinite(film.varianceOfMean(i / 3, i % 3))) << name;
            }
        }
    }
}

} // namespace
} // namespace aureole
