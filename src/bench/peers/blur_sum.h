#pragma once

// Blooms that are no convolution with the kernel: weighted sums of the image and of blurs of given shapes, which cost
// little, with the weights that come closest to the kernel.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bloom/kernel.h"
#include "core/math.h"
#include "gpu/device.h"

namespace aureole::bench {

/// The weights of R, G and B.
using BlurWeights = std::array<double, 3>;

/// A bloom of planes that lie one after the other, as such a sum.
class BlurSum {
public:
    BlurSum() = default;
    BlurSum(const BlurSum&) = delete;
    BlurSum& operator=(const BlurSum&) = delete;
    BlurSum(BlurSum&&) = delete;
    BlurSum& operator=(BlurSum&&) = delete;
    virtual ~BlurSum() = default;

    virtual std::string name() const = 0;
    /// Records it, from one address to another, with a barrier behind it.
    virtual void execute(gpu::CommandEncoder& commands, std::uint64_t output, std::uint64_t input) = 0;
};

/// Sums of boxes applied three times over along either axis, at most four of them, by prefix sums of the library's own.
std::unique_ptr<BlurSum> fitBoxes(const gpu::Device& device, const glm::uvec2& size, const BloomKernel& kernel);
/// The levels of a pyramid, from halves of the image on, as far as the kernel reaches.
std::unique_ptr<BlurSum> fitPyramid(const gpu::Device& device, const glm::uvec2& size, const BloomKernel& kernel);

/// The texels by which blurs are fitted to a kernel: as many in each octave of the distance, and as many in each
/// direction, so that the core does not outweigh the tails.
class KernelSamples {
public:
    explicit KernelSamples(const BloomKernel& kernel);

    /// From the kernel's centre.
    const std::vector<glm::ivec2>& offsets() const { return offsets_; }
    /// What is fitted at an offset is the value times this.
    double scale(std::size_t sample) const { return scales_[sample]; }
    /// The kernel's own values.
    double value(std::size_t sample, std::size_t colour) const { return values_[sample].at(colour); }

private:
    std::vector<glm::ivec2> offsets_;
    std::vector<double> scales_;
    std::vector<std::array<double, 3>> values_;
};

/// What the image, the first term, and the blurs make of a pixel of value 1, at each offset of the samples.
using BlurResponses = std::vector<std::vector<double>>;

/// The least squares of the differences between kernel and sum, over weights that are not negative.
struct BlurFit {
    std::vector<BlurWeights> weights; ///< of each term
    double residual = 0.0;            ///< the sum of the squares, of all colours
};
BlurFit fitBlurs(const KernelSamples& samples, const BlurResponses& responses);

/// The image's own response.
std::vector<double> imageResponse(const KernelSamples& samples);

} // namespace aureole::bench
