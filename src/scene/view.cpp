#include "scene/view.h"

#include "scene/scene.h"

namespace aureole {

View defaultView(const Scene& scene) {
    View view;
    view.size = {scene.film.width, scene.film.height};
    view.cropSize = view.size;
    return view;
}

const Camera& cameraOf(const Scene& scene, const View& view) {
    return view.moved ? *view.moved : scene.cameras.at(view.camera);
}

std::uint32_t seedOf(const Scene& scene, const View& view) {
    return scene.integrator.seed + view.frame;
}

} // namespace aureole
