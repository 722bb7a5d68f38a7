// CUB beside 'aureole bench scan': sums and sorts over the device, checked here. Arguments: UUID, repeats, bits of
// keys, the most keys that are sorted, and items of each run. Prints JSON.

#include <cstdint>
#include <numeric>
#include <random>

#include <cub/cub.cuh>

#include "cuda_timing.cuh"

namespace {

constexpr int kChain = 10; ///< or what small sums take is as much the host's, which launches them

[[noreturn]] void refuse(const char* what, std::size_t items) {
    std::fprintf(stderr, "CUB: found a wrong %s of %zu items\n", what, items);
    std::exit(1);
}

/// Runs a function of CUB's, which tells at first how much memory it wants.
template <typename Call>
double measure(int repeats, const Call& call) {
    std::size_t bytes = 0;
    EXPECT_CUDA(call(nullptr, bytes));
    char* memory = allocate<char>(bytes + 1);
    const double time = medianMicroseconds(repeats, kChain, [&] { EXPECT_CUDA(call(memory, bytes)); });
    EXPECT_CUDA(cudaFree(memory));
    return time;
}

void sums(std::size_t items, int repeats) {
    std::vector<std::uint32_t> words(items, 1);
    auto* input = allocate<std::uint32_t>(items);
    auto* output = allocate<std::uint32_t>(items);
    EXPECT_CUDA(cudaMemcpy(input, words.data(), 4 * items, cudaMemcpyHostToDevice));
    const double reduce = measure(repeats, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(memory, bytes, input, output, items);
    });
    EXPECT_CUDA(cudaMemcpy(words.data(), output, 4, cudaMemcpyDeviceToHost));
    if (words[0] != items) {
        refuse("sum", items);
    }
    const double inclusive = measure(repeats, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, input, output, items);
    });
    EXPECT_CUDA(cudaMemcpy(words.data(), output, 4 * items, cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < items; ++i) {
        if (words[i] != i + 1) {
            refuse("scan", items);
        }
    }
    EXPECT_CUDA(cudaFree(input));
    EXPECT_CUDA(cudaFree(output));
    std::printf(", \"reduce\": %.6g, \"inclusive\": %.6g", reduce, inclusive);
}

/// Whether keys are the same ones in order: what rises, and has the same sum of a mix of each, which no other set of keys
/// has but by chance.
bool isSorted(const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& sorted) {
    std::uint64_t difference = 0;
    const auto mixed = [](std::uint64_t key) {
        key = (key ^ (key >> 30U)) * 0xBF58476D1CE4E5B9U;
        key = (key ^ (key >> 27U)) * 0x94D049BB133111EBU;
        return key ^ (key >> 31U);
    };
    for (std::size_t i = 0; i < keys.size(); ++i) {
        difference += mixed(keys[i]) - mixed(sorted[i]);
        if (i > 0 && sorted[i] < sorted[i - 1]) {
            return false;
        }
    }
    return difference == 0;
}

void sorts(std::size_t items, int repeats, int bits) {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> keys(items);
    for (std::uint64_t& key : keys) {
        key = random() >> (64 - bits);
    }
    std::vector<std::uint32_t> values(items);
    std::iota(values.begin(), values.end(), 0U);
    auto* keysIn = allocate<std::uint64_t>(items);
    auto* keysOut = allocate<std::uint64_t>(items);
    auto* valuesIn = allocate<std::uint32_t>(items);
    auto* valuesOut = allocate<std::uint32_t>(items);
    EXPECT_CUDA(cudaMemcpy(keysIn, keys.data(), 8 * items, cudaMemcpyHostToDevice));
    EXPECT_CUDA(cudaMemcpy(valuesIn, values.data(), 4 * items, cudaMemcpyHostToDevice));
    const double alone = measure(repeats, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, keysIn, keysOut, items, 0, bits);
    });
    std::vector<std::uint64_t> sorted(items);
    EXPECT_CUDA(cudaMemcpy(sorted.data(), keysOut, 8 * items, cudaMemcpyDeviceToHost));
    if (!isSorted(keys, sorted)) {
        refuse("sort of keys alone", items);
    }
    EXPECT_CUDA(cudaMemset(keysOut, 0xFF, 8 * items)); // nothing of them must pass for the pairs'
    const double pairs = measure(repeats, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keysIn, keysOut, valuesIn, valuesOut, items, 0, bits);
    });
    EXPECT_CUDA(cudaMemcpy(sorted.data(), keysOut, 8 * items, cudaMemcpyDeviceToHost));
    EXPECT_CUDA(cudaMemcpy(values.data(), valuesOut, 4 * items, cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < items; ++i) {
        // Keys with their numbers that rise strictly are all different, and as many as there were: all of them.
        const bool rises = i == 0 || sorted[i] > sorted[i - 1] || (sorted[i] == sorted[i - 1] && values[i] > values[i - 1]);
        if (values[i] >= items || sorted[i] != keys[values[i]] || !rises) {
            refuse("sort of pairs", items);
        }
    }
    for (void* memory : {static_cast<void*>(keysIn), static_cast<void*>(keysOut), static_cast<void*>(valuesIn),
                         static_cast<void*>(valuesOut)}) {
        EXPECT_CUDA(cudaFree(memory));
    }
    std::printf(", \"keys\": %.6g, \"pairs\": %.6g", alone, pairs);
}

} // namespace

int main(int argc, char** argv) {
    const std::string device = takeDevice(argv[1]);
    const int repeats = std::atoi(argv[2]);
    const int bits = std::atoi(argv[3]);
    const std::size_t mostSorted = std::stoull(argv[4]);
    std::printf("{\"device\": \"%s\", \"version\": \"CUB %d.%d.%d\", \"rows\": [", device.c_str(), CUB_MAJOR_VERSION,
                CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    for (int i = 5; i < argc; ++i) {
        const std::size_t items = std::stoull(argv[i]);
        std::printf("%s{\"items\": %zu", i > 5 ? ", " : "", items);
        sums(items, repeats);
        if (items <= mostSorted) {
            sorts(items, repeats, bits);
        }
        std::printf("}");
    }
    std::printf("]}\n");
}
