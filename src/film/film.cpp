#include "film/film.h"

#include <algorithm>
#include <numeric>

namespace aureole {

std::uint64_t FilmSums::sampleCount() const {
    return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& range) { return sum + (range.second - range.first); });
}

std::uint64_t FilmSums::evenCount() const {
    return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0}, [](std::uint64_t sum, const auto& range) {
        return sum + (std::uint64_t{range.second} + 1) / 2 - (std::uint64_t{range.first} + 1) / 2;
    });
}

void FilmSums::setCounts(std::vector<std::uint32_t> samplesOfPixels) {
    counts = std::move(samplesOfPixels);
    evenCounts.resize(counts.size());
    std::transform(counts.begin(), counts.end(), evenCounts.begin(),
                   [](std::uint32_t count) { return count / 2 + count % 2; });
}

double FilmSums::meanOfHalf(std::size_t pixel, std::size_t channel, int parity) const {
    const std::size_t at = 3 * pixel + channel;
    const std::uint64_t even = evenCount(pixel);
    const std::uint64_t count = parity == 0 ? even : sampleCount(pixel) - even;
    const double sum = parity == 0 ? half[at] : radiance[at] - half[at];
    return count == 0 ? radiance[at] / static_cast<double>(std::max<std::uint64_t>(sampleCount(pixel), 1))
                      : sum / static_cast<double>(count);
}

double FilmSums::varianceOfMean(std::size_t pixel, std::size_t channel) const {
    const std::size_t at = 3 * pixel + channel;
    const auto n = static_cast<double>(sampleCount(pixel));
    if (half.empty()) {
        return n < 2.0 ? 0.0 : std::max(squared[at] - radiance[at] * radiance[at] / n, 0.0) / (n * (n - 1.0));
    }
    // Were the halves' variances v / even and v / odd, that of their difference would be v n / (even odd).
    const auto even = static_cast<double>(evenCount(pixel));
    const double difference = meanOfHalf(pixel, channel, 0) - meanOfHalf(pixel, channel, 1);
    return n < 2.0 ? 0.0 : difference * difference * (even / n) * ((n - even) / n);
}

} // namespace aureole
