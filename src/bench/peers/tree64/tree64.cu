// The walk of shaders/peers/tree64 in plain CUDA, beside 'aureole bench traverse': the same steps on the same nodes, one
// thread a ray in its place. Arguments: UUID, repeats, levels, reach, and the files of nodes, of leaf masks, of rays and of
// hits, which it writes. Prints JSON.

#include <cstdint>
#include <fstream>

#include "cuda_timing.cuh"

namespace {

constexpr unsigned kWorkgroup = 256;
constexpr unsigned kRootShift = 21;
constexpr unsigned kMostLevels = 8;
constexpr unsigned kNoAxis = 3;
constexpr unsigned kFaceInside = 6;
constexpr unsigned kMissed = 7;

struct Task {
    const uint4* nodes; ///< mask, first child, flags
    const uint2* leaves;
    const uint4* rays; ///< two words each: origin and what else, direction
    uint4* hits;
    unsigned count;
    float reach;
};

__device__ unsigned hasBit(uint2 mask, unsigned bit) {
    return (((bit & 32U) == 0U ? mask.x : mask.y) >> (bit & 31U)) & 1U;
}

__device__ unsigned rankOf(uint2 mask, unsigned bit) {
    const unsigned below = (1U << (bit & 31U)) - 1U;
    return (bit & 32U) == 0U ? __popc(mask.x & below) : __popc(mask.x) + __popc(mask.y & below);
}

/// What there is in the block of 2x2x2 cells.
__device__ unsigned blockOf(uint2 mask, unsigned bit) {
    return (((bit & 32U) == 0U ? mask.x : mask.y) >> (bit & 10U)) & 0x00330033U;
}

__device__ unsigned cellOf(uint3 position, unsigned shift, unsigned mirrored) {
    const unsigned x = position.x >> shift;
    const unsigned y = position.y >> shift;
    const unsigned z = position.z >> shift;
    return ((x & 3U) | ((y & 3U) << 2U) | ((z & 3U) << 4U)) ^ mirrored;
}

__device__ unsigned within(float value, unsigned low, unsigned size) {
    return min(max(__float_as_uint(value), low), low + (size - 1U));
}

template <unsigned kLevels>
__device__ uint4 hitAt(unsigned axes, uint3 position, unsigned axis, float distance) {
    constexpr unsigned kLast = (1U << (2U * kLevels)) - 1U;
    constexpr unsigned kShift = 23U - 2U * kLevels;
    const unsigned x = (position.x >> kShift) & kLast;
    const unsigned y = (position.y >> kShift) & kLast;
    const unsigned z = (position.z >> kShift) & kLast;
    const unsigned face = axis == kNoAxis ? kFaceInside : 2U * axis + ((axes >> axis) & 1U);
    return make_uint4(((axes & 1U) != 0U ? kLast - x : x) | (((axes & 2U) != 0U ? kLast - y : y) << 16U),
                      ((axes & 4U) != 0U ? kLast - z : z) | (face << 16U), 0U, __float_as_uint(distance));
}

template <unsigned kLevels>
__device__ uint4 traceRay(const Task& task, uint4 from, uint4 along) {
    constexpr unsigned kLeafShift = 23U - 2U * kLevels;
    const uint4 miss = make_uint4(0U, kMissed << 16U, 0U, 0U);
    const float3 origin = make_float3(__uint_as_float(from.x), __uint_as_float(from.y), __uint_as_float(from.z));
    const float3 direction = make_float3(__uint_as_float(along.x), __uint_as_float(along.y), __uint_as_float(along.z));
    const float3 inverse = make_float3(1.0F / direction.x, 1.0F / direction.y, 1.0F / direction.z);
    const unsigned axes = from.w & 7U;
    const unsigned mirrored = (axes & 1U) * 3U | (axes & 2U) * 6U | (axes & 4U) * 12U;
    unsigned stacks[kMostLevels]; // in local memory, which is 4 % faster here than workgroup memory
    const auto stack = [&](unsigned level) -> unsigned& { return stacks[(level >> 1U) - 4U]; };

    uint3 position = make_uint3(from.x, from.y, from.z);
    unsigned axis = (from.w >> 3U) & 3U;
    float distance = 0.0F;
    unsigned shift = kRootShift;
    unsigned index = 0;
    uint4 node = __ldg(task.nodes);
    uint2 mask = make_uint2(node.x, node.y);
    while (true) {
        unsigned bit = cellOf(position, shift, mirrored);
        while (hasBit(mask, bit) != 0U) {
            if (shift == kLeafShift || node.w != 0U) {
                return distance > task.reach ? miss : hitAt<kLevels>(axes, position, axis, distance);
            }
            stack(shift) = index;
            index = node.z + rankOf(mask, bit);
            shift -= 2U;
            if (shift == kLeafShift) {
                mask = __ldg(task.leaves + index);
            } else {
                node = __ldg(task.nodes + index);
                mask = make_uint2(node.x, node.y);
            }
            bit = cellOf(position, shift, mirrored);
        }

        // To the nearest far plane of the empty cell, or block.
        const unsigned size = 1U << (shift + (blockOf(mask, bit) == 0U ? 1U : 0U));
        const uint3 low = make_uint3(position.x & ~(size - 1U), position.y & ~(size - 1U), position.z & ~(size - 1U));
        const float farX = (__uint_as_float(low.x + size) - origin.x) * inverse.x;
        const float farY = (__uint_as_float(low.y + size) - origin.y) * inverse.y;
        const float farZ = (__uint_as_float(low.z + size) - origin.z) * inverse.z;
        distance = fminf(farX, fminf(farY, farZ));
        axis = farX == distance ? 0U : farY == distance ? 1U : 2U;
        const uint3 next =
            make_uint3(axis == 0U ? low.x + size : within(origin.x + direction.x * distance, low.x, size),
                       axis == 1U ? low.y + size : within(origin.y + direction.y * distance, low.y, size),
                       axis == 2U ? low.z + size : within(origin.z + direction.z * distance, low.z, size));
        const unsigned crossed = axis == 0U   ? next.x ^ position.x
                                 : axis == 1U ? next.y ^ position.y
                                              : next.z ^ position.z;
        const unsigned highest = 31U - __clz(crossed);
        position = next;
        if (highest > kRootShift + 1U || distance > task.reach) {
            return miss;
        }
        if (highest > shift + 1U) {
            shift = (highest - 1U) | 1U;
            index = stack(shift);
            node = __ldg(task.nodes + index);
            mask = make_uint2(node.x, node.y);
        }
    }
}

template <unsigned kLevels>
__global__ void trace(Task task) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= task.count) {
        return;
    }
    const uint4 from = task.rays[2U * i];
    const uint4 along = task.rays[2U * i + 1U];
    if ((along.x | along.y | along.z) != 0U) {
        task.hits[i] = traceRay<kLevels>(task, from, along);
    }
}

