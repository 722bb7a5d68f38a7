#pragma once

#include <optional>
#include <string>
#include <vector>

namespace aureole {

/// What stands around a model that is rendered by itself.
enum class ModelStage {
    Studio,  ///< a grey floor that becomes the backdrop, under softboxes
    Outdoor, ///< level ground under a clear sky with its sun
    White,   ///< a white floor and backdrop
    None,    ///< the studio's lamps, no floor
};

const std::vector<std::string>& stageNames();

/// From where a model is seen.
struct ModelView {
    double azimuth = 29.0;     ///< degrees from its front (+Z) to its right (+X)
    double elevation = 20.0;   ///< degrees above the horizon, -90 to 90
    bool orthographic = false; ///< else through a portrait lens
};

/// The names of views: front, side, top, iso.
const std::vector<std::string>& viewNames();

/// A view by its name, or by "AZIMUTH,ELEVATION" in degrees. Throws Error (Usage), which names `option`.
ModelView parseView(const std::string& option, const std::string& text);

/// How a model that is no scene is shown; what is not said is as it suits the model.
struct ModelShow {
    std::optional<ModelStage> stage;
    std::optional<ModelView> view;
    bool picture = false;  ///< it is rendered, not only voxelised: its meshes are planes, and a stage exposes it
    bool denoised = false; ///< its picture is denoised unless told otherwise: an EXR stays as it was sampled

    bool isGiven() const { return stage || view; }
};

} // namespace aureole
