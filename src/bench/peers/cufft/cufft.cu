// cuFFT beside 'aureole bench bloom': three planes transformed in place as a batch, multiplied, and transformed back.
// Arguments: the files of the task and of the kernel.

#include <cufft.h>

#include "cuda_bloom.cuh"

namespace {

void expectFft(cufftResult status, const char* what) {
    if (status != CUFFT_SUCCESS) {
        std::fprintf(stderr, "cuFFT: %s: error %d\n", what, static_cast<int>(status));
        std::exit(1);
    }
}

cufftHandle planOf(const CudaBloom& shape, cufftType type) {
    const int bins = shape.stride / 2;
    int lengths[2] = {shape.periodY, shape.periodX};
    int reals[2] = {shape.periodY, shape.stride};
    int spectra[2] = {shape.periodY, bins};
    const bool isForward = type == CUFFT_R2C;
    cufftHandle plan{};
    expectFft(cufftPlanMany(&plan, 2, lengths, isForward ? reals : spectra, 1,
                            shape.periodY * (isForward ? shape.stride : bins), isForward ? spectra : reals, 1,
                            shape.periodY * (isForward ? bins : shape.stride), type, 3),
              "plan");
    return plan;
}

__global__ void multiply(float2* planes, const float2* kernel, std::size_t count) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        const float2 a = planes[i];
        const float2 b = kernel[i];
        planes[i] = make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
    }
}

} // namespace

int main(int, char** argv) {
    const BloomTask task = readBloomTask(argv[1], argv[2]);
    const std::string device = takeDevice(task.uuid);
    const CudaBloom shape(task);
    const cufftHandle forward = planOf(shape, CUFFT_R2C);
    const cufftHandle inverse = planOf(shape, CUFFT_C2R);
    auto* planes = allocate<float>(shape.floats());
    auto* spectrum = allocate<float>(shape.floats());

    // The kernel's spectrum, with the scale that cuFFT leaves out.
    std::vector<float> kernel = task.wrappedKernel(shape.stride);
    for (float& value : kernel) {
        value /= static_cast<float>(shape.periodX) * static_cast<float>(shape.periodY);
    }
    EXPECT_CUDA(cudaMemcpy(spectrum, kernel.data(), kernel.size() * sizeof(float), cudaMemcpyHostToDevice));
    expectFft(cufftExecR2C(forward, spectrum, reinterpret_cast<cufftComplex*>(spectrum)), "kernel");

    const std::size_t count = shape.floats() / 2;
    const auto groups = static_cast<unsigned>((count + 255) / 256);
    int version = 0;
    expectFft(cufftGetVersion(&version), "version");
    measureBloom(task, "cuFFT " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 100), device,
                 planes, [&] {
                     expectFft(cufftExecR2C(forward, planes, reinterpret_cast<cufftComplex*>(planes)), "forward");
                     multiply<<<groups, 256>>>(reinterpret_cast<float2*>(planes),
                                               reinterpret_cast<const float2*>(spectrum), count);
                     expectFft(cufftExecC2R(inverse, reinterpret_cast<cufftComplex*>(planes), planes), "inverse");
                 });
}
