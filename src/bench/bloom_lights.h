#pragma once

// What the bloom's benchmark blooms: a picture whose bloom is known without a convolution.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bloom/kernel.h"
#include "core/math.h"

namespace aureole::bench {

/// What one line of the tables is about.
struct BloomTask {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t kernelSize = 0;
    bool symmetric = false;

    /// What tables call it: "1920x1080, 256 general".
    std::string name() const;
};

inline constexpr std::size_t kBloomColours = 3;

/// A dark image with two bright pixels.
class TwoLights {
public:
    struct Light {
        glm::uvec2 pixel;
        float value;
    };

    explicit TwoLights(const BloomTask& task);

    /// The lights by pixel: in an image of one pixel both fall on it.
    std::vector<Light> lights() const;
    /// Pixels about both lights, and those that the corner's light would reach by wrapping round.
    std::vector<glm::uvec2> samples() const;
    /// A colour of a pixel with bloom. The brightest is below kBrightest.
    double bloomed(const BloomKernel& kernel, std::size_t colour, glm::uvec2 pixel) const;
    static constexpr double kBrightest = 8.0; ///< texels are below one

    /// The largest error of all colours of the samples, which `found` tells, as a share of the brightest pixel's.
    /// Throws Error (Internal), which names `what`, where it is above `tolerance`, so that no wrong filter passes for a
    /// fast one.
    double check(const std::string& what, const BloomKernel& kernel, double tolerance,
                 const std::function<double(std::size_t colour, glm::uvec2 pixel)>& found) const;

private:
    BloomTask task_;
    std::array<Light, 2> lights_;
};

} // namespace aureole::bench
