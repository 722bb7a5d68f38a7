#pragma once

// A pyramid of halves, as games have it (Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare",
// 2014): 13 taps down, a tent of 9 up, of images of fp16 by the device's own linear sampling.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/peers/blur_sum.h"
#include "gpu/image.h"

namespace aureole::bench {

/// The sum of the image and of the levels below it, each with a weight. Levels outlive one another upwards: each is
/// added to what comes up from below.
class PyramidPeer : public BlurSum {
public:
    /// Makes so many levels below the image, at least one.
    PyramidPeer(const gpu::Device& device, const glm::uvec2& size, std::size_t levels);

    /// Sets the weights of the image and of each level.
    void setWeights(std::vector<BlurWeights> weights);

    std::string name() const override;
    void execute(gpu::CommandEncoder& commands, std::uint64_t output, std::uint64_t input) override;

private:
    struct Level {
        glm::uvec2 size{0};
        gpu::Image image;
        std::optional<gpu::ImageBinding> down; ///< from the level above
        std::optional<gpu::ImageBinding> up;   ///< from the level below
    };

    std::vector<Level> levels_; ///< the image first
    std::vector<BlurWeights> weights_;
    gpu::Pipeline load_;
    gpu::Pipeline down_;
    gpu::Pipeline up_;
    gpu::Pipeline store_;
};

} // namespace aureole::bench
