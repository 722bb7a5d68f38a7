#pragma once

// A film under way: as a device keeps it and a checkpoint holds it, and as the host adds up those of devices.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/math.h"
#include "film/film.h"
#include "film/layout.h"
#include "film/tiles.h"

namespace aureole {

/// A film that is not complete yet, as its backend keeps it, from which another run goes on to the same bytes. Only a
/// backend of the same kind can read the sums; every backend checks their sizes.
struct FilmState {
    IndexRanges samples;
    bool adaptive = false;                  ///< whether pixels may have different numbers of samples
    std::vector<std::uint32_t> activeTiles; ///< as AdaptiveTiles has them
    std::vector<std::uint32_t> tileSamples; ///< as AdaptiveTiles has them
    std::vector<std::byte> film;            ///< sums of the picture
    std::vector<std::byte> layers;          ///< sums of its layers; empty where it has none
};

/// A film on the host, in double, that takes the films of devices.
///
/// A device keeps each sum as two floats, which hold the sums of a pixel's batches exactly unless these differ by more
/// than a few thousand times; so does a double. So the film hardly depends on how the samples were cut into parts.
class FilmTotal {
public:
    /// A film without samples, for a picture of that size.
    FilmTotal(glm::uvec2 size, FilmLayout layout);

    /// Adds a film whose samples are above those so far, as many in each pixel. Where it throws, nothing was added.
    void add(const FilmState& part);

    FilmSums film() const&;
    FilmSums film() &&; ///< without a copy
    const IndexRanges& samples() const { return samples_; }

    /// The film as PathTracer keeps it, and back, so that a film goes on on one device or on several. restore throws
    /// Error (BadInput), naming `file`.
    FilmState state() const;
    void restore(const FilmState& state, const std::string& file);

private:
    /// Makes room for the sums, all of which are to be set.
    void makeRoom();
    void addPixels(const FilmState& part);
    void addLayers(const FilmState& part);
    std::size_t pixelCount() const { return std::size_t{size_.x} * size_.y; }
    std::size_t layerCount() const { return pixelCount() * layout_.layers.count; }

    glm::uvec2 size_;
    FilmLayout layout_;
    AdaptiveTiles tiles_;
    IndexRanges samples_;
    // These have no memory before the first film comes.
    RawVector<double> radiance_; ///< R, G, B of each pixel
    RawVector<double> spread_;   ///< what tells their error (SampleSums)
    RawVector<double> layers_;   ///< layout_.layers.count values of each pixel
};

} // namespace aureole
