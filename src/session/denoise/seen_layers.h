#pragma once

// Layers of more camera rays than a picture has samples. What a pixel shows of edges, textures and lamps depends on
// where in it the samples fall, and no filter finds this noise in the picture itself. Camera rays alone tell it, for a
// fraction of what whole paths take.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "film/film.h"
#include "image/image.h"

namespace aureole {

struct SeenLayers {
    Image image;               ///< the channels albedo, N, depth and emission, as far as the film has them
    std::uint64_t samples = 0; ///< of each pixel, beside the film's own
};

/// What a backend's layersOf makes of the samples [first, end).
using LayersOf = std::function<FilmSums(std::uint32_t first, std::uint32_t end)>;

/// The film's layers of its own samples and of `beside` times as many that come after them; none where these would be
/// more than there may be, or none came of them. Light seen directly that none of the film's samples met is bounded by
/// what the pixel has: at the edge of a sun a single ray of a thousand would make it hundreds of times as bright as all
/// but a few such pixels are.
std::optional<SeenLayers> seenLayers(const FilmSums& film, const LayersOf& layersOf, std::uint32_t beside);

/// Adds such layers to an image, as the channels seen.albedo.R and so on, and finds them there again; none where the
/// image has none. Throws Error (BadInput) naming `file` where the attribute that counts their rays is no number.
void addSeenLayers(Image& image, SeenLayers seen);
std::optional<SeenLayers> seenLayersIn(const Image& image, const std::string& file);

/// What a picture of its samples would have been if these had seen in each pixel what `seen` tells: light seen directly
/// is exchanged, and the rest scaled as the albedo is. `picture` has the layers of the samples; `whole` becomes it, and
/// `parts` of it, as halves and light groups are, keep their shares. All have 3 values a pixel. Where either image
/// lacks albedo or emission, nothing changes.
void seeAs(const Image& picture, const Image& seen, std::vector<float>& whole,
           std::span<std::vector<float>* const> parts);

} // namespace aureole
