#pragma once

// From the layers that a scene asks for to the floats that a backend sums up, and back to the planes of its film.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "film/film.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/film_layers.h"

namespace aureole {

/// A plane of the film: one float of the layers' sums, s, and the hits, h, as (s - h * offset) * scale.
struct LayerPlane {
    std::string channel;
    PlaneRule rule = PlaneRule::Mean;
    std::uint32_t source = 0;
    double offset = 0.0;
    double scale = 1.0;
};

struct FilmLayout {
    shared::FilmLayers layers{};
    std::vector<LayerPlane> planes;
    bool variance = false;
    bool sampleCounts = false;

    /// Whether paths have anything to note, or to leave out.
    bool inPaths() const { return layers.count > 0; }
};

/// `space` is the backend's. The light groups' channels are named by lightGroupLayers.
FilmLayout makeFilmLayout(const Scene& scene, const Space& space);

/// The layer of each light group: "group.NAME", with '_' for the dots of its name, and "default" for "".
std::vector<std::string> lightGroupLayers(std::span<const std::string> names);

/// Fills in planes and hits of a film; `sums` has layers.count values for each pixel.
void addPlanes(FilmSums& film, const FilmLayout& layout, std::span<const double> sums);

} // namespace aureole
