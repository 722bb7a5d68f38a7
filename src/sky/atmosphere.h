#pragma once

// Light in a clear atmosphere over a round earth: molecules, aerosols and ozone, each in layers.

#include <vector>

#include "sky/spectrum.h"

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

    /// The same share, computed without tables.
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
    /// A view from a place in the air, as for `radiance`.
    struct Ray {
        double radius;
        double up;
        double sunUp;
        double viewSun;
    };
    struct Place {
        double radius;
        double sunUp;
    };
    /// What a step along a ray meets.
    struct Step {
        float phaseAir = 0.0F;
        float phaseAerosol = 0.0F;
        float length = 0.0F; ///< km
        Columns densities;
        Spectrum sun{};    ///< share of sunlight that arrives
        Spectrum around{}; ///< radiance of further orders
    };
    Columns columnsToSpace(double radius, double up) const;
    static Place placeAlong(const Ray& ray, double distance);
    /// Adds what arrives of a step's light to `result`, and takes from what the ray has left: `seen` of light from one
    /// direction, `seenAround` of light from all around, for which what aerosols scatter on ahead is as good as not
    /// scattered.
    void scatterOver(const Step& step, Spectrum& seen, Spectrum& seenAround, Marched& result) const;
    /// Adds the light that a ray meets on the ground, of which it has `seen` left.
    void addGround(const Place& place, const Spectrum& seen, Marched& result) const;
    /// Adds what comes along a ray; `further`: with light of further orders.
    void march(const Ray& ray, int steps, bool further, Marched& result) const;
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
