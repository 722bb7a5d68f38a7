#pragma once

// Colours for files that have few of them: .vox and materials of .obj.

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/math.h"
#include "shared/octree/octree.h"

namespace aureole {

/// The 8-bit sRGB codes nearest to a linear colour; what lies outside [0, 1] is clamped.
std::array<std::uint8_t, 3> srgbCodes(const glm::vec3& linear);

/// An albedo as a voxel stores it, in 8-bit sRGB.
std::array<std::uint8_t, 3> srgbAlbedo(const shared::VoxelAttributes& attributes);

/// What of a voxel's material its attributes do not say.
struct PaletteModel {
    float ior = 0.0F;                     ///< of glass; 0 for what is none
    bool mirror = false;                  ///< smooth metal, whatever the attributes say
    std::optional<glm::vec3> transmitted; ///< what a voxel's width of glass that absorbs leaves of light
    float density = 0.0F;                 ///< of glass that scatters: what meets light in a voxel's width, on average
    glm::vec3 scattered{1.0F};            ///< the share of that which goes on
    float anisotropy = 0.0F;              ///< mean cosine by which it is turned
};

/// A surface that a palette entry can stand for: diffuse, metal, light or glass.
struct PaletteColour {
    std::array<std::uint8_t, 3> srgb{};
    float strength = 0.0F; ///< the radiance is this times the linear colour; 0 emits nothing
    float metalness = 0.0F;
    float roughness = 1.0F; ///< of metals and glass
    float ior = 0.0F;       ///< of glass; 0 for what is none
    bool absorbs = false;   ///< of glass: a voxel's width of it takes light to the colour, and no surface does
    float density = 0.0F;   ///< of glass that scatters, as of its model, by the colour, and no surface is tinted
    float anisotropy = 0.0F;

    glm::vec3 linear() const;
};

/// At most 255 colours, and which of them a voxel has.
class Palette {
public:
    const std::vector<PaletteColour>& colours() const { return colours_; }
    /// Whether every voxel has just its own colour.
    bool exact() const { return exact_; }
    /// The index into `colours` of the nearest colour of the same kind; of those given to the builder.
    std::uint8_t find(const shared::VoxelAttributes& attributes, const glm::vec3& radiance,
                      const PaletteModel& model = {});

private:
    friend class PaletteBuilder;
    std::uint8_t nearest(std::uint64_t key) const;

    std::vector<PaletteColour> colours_;        ///< the most frequent first where exact
    std::vector<std::array<double, 5>> places_; ///< of them, among the colours to be told apart
    bool exact_ = false;
    std::unordered_map<std::uint64_t, std::uint8_t> known_;
};

/// Gathers the colours of voxels in bounded memory. A light whose radiance is not its albedo's hue takes the hue of
/// its radiance, as files have one colour for both.
class PaletteBuilder {
public:
    void add(const shared::VoxelAttributes& attributes, const glm::vec3& radiance, const PaletteModel& model = {});
    /// The palette: exact where at most 255 colours were added, else clusters of them (colour_clusters.h).
    Palette finish() const;

private:
    void coarsen();

    std::unordered_map<std::uint64_t, std::uint64_t> counts_; ///< by key
    std::uint32_t dropped_ = 0;                               ///< low bits of what is in the keys
};

} // namespace aureole
