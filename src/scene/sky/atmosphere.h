#pragma once

// Light in a clear atmosphere over a round earth: molecules, aerosols and ozone, each in layers.

#include <vector>

#include "scene/sky/spectrum.h"

namespace aureole::sky {

/// Along a path: how long it would be, in km, at the density that the constituent has at its densest.
struct Columns {
    double air = 0.0;
    double aerosol = 0.0;
    double ozone = 0.0;
};

/// Per km, where each constituent is at its densest.
struct Extinction {
    explicit Extinction(double turbidity);

    Spectrum air{};     ///< all of it scattering
    Spectrum aerosol{}; ///< scattering and absorption
    Spectrum ozone{};   ///< all of it absorption
};

/// Where a ray leaves a sphere about the earth's middle, or meets the ground. Lengths in km.
struct RayEnd {
    double distance = 0.0;
    bool ground = false;
};

/// Turbidity is the optical thickness of air and aerosols over that of the air alone, straight up at 550 nm.
class Atmosphere {
public:
    static constexpr double kGround = 6371.0; ///< radius of the earth
    static constexpr double kTop = 6471.0;    ///< where space begins

    Atmosphere(double turbidity, const glm::vec3& groundAlbedo);

    /// From a place `radius` km from the earth's middle, at an angle of cosine `up` from the zenith.
    static RayEnd rayEnd(double radius, double up);

    /// Densities, 1 at their largest.
    static Columns densities(double radius);

    /// Share of sunlight that reaches a place; 0 in the earth's shadow, with the width of the sun's disc between.
    void sunTransmittance(double radius, double sunUp, Spectrum& result) const;

    /// The same, without tables.
    static Spectrum directTransmittance(double turbidity, double radius, double sunUp);

    /// Spectral radiance towards a place at `radius` along a view direction with cosine `up` to the zenith; `sunUp` and
    /// `viewSun` are the cosines of the angle between sun and zenith, and view and sun. The sun's disc is left out.
    /// Light scattered once is integrated along the ray; all further orders count as isotropic, after Hillaire,
    /// "A Scalable and Production Ready Sky and Atmosphere Rendering Technique" (EGSR 2020).
    Spectrum radiance(double radius, double up, double sunUp, double viewSun) const;

    const Spectrum& groundAlbedo() const { return groundAlbedo_; }
    /// Sunlight above the atmosphere, W/(m^2 nm).
    static const Spectrum& solarIrradiance();

private:
    struct Marched {
        Spectrum once{};       ///< radiance from light scattered once, or from the ground
        Spectrum scattering{}; ///< share of an even radiance of 1 around that arrives
    };
    Columns columnsToSpace(double radius, double up) const;
    /// `phases`: of air and aerosols; `further`: whether light of further orders is added.
    void march(double radius, double up, double sunUp, double viewSun, int steps, bool further, Marched& result) const;
    void furtherAt(double radius, double sunUp, Spectrum& result) const;
    void tabulateColumns();
    void tabulateFurther();
    void tabulateGroundSky();

    Extinction extinction_;
    Spectrum groundAlbedo_{};
    std::vector<Columns> columns_;
    std::vector<Spectrum> groundSky_; ///< irradiance of the ground by the sky, by the sun's height
    std::vector<Spectrum> further_;   ///< radiance, the same all around, of light scattered twice and more
};

} // namespace aureole::sky
