#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aureole {

/// What a film may hold beside the picture, in the order of kAovs.
enum class Aov {
    Albedo, ///< mean over the samples, at the first surface that is no mirror and no clear glass
    Normal, ///< the shading normal in world space, of the same surfaces
    Position,
    Depth, ///< along the camera's axis
    Id,
    Direct,   ///< light that was scattered once
    Indirect, ///< more often
    Emission, ///< seen directly, the environment included
    Groups,   ///< of lights
    Variance, ///< of the pixel's mean
    Samples,
    Alpha,  ///< the share of the samples that hit something
    Halves, ///< of Sobol points: the means of the two sequences
    Instance,
    Asset, ///< of that instance
};

/// How the value of a pixel in a plane of the film follows from its samples; and so how the planes of two parts make
/// that of the whole.
enum class PlaneRule {
    Mean,    ///< the mean over all samples
    HitMean, ///< the mean over the samples that hit something; 0 where none did
    First,   ///< the value of the first sample
};

/// Where the values of a layer come from.
enum class AovSource {
    Sums,   ///< floats that the paths of a pixel sum up for it, at FilmLayers::first
    Groups, ///< such floats for each light group
    Id,     ///< what all films with layers have
    Hits,
    Instance, ///< a float of the first sample, at FilmLayers::first of AOV_INSTANCE
    Asset,    ///< so too: that instance's asset
    Samples,  ///< what all films have
};

/// What backends measure in their own space.
enum class AovUnit { None, Point, Length };

struct AovRow {
    std::string_view key;        ///< "normal", in lists of layers
    std::string_view layer;      ///< "N": its channels are N.X, N.Y and N.Z; groups have names of their own
    std::string_view components; ///< "XYZ"
    AovSource source = AovSource::Sums;
    PlaneRule rule = PlaneRule::Mean;
    AovUnit unit = AovUnit::None; ///< of files: metres
};

/// All there is to say of a layer but what paths note of it (shared/path/film_layers.h). A new row stands at the end,
/// as its number is in use.
inline constexpr std::array kAovs = {
    AovRow{"albedo", "albedo", "RGB"},
    AovRow{"normal", "N", "XYZ"},
    AovRow{"position", "P", "XYZ", AovSource::Sums, PlaneRule::HitMean, AovUnit::Point},
    AovRow{"depth", "depth", "Z", AovSource::Sums, PlaneRule::HitMean, AovUnit::Length},
    AovRow{"id", "id", "Y", AovSource::Id, PlaneRule::First},
    AovRow{"direct", "direct", "RGB"},
    AovRow{"indirect", "indirect", "RGB"},
    AovRow{"emission", "emission", "RGB"},
    AovRow{"groups", "group", "RGB", AovSource::Groups},
    AovRow{"variance", "variance", "RGB", AovSource::Samples},
    AovRow{"samples", "samples", "Y", AovSource::Samples},
    AovRow{"alpha", "alpha", "Y", AovSource::Hits},
    AovRow{"halves", "half", "RGB", AovSource::Samples},
    AovRow{"instance", "instance", "Y", AovSource::Instance, PlaneRule::First},
    AovRow{"asset", "asset", "Y", AovSource::Asset, PlaneRule::First},
};
static_assert(kAovs.size() == static_cast<std::size_t>(Aov::Asset) + 1);

/// The keys of kAovs.
const std::vector<std::string>& aovNames();

/// A set of AOVs, a bit for each.
class AovSet {
public:
    bool has(Aov aov) const { return (bits_ >> static_cast<unsigned>(aov) & 1U) != 0; }
    void add(Aov aov) { bits_ |= 1U << static_cast<unsigned>(aov); }
    bool empty() const { return bits_ == 0; }

    static AovSet all();
    /// "albedo,depth", or "" for none.
    std::string text() const;

private:
    std::uint32_t bits_ = 0;
};

} // namespace aureole
