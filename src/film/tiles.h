#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/math.h"
#include "film/film.h"

namespace aureole {

struct FilmState;
namespace shared {
struct AdaptivePush;
}

/// Adaptive sampling: which tiles of a film (8 x 4 pixels, those of shared/path/path_work.h) get more samples, by the
/// rule of shared/path/adaptive.h. Decisions fall at sample counts that depend only on the counts before, so that a
/// film does not depend on how long anything took.
class AdaptiveTiles {
public:
    /// Samples that every pixel gets.
    static constexpr std::uint32_t kLeastSamples = 64;

    explicit AdaptiveTiles(glm::uvec2 size);

    /// Tiles that get samples, row by row, ascending.
    const std::vector<std::uint32_t>& active() const { return active_; }
    std::uint64_t activePixels() const { return activePixels_; }
    std::uint64_t pixelCount() const { return std::uint64_t{size_.x} * size_.y; }

    /// Notes that the active tiles' pixels have `samples` samples.
    void reached(std::uint32_t samples);
    /// Leaves out the tiles that are done, as the CPU decides.
    void retire(const FilmSums& film, double noise);
    /// Leaves out the tiles for which a decision made this other than 0.
    void retire(const std::vector<std::uint32_t>& doneAt);
    /// AdaptivePush::doneAt before a decision.
    std::vector<std::uint32_t> doneAt() const;
    /// The samples of the pixels of active tiles; 0 where there are none.
    std::uint32_t activeSamples() const { return active_.empty() ? 0 : samples_[active_.front()]; }

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
    void countActive(); ///< once active_ has changed: progress asks often, and pictures have many tiles
    /// For each pixel, the value of the tile that it lies in.
    template <typename T>
    std::vector<T> ofPixels(const std::vector<T>& ofTiles) const;

    glm::uvec2 size_;
    glm::uvec2 tiles_;
    std::vector<std::uint32_t> active_;
    std::uint64_t activePixels_ = 0;     ///< of these
    std::vector<std::uint32_t> samples_; ///< of each tile
};

/// Where a decision keeps what it reckons: addresses of what AdaptivePush names, and of two arrays of a float for each
/// tile.
struct AdaptiveArrays {
    std::uint64_t film = 0;
    std::uint64_t pixels = 0;
    std::uint64_t tiles = 0;
    std::uint64_t doneAt = 0;
    std::array<std::uint64_t, 2> sums{};
};

/// Calls `run` for the steps of a decision about a film of that size, one after the other. `samples` are those of the
/// active tiles.
void forAdaptiveSteps(const AdaptiveArrays& arrays, glm::uvec2 size, std::uint32_t samples, bool isSobol, double noise,
                      const std::function<void(const shared::AdaptivePush&)>& run);

/// Items of a step: one invocation for each.
std::uint32_t itemsOf(const shared::AdaptivePush& push);

} // namespace aureole
