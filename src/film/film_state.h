#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "film/film.h"

namespace aureole {

/// A film under way, as the backend that renders it keeps it, so that another run goes on to the same bytes. Only a
/// backend of the same kind can read the sums; all check the sizes.
struct FilmState {
    SampleRanges samples;
    bool adaptive = false; ///< pixels may have different numbers of samples; else the next two are of all tiles alike
    std::vector<std::uint32_t> activeTiles; ///< AdaptiveTiles
    std::vector<std::uint32_t> tileSamples;
    std::vector<std::byte> film;   ///< sums of the picture
    std::vector<std::byte> layers; ///< and of its layers, where paths fill them
};

} // namespace aureole
