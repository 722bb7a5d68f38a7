#pragma once

#include <cstdint>
#include <string>

#include "film/film.h"
#include "image/image.h"
#include "scene/scene.h"
#include "scene/view.h"

namespace aureole::bench {

/// Pictures on a page are no longer than this on either side.
inline constexpr std::uint32_t kLongestShown = 1280;

/// A film as `aureole render` writes it in a PNG, but for bloom, and of a size for pages. `name` stands for it in
/// messages.
Image shownFilm(const FilmSums& film, const Scene& scene, const View& view, const std::string& name);
/// The image of a film in that form.
Image shownPicture(Image radiance, const Scene& scene, const View& view, const std::string& name);

/// "640x360 pixels", and where they are more than a page shows, "3840x2160 pixels, shown at 1280x720".
std::string shownSizeText(const glm::uvec2& size);

} // namespace aureole::bench
