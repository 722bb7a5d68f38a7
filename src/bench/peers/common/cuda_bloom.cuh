// What programs that bloom by CUDA share: planes with room for their spectra in place.
#pragma once

#include "bloom_task.hpp"
#include "cuda_timing.cuh"

struct CudaBloom {
    int width;
    int height;
    int periodX;
    int periodY;
    int stride; ///< floats of a row, with those of the spectrum's last bin

    explicit CudaBloom(const BloomTask& task)
        : width(task.width)
        , height(task.height)
        , periodX(task.periodX())
        , periodY(task.periodY())
        , stride(2 * (task.periodX() / 2 + 1)) {}

    std::size_t floats() const { return 3 * static_cast<std::size_t>(stride) * periodY; }
    dim3 block() const { return dim3(128, 2); }
    dim3 gridOf(int columns, int rows) const { return dim3((columns + 127) / 128, (rows + 1) / 2, 3); }
};

__global__ void padPlanes(CudaBloom shape, const float* picture, float* planes) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < shape.stride && y < shape.periodY) {
        const bool inside = x < shape.width && y < shape.height;
        const std::size_t from = (static_cast<std::size_t>(blockIdx.z) * shape.height + y) * shape.width + x;
        planes[(static_cast<std::size_t>(blockIdx.z) * shape.periodY + y) * shape.stride + x] =
            inside ? picture[from] : 0.0F;
    }
}

__global__ void cropPlanes(CudaBloom shape, const float* planes, float* result) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < shape.width && y < shape.height) {
        result[(static_cast<std::size_t>(blockIdx.z) * shape.height + y) * shape.width + x] =
            planes[(static_cast<std::size_t>(blockIdx.z) * shape.periodY + y) * shape.stride + x];
    }
}

/// Measures what `core` does to planes, alone and between padding and cropping, and prints the answer.
template <typename Core>
void measureBloom(const BloomTask& task, const std::string& version, const std::string& device, float* planes,
                  const Core& core) {
    constexpr int kChain = 20;
    const CudaBloom shape(task);
    const std::vector<float> picture = task.picture();
    auto* input = allocate<float>(picture.size());
    auto* output = allocate<float>(picture.size());
    EXPECT_CUDA(cudaMemcpy(input, picture.data(), picture.size() * sizeof(float), cudaMemcpyHostToDevice));
    const double alone = medianMicroseconds(task.repeats, kChain, core);
    const double whole = medianMicroseconds(task.repeats, kChain, [&] {
        padPlanes<<<shape.gridOf(shape.stride, shape.periodY), shape.block()>>>(shape, input, planes);
        core();
        cropPlanes<<<shape.gridOf(shape.width, shape.height), shape.block()>>>(shape, planes, output);
    });
    std::vector<float> result(picture.size());
    EXPECT_CUDA(cudaGetLastError());
    EXPECT_CUDA(cudaMemcpy(result.data(), output, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    printBloomAnswer(task, version, device, whole, alone, result);
}
