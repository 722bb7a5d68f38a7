#pragma once

// Blooms that come near the convolution, as games have them, beside the exact one.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_report.h"
#include "bench/bloom_lights.h"
#include "bench/peers/blur_sum.h"
#include "bench/picture_pair.h"
#include "bloom/kernel.h"
#include "gpu/device.h"
#include "image/image.h"

namespace aureole::bench {

/// "boxes", "pyramid".
const std::vector<std::string>& approximationNames();

class BloomApproximations {
public:
    /// Makes those of the names; with `pictures` it keeps what the first task's blooms look like.
    BloomApproximations(gpu::Device device, std::vector<std::size_t> which, std::uint32_t repeats, bool pictures);

    /// Blooms lights at night of the task's size by a Gaussian, by the default glare and by the star of an aperture of
    /// six blades, all of the task's size of kernels: exactly, and by each of those asked for. Throws Error (Internal)
    /// where one is no bloom at all.
    void measure(const BloomTask& task);
    void addTable(BenchReport& report) const;
    /// The exact bloom beside each other one.
    const std::vector<PicturePair>& pictures() const { return pictures_; }

private:
    struct Bloomed {
        double microseconds = 0.0;
        Image image;
    };

    Bloomed exact(const Image& night, const BloomKernel& kernel) const;
    Bloomed approximate(const Image& night, BlurSum& blurs) const;
    void addRow(const std::string& what, const std::string& by, const Bloomed& found, const Bloomed& exactly);

    gpu::Device device_;
    std::vector<std::size_t> which_;
    std::uint32_t repeats_;
    bool wantsPictures_;
    std::vector<BenchRow> rows_;
    std::vector<PicturePair> pictures_;
};

} // namespace aureole::bench
