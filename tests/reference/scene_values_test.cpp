// Scenes at the edges of what the format allows: finite pictures, and an end.

#include <array>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "reference/reference_renderer.h"
#include "render/support/edge_scenes.h"

namespace aureole {
namespace {

TEST(SceneValues, PicturesStayFinite) {
    const std::array all = {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf};
    std::size_t number = 0;
    for (const auto& [name, change] : edgeChanges()) {
        // Where time is short, scenes take the strategies by turns.
        const auto strategies = fullSweep() ? std::span(all) : std::span(all).subspan(number++ % all.size(), 1);
        for (const LightSampling strategy : strategies) {
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
