// The filter on a device: block by block the weights and the fits, then the errors over the whole picture.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/divide_up.h"
#include "denoise/denoise_planes.h"
#include "denoise_shaders.h"
#include "gpu/workgroups.h"
#include "shared/denoise/similarity.h"

namespace aureole {
namespace {

/// Pixels of a block at most, along each axis: they fill a large device, and their sums and weights take 700 MB.
constexpr std::uint32_t kBlockWidth = 2048;
constexpr std::uint32_t kBlockHeight = 48;
// Of workgroups: over a block, and over the picture.
constexpr std::uint32_t kLanesX = 32;
constexpr std::uint32_t kLanesY = 4;
constexpr std::uint32_t kLanes = 64;
/// Pixels that each is compared with.
constexpr std::uint32_t kOffsets = DENOISE_OFFSETS;

} // namespace

/// The kernels and the memory for pictures of one size.
class DeviceFilter {
public:
    DeviceFilter(gpu::Device device, std::uint32_t width, std::uint32_t height);

    bool fits(const DenoiseInput& input) const { return input.width == width_ && input.height == height_; }
    /// Adds the time that the device took to `milliseconds`.
    std::vector<float> denoise(const DenoiseInput& input, double& milliseconds);

private:
    gpu::Buffer room(std::uint64_t bytes, const std::string& name) const {
        return device_.createBuffer(bytes, gpu::MemoryKind::Device, "denoise " + name);
    }
    template <typename Push>
    gpu::Pipeline pipeline(const std::string& name, gpu::Shader shader) const {
        return device_.createPipeline({.name = "denoise." + name, .shader = shader, .pushConstantBytes = sizeof(Push)});
    }
    template <typename T>
    void upload(const RawVector<T>& values, const gpu::Buffer& buffer) const {
        device_.upload(buffer, 0, std::as_bytes(std::span(values)));
    }
    void submit(gpu::CommandEncoder&& commands) { submissions_.push_back(device_.submit(std::move(commands))); }

    void fit(const shared::DenoiseBlock& block);
    void select();
    void run();

