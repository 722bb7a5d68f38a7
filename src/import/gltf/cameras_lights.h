#pragma once

#include <optional>

#include "import/gltf/nodes.h"
#include "model/camera.h"
#include "model/light.h"

namespace aureole::gltf {

/// The camera a node holds; none where it has none or an orthographic one, of which a warning tells.
std::optional<Camera> readCamera(const Document& document, const PlacedNode& node);

/// The KHR_lights_punctual light a node holds. Its `range` is left out: light falls off with the square alone.
std::optional<PunctualLight> readLight(const Document& document, const PlacedNode& node);

} // namespace aureole::gltf
