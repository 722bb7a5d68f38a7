#include "bloom/kernel_transform.h"

#include <span>
#include <utility>

#include "bloom/passes.h"
#include "bloom_first_variants.h"
#include "bloom_kernel_variants.h"
#include "core/threads/parallel.h"
#include "fft/specialization.h"
#include "shared/specialization.h"

namespace aureole {

using namespace bloom_passes;

namespace {

/// The texels along the first axis, and across it.
std::pair<KernelWindow, KernelWindow> windowsOf(const KernelTexels& texels, const ConvolutionShape& shape) {
    return shape.columnsFirst ? std::pair(texels.rows, texels.columns) : std::pair(texels.columns, texels.rows);
}

} // namespace

KernelPipelines kernelPipelines(const gpu::Device& device, const KernelTexels& texels, bool real,
                                const ConvolutionShape& shape, bool compact) {
    const auto [along, across] = windowsOf(texels, shape);
    const auto firstConstants = axisConstants(along.count, across.count, true, 0);
    auto secondConstants = multiplyConstants(across.count, real, 0);
    secondConstants.push_back({SPEC_BLOOM_STORE_COMPACT, compact ? 1U : 0U});
    KernelPipelines made;
    concurrently({[&] {
                      made.first = fft::createLinePipeline(device, "bloom.kernel.first", shaders::bloom_first(),
                                                           shape.first, sizeof(shared::BloomAxisPush), firstConstants);
                  },
                  [&] {
                      made.second =
                          fft::createLinePipeline(device, "bloom.kernel.second", shaders::bloom_kernel(), shape.second,
                                                  sizeof(shared::BloomMultiplyPush), secondConstants);
                  }});
    return made;
}

gpu::Buffer transformKernel(const gpu::Device& device, const KernelTexels& texels, bool real,
                            const KernelTransform& transform) {
    const ConvolutionShape& shape = *transform.shape;
    const auto [along, across] = windowsOf(texels, shape);
    const auto binCount = static_cast<std::uint32_t>(transform.bins->size() / sizeof(shared::BloomBin));
    const gpu::Buffer values = device.createBufferWith(std::span<const float>(texels.values), "bloom kernel");
    const gpu::Buffer scratch = device.createBuffer(kComplexBytes * kColours * spectrumPlane(shape, across.count),
                                                    gpu::MemoryKind::Device, "bloom kernel scratch");
    gpu::Buffer spectrum =
        device.createBuffer(std::uint64_t{real ? 4U : 8U} * kColours * binCount * shape.second.length,
                            gpu::MemoryKind::Device, "bloom kernel spectrum");
    const KernelPipelines pipelines = kernelPipelines(device, texels, real, shape, transform.compact);

    const std::uint64_t planeBytes = sizeof(float) * texels.planeSize();
    const DevicePlanes planes{{values.address(), values.address() + planeBytes, values.address() + 2 * planeBytes},
                              texels.columns.count};
    shared::BloomAxisPush axis = axisPush(shape, planes, across.count, scratch, *transform.firstTwiddles);
    axis.shift = along.centre;

    shared::BloomMultiplyPush store{};
    store.spectrum = scratch.address();
    store.kernel = spectrum.address();
    store.twiddles = transform.secondTwiddles->address();
    store.bins = transform.bins->address();
    store.binCount = binCount;
    store.planeStride = axis.planeStride;
    store.shift = across.centre;
    // The second pass unpacks to twice the values, so a kernel comes doubled; and so will the image, so that an exact
    // spectrum is stored at half.
    store.keep = transform.compact
                     ? 0.5F
                     : static_cast<float>(0.25 / (static_cast<double>(shape.first.length) * shape.second.length));

    gpu::CommandEncoder commands = device.encoder();
    commands.beginPass("bloom.kernel");
    commands.dispatch(pipelines.first, axis, axisGroups(shape.first, across.count), kColours);
    commands.barrier();
    commands.dispatch(pipelines.second, store, divideUp(binCount, shape.second.lines), kColours);
    commands.barrier();
    device.submit(std::move(commands)).wait();
    return spectrum;
}

} // namespace aureole
