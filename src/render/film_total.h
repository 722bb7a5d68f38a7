#pragma once

#include <string>
#include <vector>

#include "core/math.h"
#include "film/adaptive_tiles.h"
#include "film/film.h"
#include "film/film_layout.h"
#include "film/film_state.h"

namespace aureole {

/// A film on the host, in double, that takes the films of devices.
///
/// A device keeps each sum as two floats, which hold the sums of a pixel's batches exactly unless these differ by more
/// than a few thousand times; so does a double. Hence it shows next to nowhere how the samples were cut.
class FilmTotal {
public:
    /// Empty, of a picture of that size.
    FilmTotal(glm::uvec2 size, const FilmLayout& layout);

    /// Adds a film of other samples, after those of lower ones. All pixels have as many. Where it throws, it has added
    /// nothing.
    void add(const FilmState& part);

    FilmSums film() const;
    const SampleRanges& samples() const { return samples_; }

    /// As PathTracer has them: a film goes on on one device or on several. Throws Error (BadInput), naming `file`.
    FilmState state() const;
    void restore(const FilmState& state, const std::string& file);

private:
    void addPixels(const FilmState& part);
    void addLayers(const FilmState& part);
    std::size_t pixelCount() const { return std::size_t{size_.x} * size_.y; }

    glm::uvec2 size_;
    FilmLayout layout_;
    AdaptiveTiles tiles_;
    SampleRanges samples_;
    std::vector<double> radiance_; ///< R, G, B of each pixel
    std::vector<double> squared_;
    std::vector<double> layers_; ///< layout_.layers.count of each pixel
};

} // namespace aureole
