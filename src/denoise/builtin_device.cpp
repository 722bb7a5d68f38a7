// The filter on a device: block by block the weights and the fits, then the errors over the whole picture.

#include <algorithm>
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

/// The kernels and the memory of a picture's filter.
class DeviceFilter {
public:
    DeviceFilter(const gpu::Device& device, const DenoisePlanes& planes);

    std::vector<glm::vec3> run();
    double milliseconds() const { return milliseconds_; }

private:
    gpu::Buffer room(std::uint64_t bytes, const std::string& name) const {
        return device_.createBuffer(bytes, gpu::MemoryKind::Device, "denoise " + name);
    }
    template <typename Push>
    gpu::Pipeline pipeline(const std::string& name, gpu::Shader shader) const {
        return device_.createPipeline({.name = name, .shader = shader, .pushConstantBytes = sizeof(Push)});
    }
    template <typename T>
    gpu::Buffer copyOf(const std::vector<T>& values, const std::string& name) const {
        return device_.createBufferWith(std::span<const T>(values), "denoise " + name);
    }
    void submit(gpu::CommandEncoder&& commands) { submissions_.push_back(device_.submit(std::move(commands))); }

    void fit(const shared::DenoiseBlock& block);
    void select();

    const gpu::Device& device_;
    std::uint64_t pixels_;
    int blockWidth_;
    int blockHeight_;
    gpu::Buffer halves_, variances_, features_, colours_, fits_, evidence_, evidenceSums_, sums_, weights_;
    shared::DenoisePicture picture_{};
    std::vector<gpu::Submission> submissions_;
    double milliseconds_ = 0.0;
};

DeviceFilter::DeviceFilter(const gpu::Device& device, const DenoisePlanes& planes)
    : device_(device)
    , pixels_(planes.pixelCount())
    , halves_(copyOf(planes.halves, "halves"))
    , variances_(copyOf(planes.variances, "variances"))
    , features_(copyOf(planes.features, "features"))
    , colours_(copyOf(planes.colour, "colours"))
    , fits_(room(4 * sizeof(glm::vec3) * pixels_, "fits"))
    , evidence_(room(sizeof(glm::vec2) * pixels_, "evidence"))
    , evidenceSums_(room(sizeof(glm::vec2) * pixels_, "sums of evidence")) {
    picture_.halves = halves_.address();
    picture_.variances = variances_.address();
    picture_.features = features_.address();
    picture_.width = static_cast<int>(planes.width);
    picture_.height = static_cast<int>(planes.height);
    blockWidth_ = static_cast<int>(std::min(planes.width, kBlockWidth));
    blockHeight_ = static_cast<int>(std::min(planes.height, kBlockHeight));
    const std::uint64_t columns = static_cast<std::uint64_t>(blockWidth_) + 2 * DENOISE_PATCH;
    const std::uint64_t rowBytes = columns * sizeof(glm::vec4) * DENOISE_OFFSETS;
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
    commands.dispatch(pipeline<DenoiseBlockPush>("denoise.differences", shaders::denoise_differences()), push,
                      divideUp(width + 2 * DENOISE_PATCH, kLanesX), divideUp(height, kLanesY * DENOISE_RUN),
                      DENOISE_OFFSETS);
    commands.dispatchBarrier();
    commands.dispatch(pipeline<DenoiseBlockPush>("denoise.weights", shaders::denoise_weights()), push,
                      divideUp(width, kLanesX), divideUp(height, kLanesY), DENOISE_OFFSETS);
    commands.dispatchBarrier();
    commands.dispatch(pipeline<DenoiseBlockPush>("denoise.fit", shaders::denoise_fit()), push, divideUp(width, kLanesX),
                      divideUp(height, kLanesY), 2);
    submit(std::move(commands));
}

void DeviceFilter::select() {
    using shared::DenoiseSelectPush;
    const DenoiseSelectPush push{picture_, fits_.address(), evidence_.address(), evidenceSums_.address(),
                                 colours_.address()};
    gpu::CommandEncoder commands = device_.encoder();
    commands.beginWhole("denoise.select");
    const glm::uvec2 groups = gpu::groupsAlong(divideUp(pixels_, kLanes));
    const auto pass = [&](const std::string& name, gpu::Shader shader) {
        commands.dispatch(pipeline<DenoiseSelectPush>(name, shader), push, groups.x, groups.y);
        commands.dispatchBarrier();
    };
    pass("denoise.shares", shaders::denoise_shares());
    pass("denoise.sum", shaders::denoise_sum());
    pass("denoise.mix_filters", shaders::denoise_mix_filters());
    pass("denoise.biases", shaders::denoise_biases());
    pass("denoise.sum", shaders::denoise_sum());
    pass("denoise.mix_noisy", shaders::denoise_mix_noisy());
    submit(std::move(commands));
}

std::vector<glm::vec3> DeviceFilter::run() {
    // A submission for each block: a device with a watchdog must not be busy for long.
    for (int top = 0; top < picture_.height; top += blockHeight_) {
        for (int left = 0; left < picture_.width; left += blockWidth_) {
            fit({left, top, std::min(blockWidth_, picture_.width - left),
                 std::min(blockHeight_, picture_.height - top)});
        }
    }
    select();
    for (gpu::Submission& submission : submissions_) {
        submission.wait();
        for (const gpu::PassTime& pass : submission.passTimes()) {
            milliseconds_ += pass.milliseconds;
        }
    }
    std::vector<glm::vec3> result(pixels_);
    device_.download(colours_, 0, std::as_writable_bytes(std::span(result)));
    return result;
}

} // namespace

std::vector<float> denoiseBuiltin(const gpu::Device& device, const DenoiseInput& input, double* milliseconds) {
    const DenoisePlanes planes = denoisePlanes(input);
    if (planes.pixelCount() == 0) {
        return {};
    }
    DeviceFilter filter(device, planes);
    const std::vector<glm::vec3> colours = filter.run();
    if (milliseconds != nullptr) {
        *milliseconds = filter.milliseconds();
    }
    return denoisedPicture(planes, colours);
}

} // namespace aureole
