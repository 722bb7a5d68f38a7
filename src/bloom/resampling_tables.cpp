#include "bloom/resampling_tables.h"

#include <algorithm>
#include <bit>

#include "bloom/convolution_shape.h"

namespace aureole {

std::vector<shared::BloomRowTap> rowTaps(const KernelSpectrum& kernel, const fft::LineShape& first) {
    const Resampling resampling = kernel.firstResampling();
    const std::uint32_t compact = kernel.firstPeriod();
    std::vector<shared::BloomRowTap> table;
    for (const shared::BloomBin& bin : listBins(first)) {
        if (bin.position == BLOOM_NO_BIN) {
            table.insert(table.end(), kernel.tapCount(), {0, 0.0F});
            continue;
        }
        const Resampling::Taps taps = resampling.taps(
            shared::fftPositionFrequency(first.radices, first.length, bin.position), first.length, compact);
        for (std::uint32_t i = 0; i < taps.weights.size(); ++i) {
            const std::uint32_t frequency = (taps.first + i) % compact;
            const bool turned = frequency > compact / 2;
            table.push_back({2 * (turned ? compact - frequency : frequency) + (turned ? 1 : 0),
                             static_cast<float>(taps.weights[i])});
        }
    }
    return table;
}

std::vector<std::uint32_t> slotTaps(const KernelSpectrum& kernel, const fft::LineShape& second) {
    const Resampling resampling = kernel.secondResampling();
    const std::uint32_t length = second.length;
    std::vector<std::uint32_t> table(std::size_t{1 + kernel.tapCount()} * length);
    for (std::uint32_t slot = 0; slot < length; ++slot) {
        const Resampling::Taps taps =
            resampling.taps(shared::fftFrequency(second.radices, length, slot), length, kernel.secondPeriod());
        table[slot] = taps.first;
        for (std::size_t i = 0; i < taps.weights.size(); ++i) {
            table[(1 + i) * length + slot] = std::bit_cast<std::uint32_t>(static_cast<float>(taps.weights[i]));
        }
    }
    return table;
}

CompactRounds compactRounds(const KernelSpectrum& kernel, const fft::LineShape& second, std::uint32_t memoryBytes) {
    const std::uint32_t more = kernel.tapCount() - 1; // taps after the first
    const std::uint32_t room = memoryBytes / (second.wholeValues ? 8U : 4U);
    const std::uint32_t firstTaps = std::min(kernel.secondPeriod(), room / second.lines - more);
    return {std::max(second.exchanges.words, second.lines * (firstTaps + more)), firstTaps};
}

} // namespace aureole
