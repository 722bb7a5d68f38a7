#pragma once

// A texture that is simulated: the Gray-Scott model of reaction and diffusion (shared/gray_scott.h). As it stands in a
// scene, or in a file of its own; what runs it makes the picture.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/math.h"
#include "core/palette.h"

namespace aureole {

struct Texture;

/// A rate that may change over the plane, evenly from one side to the other or from the middle to the corners, or over
/// time.
struct ReactionRate {
    enum class Along { X, Y, Radius };
    float from = 0.0F; ///< at the left, the top or the middle; 0 to 1
    float to = 0.0F;
    Along along = Along::X;
    /// Over time, in place of these: what it is at some steps, ascending; on straight lines between them, and even
    /// beyond.
    std::vector<std::pair<std::uint32_t, float>> keys{};

    bool varies() const { return keys.empty() && from != to; }
    float largest() const;
    /// The rate at a step from 0 on.
    float atStep(std::uint32_t step) const;
};

/// What moves the plane about while it grows.
struct ReactionWarp {
    enum class Kind { Noise, Swirl, Image };
    Kind kind = Kind::Noise;
    std::uint32_t every = 1;                  ///< steps
    float amount = 0.5F;                      ///< cells, of noise and image: the most along an axis
    float scale = 64.0F;                      ///< cells, of noise
    std::uint32_t seed = 0;                   ///< of noise
    glm::vec2 centre{0.5F};                   ///< of a swirl, of the plane's width and height
    float radius = 0.5F;                      ///< of a swirl, of the shorter side
    float degrees = 0.0F;                     ///< by which the middle of a swirl turns, counter-clockwise
    float zoom = 1.0F;                        ///< by which the middle of a swirl grows
    std::shared_ptr<const Texture> picture{}; ///< R and G, 128 stands still
};

struct ReactionTexture {
    std::string pointer;  ///< where it stands, for messages
    glm::uvec2 size{512}; ///< cells
    glm::uvec2 pixels{0}; ///< of the picture; 0: one a cell
    std::uint32_t steps = 4000;
    ReactionRate feed{0.037F, 0.037F};
    ReactionRate kill{0.06F, 0.06F};
    std::optional<ReactionWarp> warp{};
    std::array<float, 2> diffusion{0.2F, 0.1F}; ///< of U and of V
    float cell = 1.0F;                          ///< side of a cell
    float timeStep = 1.0F;
    bool clamped = false; ///< borders; else periodic
    bool halves = false;  ///< storage on a device
    std::uint32_t seed = 0;
    std::uint32_t spots = 0;
    float radius = 5.0F; ///< of the spots, cells
    /// Sown where it is bright: a picture or a text, of which there may be one.
    std::shared_ptr<const Texture> seedPicture;
    std::string seedText;
    std::optional<float> feedThere{}; ///< the rates where the seed is white; else there too what they are elsewhere
    std::optional<float> killThere{};
    std::array<float, 2> range{0.0F, 0.35F}; ///< of v, that the palette's ends stand for
    ColourPalette palette = ColourList{glm::dvec3(0.0), glm::dvec3(1.0)};

    bool influences() const { return feedThere || killThere; }
};

inline constexpr std::uint32_t kMostReactionSteps = 1'000'000;

/// Reads a texture from a file of its own; overrides ("/json/pointer" and the JSON text of a value) go to the JSON
/// before. Throws Error (BadInput) with a line for each problem, as loadScene does. `files` gets what it refers to.
ReactionTexture loadReactionTexture(const std::filesystem::path& file,
                                    const std::vector<std::pair<std::string, std::string>>& overrides,
                                    std::vector<std::filesystem::path>& files);

} // namespace aureole
