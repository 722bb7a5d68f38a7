#pragma once

// FFT bloom on the device: an RGB image convolved with a kernel, the outside of the image black or its reflection. The
// kernel's spectrum is exact, made for the image's padded size, or resampled from a compact one that serves all sizes.
//
// Three dispatches: (1) two lines of pixels packed in a complex one, transformed along the first axis, stored
// transposed; (2) along the second axis: unpacking, transform, product with the kernel's spectrum, transform back,
// packing, in place; (3) back along the first axis into the output, cropped. No pass pads, packs or crops on its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bloom/convolution_shape.h"
#include "bloom/device_planes.h"
#include "bloom/kernel.h"
#include "bloom/kernel_spectrum.h"
#include "bloom/strips.h"
#include "gpu/device.h"
#include "settings/bloom.h"

namespace aureole {

/// A bloom made ready for a device, an image size and a kernel. Must live until the commands it was executed in have
/// ended; one execution at a time.
class BloomFilter {
public:
    /// Makes the pipelines of a filter by an exact kernel, all at once: what takes a driver seconds the first time. The
    /// device keeps them for that filter. Throws Error (BadInput) as that does.
    static void makePipelines(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                              const BloomKernel& kernel, BloomPadding padding);

    /// Transforms the kernel on the device, and waits. Throws Error (BadInput) for sizes of zero or too large,
    /// (OutOfMemory) where the spectra do not fit.
    BloomFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
                const ConvolutionWishes& wishes = {}, BloomPadding padding = BloomPadding::Zero);
    /// Resamples the kernel's spectrum, along whose axes the image is transformed. Throws as above, and Error
    /// (Internal) where the wishes have another axis first.
    BloomFilter(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                std::shared_ptr<const KernelSpectrum> kernel, const ConvolutionWishes& wishes = {},
                BloomPadding padding = BloomPadding::Zero);

    /// Records the passes bloom.first, bloom.second and bloom.third, with the barriers between them and after them.
    /// Output may be the input. Pixels that are not finite count as black. `sharpen`, from 0 (the kernel) to 1 (the
    /// image unchanged), interpolates towards a Dirac delta. Throws Error (BadInput) for others.
    void execute(gpu::CommandEncoder& commands, const DevicePlanes& output, const DevicePlanes& input,
                 double sharpen = 0.0) const;

    const ConvolutionShape& shape() const { return shape_; }
    /// Whether the kernel is symmetric about its centre, so that its spectrum is real and half as large.
    bool realKernel() const { return realKernel_; }
    /// Bytes of the kernel's spectrum that an execution reads, each once.
    std::uint64_t kernelBytes() const {
        return compact_ ? compact_->deviceBytes() : exactKernelBytes(shape_, realKernel_);
    }
    /// Device memory held: the kernel's spectrum (an exact one), the image's, the tables.
    std::uint64_t deviceBytes() const;

private:
    struct ExactParts;

    BloomFilter(const gpu::Device& device, const ExactParts& parts);
    /// All but the second pass.
    BloomFilter(const gpu::Device& device, const ConvolutionShape& shape);
    void prepareResampling(const gpu::Device& device);

    /// Bins of a colour, those that only fill up included.
    std::uint32_t binCount() const { return static_cast<std::uint32_t>(bins_.size() / sizeof(shared::BloomBin)); }

    ConvolutionShape shape_;
    bool realKernel_ = false;
    gpu::Buffer firstTwiddles_;
    gpu::Buffer secondTwiddles_;
    gpu::Buffer bins_;
    gpu::Buffer spectrum_;
    gpu::Buffer kernelSpectrum_;                    ///< exact mode
    std::shared_ptr<const KernelSpectrum> compact_; ///< resampled mode, as the tables of its taps
    gpu::Buffer rowTaps_;
    gpu::Buffer slotTaps_;
    gpu::Pipeline first_;
    gpu::Pipeline second_;
    gpu::Pipeline third_;
};

/// How an image in host memory is bloomed.
struct BloomMethod {
    double sharpen = 0.0;
    BloomPadding padding = BloomPadding::Zero;
    BloomMode mode = BloomMode::Exact;
    BloomResampling filter = BloomResampling::Kaiser; ///< of resampled kernels
};

/// Where commands draw an image that is bloomed then.
struct BloomInput {
    std::uint64_t planes = 0;  ///< a plane of floats each for R, G and B, one after the other
    std::uint64_t unusual = 0; ///< a word that becomes 1 where a value is not finite, or beyond `most`
    float most = 0.0F;
};
using DrawBloomInput = std::function<void(gpu::CommandEncoder&, const BloomInput&)>;

/// Blooms images in host memory that have one size, by one kernel: made once, for as many as there are. Images for
/// which a transform would have to be longer than `longest` are bloomed in strips (strips.h), which takes longer.
class ImageBloom {
public:
    /// Throws what BloomFilter throws.
    ImageBloom(const gpu::Device& device, std::uint32_t width, std::uint32_t height, const BloomKernel& kernel,
               const BloomMethod& method, std::uint32_t longest = fft::kMaximumLength);

    /// Makes the pipelines of such a bloom, which the device keeps, where they are known without making more: of exact
    /// kernels. Takes no memory of the device. Throws what the constructor throws.
    static void makePipelines(const gpu::Device& device, std::uint32_t width, std::uint32_t height,
                              const BloomKernel& kernel, const BloomMethod& method);

    /// Convolves R, G, B of an image of that size (a grey one gets three channels); other channels and the attributes
    /// are kept. Warns of pixels that are not finite, with their number and the place of the first. `file` names the
    /// image. Throws Error (Internal) where the size is another one, (NoDevice) where the device is lost.
    Image apply(Image image, const std::string& file);

    /// From 0, the whole kernel, to 1, no bloom, of the images that follow.
    void setSharpen(double sharpen) { sharpen_ = sharpen; }
    /// Blooms an image that is on the device: `draw` records how its planes come about, and what comes of it goes to
    /// the beginning of `result`, a Readback buffer of resultBytes(): a plane each of R, G and B. Returns false where a
    /// value was unusual, or the image is bloomed in strips: apply() takes such images. Throws Error (NoDevice) where
    /// the device is lost.
    bool applyTo(const DrawBloomInput& draw, const gpu::Buffer& result);
    /// Whether the image is bloomed at once, not in strips.
    bool isWhole() const { return filter_.has_value(); }
    std::uint64_t resultBytes() const { return 3 * sizeof(float) * pixelCount() + sizeof(std::uint32_t); }
    std::uint64_t pixelCount() const { return std::uint64_t{size_.x} * size_.y; }

    /// The device time of the three passes of all images so far.
    double milliseconds() const { return milliseconds_; }

private:
    /// Runs a filter on an image of its size, in place.
    void run(const BloomFilter& filter, const gpu::Buffer& pixels, double sharpen, HostPlanes& image);
    void runInStrips(HostPlanes& image);
    static DevicePlanes planesOf(const gpu::Buffer& pixels, const glm::uvec2& size);
    void addTimes(const gpu::Submission& submission);

    gpu::Device device_;
    glm::uvec2 size_;
    double sharpen_;
    std::optional<BloomFilter> filter_; ///< of the whole image; without one there are strips
    gpu::Buffer pixels_;                ///< three planes, then the word of BloomInput
    BloomMethod method_;                ///< of strips
    BloomPadding padding_ = BloomPadding::Zero;
    BloomKernel kernel_;
    AxisCut columns_;
    AxisCut rows_;
    double milliseconds_ = 0.0;
};

} // namespace aureole
