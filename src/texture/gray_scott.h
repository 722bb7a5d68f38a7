#pragma once

// The Gray-Scott model of reaction and diffusion: what is simulated. The equations stand in shared/gray_scott.h.

#include <array>
#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

namespace aureole::texture {

inline constexpr std::uint32_t kMostCellsOfASide = 16384;
inline constexpr float kMostWarp = 4.0F * kMostCellsOfASide; ///< cells

/// What lies beyond the borders of the plane: its other side, or nothing that anything could flow to.
enum class Border { Periodic, Clamped };

/// The rates at which U comes in, and at which V goes beside that.
struct ReactionRates {
    float feed = 0.0F;
    float kill = 0.0F;
};

/// A model on a grid of square cells.
struct GrayScott {
    std::uint32_t width = 256; ///< 1 to kMostCellsOfASide
    std::uint32_t height = 256;
    std::array<float, 2> diffusion{0.2F, 0.1F}; ///< of U and of V, lengths^2 per time; not negative
    float cellSize = 1.0F;                      ///< length
    float timeStep = 1.0F;
    ReactionRates rates{0.037F, 0.06F};    ///< each 0 to 1 per time
    std::vector<ReactionRates> varying{};  ///< in place of `rates`: of each cell, row by row; or empty
    std::vector<ReactionRates> overTime{}; ///< at each step, beside those of the cell; the last ones stay
    Border border = Border::Periodic;
    /// Of each cell, row by row, how far from it what it shows is taken from, in cells, at every warp; or empty.
    std::vector<glm::vec2> warp{};
    std::uint32_t warpEvery = 1; ///< steps from warp to warp, the first of them before the first warp
};

/// A state: of each cell 1 - u and v, row by row.
using Concentrations = std::vector<glm::vec2>;

/// The largest feed and the largest kill anywhere, at any time.
ReactionRates largestRates(const GrayScott& model);

/// Throws Error (BadInput) that names the value and the valid range, for sizes, rates, diffusions and warps out of
/// theirs and for a step too long for the cells (shared/gray_scott.h, grayScottLongestStep).
void checkModel(const GrayScott& model);

/// Throws Error (BadInput) unless the state has as many cells as the model.
void checkState(const GrayScott& model, const Concentrations& state);

} // namespace aureole::texture