    gpu::Device device_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::uint64_t pixels_;
    int blockWidth_;
    int blockHeight_;
    gpu::Pipeline differencesPipeline_, weightsPipeline_, fitPipeline_, sharesPipeline_, sumPipeline_,
        mixFiltersPipeline_, biasesPipeline_, mixNoisyPipeline_;
    gpu::Buffer halves_, variances_, features_, colours_, fits_, evidence_, evidenceSums_, sums_, weights_;
    shared::DenoisePicture picture_{};
    DenoisePlanes planes_; ///< this and the next of the last picture, as memory is slow that is touched first
    RawVector<glm::vec3> result_;
    std::vector<gpu::Submission> submissions_;
};

DeviceFilter::DeviceFilter(gpu::Device device, std::uint32_t width, std::uint32_t height)
    : device_(std::move(device))
    , width_(width)
    , height_(height)
    , pixels_(std::uint64_t{width} * height)
    , blockWidth_(static_cast<int>(std::min(width, kBlockWidth)))
    , blockHeight_(static_cast<int>(std::min(height, kBlockHeight)))
    , differencesPipeline_(pipeline<shared::DenoiseBlockPush>("differences", shaders::denoise_differences()))
    , weightsPipeline_(pipeline<shared::DenoiseBlockPush>("weights", shaders::denoise_weights()))
    , fitPipeline_(pipeline<shared::DenoiseBlockPush>("fit", shaders::denoise_fit()))
    , sharesPipeline_(pipeline<shared::DenoiseSelectPush>("shares", shaders::denoise_shares()))
    , sumPipeline_(pipeline<shared::DenoiseSelectPush>("sum", shaders::denoise_sum()))
    , mixFiltersPipeline_(pipeline<shared::DenoiseSelectPush>("mix_filters", shaders::denoise_mix_filters()))
    , biasesPipeline_(pipeline<shared::DenoiseSelectPush>("biases", shaders::denoise_biases()))
    , mixNoisyPipeline_(pipeline<shared::DenoiseSelectPush>("mix_noisy", shaders::denoise_mix_noisy()))
    , halves_(room(2 * sizeof(glm::vec3) * pixels_, "halves"))
    , variances_(room(sizeof(glm::vec3) * pixels_, "variances"))
    , features_(room(sizeof(shared::DenoiseFeatures) * pixels_, "features"))
    , colours_(room(sizeof(glm::vec3) * pixels_, "colours"))
    , fits_(room(2 * sizeof(glm::vec3) * DENOISE_FILTERS * pixels_, "fits"))
    , evidence_(room(sizeof(glm::vec2) * pixels_, "evidence"))
    , evidenceSums_(room(sizeof(glm::vec2) * pixels_, "sums of evidence"))
    , result_(pixels_) {
    picture_.halves = halves_.address();
    picture_.variances = variances_.address();
    picture_.features = features_.address();
    picture_.width = static_cast<int>(width);
    picture_.height = static_cast<int>(height);
    const std::uint32_t columns = static_cast<std::uint32_t>(blockWidth_) + 2 * DENOISE_PATCH;
    const std::uint64_t rowBytes = sizeof(glm::vec4) * columns * kOffsets;
    sums_ = room(rowBytes * static_cast<std::uint64_t>(blockHeight_), "differences");
    weights_ = room(rowBytes * static_cast<std::uint64_t>(blockHeight_), "weights");
}

void DeviceFilter::fit(const shared::DenoiseBlock& block) {
    using shared::DenoiseBlockPush;
    const DenoiseBlockPush push{picture_, block, sums_.address(), weights_.address(), fits_.address()};
    const auto width = static_cast<std::uint32_t>(block.width);
    const auto height = static_cast<std::uint32_t>(block.height);
    gpu::CommandEncoder commands = device_.encoder();
    commands.beginWhole("denoise.fit");
    commands.dispatch(differencesPipeline_, push, divideUp(width + 2 * DENOISE_PATCH, kLanesX),
                      divideUp(divideUp(height, DENOISE_RUN), kLanesY), kOffsets);
    commands.dispatchBarrier();
    commands.dispatch(weightsPipeline_, push, divideUp(width, kLanesX), divideUp(height, kLanesY), kOffsets);
    commands.dispatchBarrier();
    commands.dispatch(fitPipeline_, push, divideUp(width, kLanesX), divideUp(height, kLanesY), 2 * DENOISE_FILTERS);
    submit(std::move(commands));
}

void DeviceFilter::select() {
    using shared::DenoiseSelectPush;
    DenoiseSelectPush push{
        picture_, fits_.address(), evidence_.address(), evidenceSums_.address(), colours_.address(), 0, 0};
    gpu::CommandEncoder commands = device_.encoder();
    commands.beginWhole("denoise.select");
    const glm::uvec2 groups = gpu::groupsAlong(divideUp(pixels_, kLanes));
    const auto pass = [&](const gpu::Pipeline& pipeline) {
        commands.dispatch(pipeline, push, groups.x, groups.y);
        commands.dispatchBarrier();
    };
    for (push.next = 1; push.next < DENOISE_FILTERS; ++push.next) {
        pass(sharesPipeline_);
        pass(sumPipeline_);
        pass(mixFiltersPipeline_);
    }
    pass(biasesPipeline_);
    pass(sumPipeline_);
    pass(mixNoisyPipeline_);
    submit(std::move(commands));
}

void DeviceFilter::run() {
    // A submission for each block: a device with a watchdog must not be busy for long.
    for (int top = 0; top < picture_.height; top += blockHeight_) {
        for (int left = 0; left < picture_.width; left += blockWidth_) {
            fit({left, top, std::min(blockWidth_, picture_.width - left),
                 std::min(blockHeight_, picture_.height - top)});
        }
    }
    select();
}

std::vector<float> DeviceFilter::denoise(const DenoiseInput& input, double& milliseconds) {
    planes_ = denoisePlanes(input, std::move(planes_));
    upload(planes_.halves, halves_);
    upload(planes_.variances, variances_);
    upload(planes_.features, features_);
    upload(planes_.colour, colours_);
    run();
    for (gpu::Submission& submission : submissions_) {
        submission.wait();
        for (const gpu::PassTime& pass : submission.passTimes()) {
            milliseconds += pass.milliseconds;
        }
    }
    submissions_.clear();
    device_.download(colours_, 0, std::as_writable_bytes(std::span(result_)));
    return denoisedPicture(planes_, result_);
}

DeviceDenoiser::DeviceDenoiser(gpu::Device device)
    : device_(std::move(device)) {}

DeviceDenoiser::~DeviceDenoiser() = default;
DeviceDenoiser::DeviceDenoiser(DeviceDenoiser&&) noexcept = default;
DeviceDenoiser& DeviceDenoiser::operator=(DeviceDenoiser&&) noexcept = default;

std::vector<float> DeviceDenoiser::denoise(const DenoiseInput& input) {
    if (input.width == 0 || input.height == 0) {
        return {};
    }
    if (!filter_ || !filter_->fits(input)) {
        release(); // its memory is free before the next one takes as much
        filter_ = std::make_unique<DeviceFilter>(device_, input.width, input.height);
    }
    return filter_->denoise(input, milliseconds_);
}

void DeviceDenoiser::release() {
    filter_.reset();
}

} // namespace aureole
