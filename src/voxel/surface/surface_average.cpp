#include "voxel/surface/surface_average.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "core/set_bits.h"
#include "voxel/surface/radiance.h"
#include "voxel/surface/surface_sum.h"

namespace aureole {

namespace {

/// The samples of one voxel: numbers of those of its block, in their order.
struct VoxelSamples {
    std::span<const SurfaceSample> ofBlock;
    std::span<const std::uint32_t> numbers;

    template <typename Visit>
    void forEach(const Visit& visit) const {
        for (const std::uint32_t number : numbers) {
            visit(ofBlock[number]);
        }
    }
};

/// The material with the largest share of a voxel that has several.
std::uint32_t largestMaterial(const VoxelSamples& samples) {
    std::map<std::uint32_t, double> shares;
    samples.forEach([&](const SurfaceSample& sample) { shares[sample.point.material] += sample.weight; });
    return std::max_element(shares.begin(), shares.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

glm::vec3 emissionOf(const shared::SurfaceSums& sums) {
    return sums.sameEmission != 0 ? sums.firstEmission : quantiseEmission(glm::vec3(sums.emission / sums.emitting));
}

void averageVoxel(const VoxelSamples& samples, AverageSurface& surface) {
    shared::SurfaceSums sums = shared::noSums();
    samples.forEach([&](const SurfaceSample& sample) { shared::addSample(sums, sample); });
    samples.forEach([&](const SurfaceSample& sample) { shared::addNormal(sums, sample); });
    shared::averageMeans(sums, surface);
    surface.emission = emissionOf(sums);
    surface.material = sums.sameMaterial != 0 ? sums.firstMaterial : largestMaterial(samples);
    samples.forEach([&](const SurfaceSample& sample) { shared::addBend(sums, sample, surface.geometricNormal); });
    shared::averageBends(sums, surface);
}

void averageOne(const SurfaceSample& sample, AverageSurface& surface) {
    shared::averageOfOne(sample, surface);
    if (surface.emitting > 0.0 && sample.exactEmission == 0) {
        surface.emission = quantiseEmission(surface.emission);
    }
}

} // namespace

shared::VoxelMaterial meanMaterialOf(const AverageSurface& average) {
    shared::VoxelMaterial material = materialOf(average);
    material.emission *= static_cast<float>(average.emitting / average.area);
    return material;
}

EmittingArea emittingAreaOf(const AverageSurface& average) {
    return {average.ofCells ? -1.0F : static_cast<float>(average.emitting),
            static_cast<float>(average.emitting / average.area)};
}

std::uint64_t averageSamples(std::span<const SurfaceSample> samples, std::vector<AverageSurface>& surfaces) {
    thread_local std::vector<std::uint32_t> numbers; // taken once, not for every block
    std::array<std::uint32_t, 65> starts{};
    std::uint64_t mask = 0;
    for (const SurfaceSample& sample : samples) {
        ++starts[sample.bit + 1];
        mask |= std::uint64_t{1} << sample.bit;
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    numbers.resize(samples.size());
    std::array<std::uint32_t, 65> next = starts;
    for (std::uint32_t i = 0; i < samples.size(); ++i) {
        numbers[next[samples[i].bit]++] = i;
    }
    surfaces.clear();
    for (const std::uint32_t bit : setBits(mask)) {
        const std::uint32_t count = starts[bit + 1] - starts[bit];
        AverageSurface& surface = surfaces.emplace_back();
        if (count == 1) {
            averageOne(samples[numbers[starts[bit]]], surface);
        } else {
            averageVoxel({samples, std::span(numbers).subspan(starts[bit], count)}, surface);
        }
    }
    return mask;
}

} // namespace aureole