void launch(unsigned levels, const Task& task) {
    const unsigned groups = (task.count + kWorkgroup - 1) / kWorkgroup;
    switch (levels) {
    case 2: trace<2><<<groups, kWorkgroup>>>(task); break;
    case 3: trace<3><<<groups, kWorkgroup>>>(task); break;
    case 4: trace<4><<<groups, kWorkgroup>>>(task); break;
    case 5: trace<5><<<groups, kWorkgroup>>>(task); break;
    case 6: trace<6><<<groups, kWorkgroup>>>(task); break;
    case 7: trace<7><<<groups, kWorkgroup>>>(task); break;
    default: std::fprintf(stderr, "found %u levels, expected 2 to 7\n", levels); std::exit(1);
    }
}

/// A file as an array on the device, of which there are `count`.
template <typename T>
T* read(const char* name, std::size_t& count) {
    std::ifstream in(name, std::ios::binary | std::ios::ate);
    const auto bytes = static_cast<std::size_t>(in.tellg());
    std::vector<char> host(bytes);
    in.seekg(0);
    in.read(host.data(), static_cast<std::streamsize>(bytes));
    if (!in) {
        std::fprintf(stderr, "%s: cannot be read\n", name);
        std::exit(1);
    }
    count = bytes / sizeof(T);
    T* memory = allocate<T>(count);
    EXPECT_CUDA(cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice));
    return memory;
}

} // namespace

int main(int, char** argv) {
    const std::string device = takeDevice(argv[1]);
    const int repeats = std::atoi(argv[2]);
    const auto levels = static_cast<unsigned>(std::atoi(argv[3]));
    std::size_t count = 0;
    Task task{};
    task.reach = static_cast<float>(std::atof(argv[4]));
    task.nodes = read<uint4>(argv[5], count);
    task.leaves = read<uint2>(argv[6], count);
    task.rays = read<uint4>(argv[7], count);
    task.count = static_cast<unsigned>(count / 2);
    task.hits = allocate<uint4>(task.count);
    EXPECT_CUDA(cudaMemset(task.hits, 0xFF, task.count * sizeof(uint4)));
    constexpr int kChain = 10;
    const std::vector<double> times = microseconds(repeats, kChain, [&] { launch(levels, task); });
    EXPECT_CUDA(cudaGetLastError());
    std::vector<uint4> hits(task.count);
    EXPECT_CUDA(cudaMemcpy(hits.data(), task.hits, hits.size() * sizeof(uint4), cudaMemcpyDeviceToHost));
    std::ofstream(argv[8], std::ios::binary)
        .write(reinterpret_cast<const char*>(hits.data()), static_cast<std::streamsize>(hits.size() * sizeof(uint4)));
    std::printf("{\"device\": \"%s\", \"us\": [", device.c_str());
    for (std::size_t i = 0; i < times.size(); ++i) {
        std::printf("%s%.6g", i > 0 ? ", " : "", times[i]);
    }
    std::printf("]}\n");
}
