#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/math.h"
#include "film/film.h"

namespace aureole {

struct FilmState;

/// Adaptive sampling: which tiles of a film (8 x 4 pixels, those of shared/path/path_work.h) get more samples. A tile
/// is done when each of its pixels has a relative error, as relativeErrors gives it, of the noise wanted at most, and
/// so has the mean over its pixels and those of the tiles around it that still get samples. The tiles around it count
/// because a tile where no path found a rare light looks clean, but hardly all nine do. A tile that is done gets no
/// more samples. Decisions fall at sample counts that depend only on the counts before, so that a film does not depend
/// on how long anything took.
class AdaptiveTiles {
public:
    /// Samples that every pixel gets.
    static constexpr std::uint32_t kLeastSamples = 64;

    explicit AdaptiveTiles(glm::uvec2 size);

    /// Tiles that get samples, row by row, ascending.
    const std::vector<std::uint32_t>& active() const { return active_; }
    std::uint64_t activePixels() const;
    std::uint64_t pixelCount() const { return std::uint64_t{size_.x} * size_.y; }

    /// Notes that the active tiles' pixels have `samples` samples.
    void reached(std::uint32_t samples);
    /// Leaves out the tiles that are done.
    void retire(const FilmSums& film, double noise);

    /// Writes to `state` which tiles are active and how many samples each tile has, and takes these from it. restore
    /// throws Error (BadInput), naming `file`, where they are not those of a film of this size.
    void save(FilmState& state) const;
    void restore(const FilmState& state, const std::string& file);

    /// For every pixel, row by row: its samples; and whether it gets more (1 or 0).
    std::vector<std::uint32_t> pixelSamples() const;
    std::vector<char> activeMask() const;

    /// The sample count after `samples` at which to decide next: a quarter more, and a multiple of `batch`.
    static std::uint64_t nextDecision(std::uint64_t samples, std::uint32_t batch);

private:
    std::uint64_t pixelsOf(std::uint32_t tile) const;
    /// For each pixel, the value of the tile that it lies in.
    template <typename T>
    std::vector<T> ofPixels(const std::vector<T>& ofTiles) const;

    glm::uvec2 size_;
    glm::uvec2 tiles_;
    std::vector<std::uint32_t> active_;
    std::vector<std::uint32_t> samples_; ///< of each tile
};

/// The relative standard error of each pixel: that of its luminance, over luminance + 0.05 * the picture's mean
/// luminance, both averaged over the 3 x 3 pixels around it, 5 x 5 of Sobol points, so that a pixel whose samples
/// missed a light that its neighbours found does not pass for a clean one. Pixels of other tiles are left out of the
/// average: a noisy tile that gets no more samples would keep its neighbours from ever being done. The luminance's
/// error is taken to be the weighted sum of the channels' errors, which is its upper bound.
std::vector<float> relativeErrors(const FilmSums& film);

} // namespace aureole
