#pragma once

// Boxes applied over and over, of widths that come to a Gaussian.

#include <array>
#include <cstdint>
#include <vector>

#include "bench/peers/blur_sum.h"
#include "scan/scan_plan.h"

namespace aureole::bench {

inline constexpr std::size_t kBoxPasses = 3;

/// The radii of boxes of 2 r + 1 pixels which, one after the other, have nearly the standard deviation `sigma` in
/// pixels (Kovesi, "Fast Almost-Gaussian Filtering", 2010).
std::array<std::uint32_t, kBoxPasses> boxRadii(double sigma);

/// What boxes of these radii, one after the other, make of a pixel of value 1 on a line, from their reach on its left
/// to that on its right.
std::vector<double> boxProfile(const std::array<std::uint32_t, kBoxPasses>& radii);

struct BoxTerm {
    std::array<std::uint32_t, kBoxPasses> radii{};
    BlurWeights weights{};
};

/// The image times `own`, and it blurred by boxes along both axes for each term. Light that a box moves off the image
/// is lost to those that follow.
class BoxesPeer : public BlurSum {
public:
    BoxesPeer(const gpu::Device& device, const glm::uvec2& size, const BlurWeights& own, std::vector<BoxTerm> terms);

    std::string name() const override;
    void execute(gpu::CommandEncoder& commands, std::uint64_t output, std::uint64_t input) override;

private:
    std::uint64_t items() const { return std::uint64_t{3} * size_.x * size_.y; }

    glm::uvec2 size_;
    BlurWeights own_;
    std::vector<BoxTerm> terms_;
    scan::ScanPlan rows_;
    scan::ScanPlan columns_;
    gpu::Pipeline difference_;
    gpu::Pipeline transposing_;
    gpu::Pipeline adding_; ///< transposes too
    gpu::Buffer sums_;
    gpu::Buffer blurred_;
};

} // namespace aureole::bench
