#include "bench/shown_film.h"

#include <optional>

#include <fmt/format.h>

#include "bench/picture_pair.h"
#include "film/picture.h"
#include "image/alpha.h"
#include "image/colour/meter.h"
#include "image/colour/tonemap.h"
#include "scene/exposure.h"

namespace aureole::bench {

Image shownFilm(const FilmSums& film, const Scene& scene, const View& view, const std::string& name) {
    return shownPicture(filmImage(film, false), scene, view, name);
}

Image shownPicture(Image radiance, const Scene& scene, const View& view, const std::string& name) {
    unassociateAlpha(radiance);
    const std::optional<double> set = exposureStops(scene.film, cameraOf(scene, view));
    const double stops = set ? *set : meteredStops(radiance, scene.film.meteredPercentile(), false, name).value_or(0.0);
    return toneMap(shrunkTo(radiance, kLongestShown), scene.film.tonemap, stops, name);
}

std::string shownSizeText(const glm::uvec2& size) {
    const glm::uvec2 shown = shrunkSize(size, kLongestShown);
    const std::string text = fmt::format("{}x{} pixels", size.x, size.y);
    return shown == size ? text : fmt::format("{}, shown at {}x{}", text, shown.x, shown.y);
}

} // namespace aureole::bench
