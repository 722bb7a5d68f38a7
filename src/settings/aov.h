#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aureole {

/// What a film may hold beside the picture, in the order of aovNames().
enum class Aov {
    Albedo,   ///< albedo.R, G, B: mean over the samples, at the first surface that is no mirror and no clear glass
    Normal,   ///< N.X, Y, Z: likewise, the shading normal in world space
    Position, ///< P.X, Y, Z: mean over the samples that hit something, metres
    Depth,    ///< depth.Z: likewise, along the camera's axis
    Id,       ///< id.Y: of the first sample
    Direct,   ///< direct.R, G, B: light that was scattered once
    Indirect, ///< more often
    Emission, ///< seen directly, the environment included
    Groups,   ///< group.NAME.R, G, B for each light group
    Variance, ///< variance.R, G, B: of the pixel's mean
    Samples,  ///< samples.Y
    Alpha,    ///< alpha.Y: the share of the samples that hit something
};

/// "albedo", "normal"...
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
