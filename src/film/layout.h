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

/// A plane of the film. Its values are (s - h * offset) * scale, or what they become by `numbers`, where s is the sum
/// at `source` among those of the layers, and h the number of samples that hit something.
struct LayerPlane {
    std::string channel;
    PlaneRule rule = PlaneRule::Mean;
    std::uint32_t source = 0;
    double offset = 0.0;
    double scale = 1.0;
    std::vector<std::uint32_t> numbers; ///< where there are any: what the values 1, 2, ... become; 0 stays
};

/// Which sums a backend keeps for each pixel beside its radiance, and which planes they make.
struct FilmLayout {
    shared::FilmLayers layers{};
    std::vector<LayerPlane> planes;
    SamplerKind sampler = SamplerKind::Independent;
    bool variance = false;
    bool sampleCounts = false;
    bool halves = false;

    /// Whether the layers change what a path does: it has something to note, or to leave out.
    bool inPaths() const { return layers.count > 0; }
    /// What paths fill, as a set of bits (LAYERS_FILLED).
    std::uint32_t filled() const;
};

/// The layers that the film of a scene holds: those asked for, and those that a denoiser may read. Halves are of Sobol
/// points only.
AovSet heldLayers(const Scene& scene);

/// The layout that a scene asks for. `space` is that of the backend, in which its sums of positions and depths are;
/// planes are in that of the scene. The light groups' channels are named by lightGroupLayers.
FilmLayout makeFilmLayout(const Scene& scene, const Space& space);

/// The layer of each light group: "group.NAME", with '_' for the dots of its name, and "default" for "".
std::vector<std::string> lightGroupLayers(std::span<const std::string> names);

/// Fills in planes and hits of a film; `sums` has layers.count values for each pixel.
void addPlanes(FilmSums& film, const FilmLayout& layout, std::span<const double> sums);

} // namespace aureole
