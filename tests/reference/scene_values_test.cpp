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
            for (const double value : renderer.film().radiance) {
                ASSERT_TRUE(std::isfinite(value) && value >= 0.0) << name << ": " << value;
            }
            for (const double value : renderer.film().squared) {
                ASSERT_TRUE(std::isfinite(value)) << name << ": " << value;
            }
        }
    }
}

} // namespace
} // namespace aureole
