// VkFFT beside 'aureole bench bloom', by its CUDA backend: a convolution fused into the transforms, which are told
// where the planes are zero. Arguments: the files of the task and of the kernel.

#define VKFFT_BACKEND 1
#include <cuda.h>
#include <nvrtc.h>
#include <vkFFT.h>

#include "cuda_bloom.cuh"

namespace {

void expectFft(VkFFTResult status, const char* what) {
    if (status != VKFFT_SUCCESS) {
        std::fprintf(stderr, "VkFFT: %s: error %d\n", what, static_cast<int>(status));
        std::exit(1);
    }
}

} // namespace

int main(int, char** argv) {
    const BloomTask task = readBloomTask(argv[1], argv[2]);
    const std::string device = takeDevice(task.uuid);
    const CudaBloom shape(task);
    auto* planes = allocate<float>(shape.floats());
    auto* spectrum = allocate<float>(shape.floats());
    const std::vector<float> kernel = task.wrappedKernel(shape.stride);
    EXPECT_CUDA(cudaMemcpy(spectrum, kernel.data(), kernel.size() * sizeof(float), cudaMemcpyHostToDevice));

    int ordinal = 0;
    EXPECT_CUDA(cudaGetDevice(&ordinal));
    CUdevice cudaDevice = ordinal;
    std::uint64_t bytes = shape.floats() * sizeof(float);
    void* planesMemory = planes;
    void* spectrumMemory = spectrum;

    VkFFTConfiguration configuration = {};
    configuration.FFTdim = 2;
    configuration.size[0] = static_cast<std::uint64_t>(shape.periodX);
    configuration.size[1] = static_cast<std::uint64_t>(shape.periodY);
    configuration.device = &cudaDevice;
    configuration.performR2C = 1;
    configuration.coordinateFeatures = 3;
    configuration.normalize = 1;
    configuration.bufferSize = &bytes;

    VkFFTConfiguration ofKernel = configuration;
    ofKernel.kernelConvolution = 1;
    ofKernel.buffer = &spectrumMemory;
    VkFFTApplication kernelPlan = {};
    expectFft(initializeVkFFT(&kernelPlan, ofKernel), "plan of the kernel");
    VkFFTLaunchParams launch = {};
    expectFft(VkFFTAppend(&kernelPlan, -1, &launch), "kernel");

    VkFFTConfiguration convolution = configuration;
    convolution.performConvolution = 1;
    convolution.buffer = &planesMemory;
    convolution.kernel = &spectrumMemory;
    convolution.kernelSize = &bytes;
    convolution.performZeropadding[0] = task.width < shape.periodX ? 1 : 0;
    convolution.performZeropadding[1] = task.height < shape.periodY ? 1 : 0;
    convolution.fft_zeropad_left[0] = static_cast<std::uint64_t>(task.width);
    convolution.fft_zeropad_right[0] = static_cast<std::uint64_t>(shape.periodX);
    convolution.fft_zeropad_left[1] = static_cast<std::uint64_t>(task.height);
    convolution.fft_zeropad_right[1] = static_cast<std::uint64_t>(shape.periodY);
    VkFFTApplication plan = {};
    expectFft(initializeVkFFT(&plan, convolution), "plan");
    const int version = VkFFTGetVersion();
    measureBloom(task,
                 "VkFFT " + std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
                     std::to_string(version % 100),
                 device, planes, [&] { expectFft(VkFFTAppend(&plan, -1, &launch), "convolution"); });
}
