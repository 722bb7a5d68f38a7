#include "settings/film.h"

#include <fmt/format.h>

namespace aureole {

std::optional<IdleMetering> findIdleMetering(const FilmSettings& film) {
    if (film.isMetered()) {
        return std::nullopt;
    }
    for (const Field<FilmSettings>* const row :
         {&fieldOf(kFilmFields, "exposurePercentile"), &fieldOf(kFilmFields, "exposureFrames")}) {
        if (const std::optional<SettingValue> value = row->in(film)) {
            return IdleMetering{row,
                                fmt::format("found {} with an exposure of {:g} stops, expected it with 'auto' alone",
                                            settingText(*row, *value), film.exposure)};
        }
    }
    return std::nullopt;
}

} // namespace aureole
