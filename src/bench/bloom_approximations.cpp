#include "bench/bloom_approximations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench/bench_measure.h"
#include "bench/bloom_pictures.h"
#include "bloom/filter.h"
#include "core/error.h"
#include "image/colour/tonemap.h"
#include "session/bloom.h"

namespace aureole::bench {

namespace {

struct NamedKernel {
    std::string name;
    BloomKernel kernel;
};

std::vector<NamedKernel> kernelsOf(const BloomTask& task, const Image& night) {
    const double pixel = bloomViewOf(night, {}).degreesPerPixel;
    std::vector<NamedKernel> kernels;
    BloomSettings settings;
    settings.kernelSize = task.kernelSize;
    const auto add = [&](const char* name, const char* kernel) {
        settings.kernel = kernel;
        kernels.push_back({name, makeBloomKernel(settings, {task.width, task.height}, pixel)});
    };
    settings.gaussians = {{1.0, task.kernelSize / 8.0 * pixel}};
    add("Gaussian", "gaussians");
    add("glare", "default");
    add("star", "aperture");
    return kernels;
}

/// Planes on the device, one after the other.
gpu::Buffer upload(const gpu::Device& device, const Image& image) {
    gpu::Buffer buffer =
        device.createBuffer(3 * sizeof(float) * image.pixelCount(), gpu::MemoryKind::Device, "bench night");
    for (std::size_t c = 0; c < 3; ++c) {
        device.upload(buffer, c * sizeof(float) * image.pixelCount(),
                      std::as_bytes(std::span(image.channels[c].values)));
    }
    return buffer;
}

Image download(const gpu::Device& device, const gpu::Buffer& buffer, const Image& like) {
    Image image = makeImage(like.width, like.height, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) {
        device.download(buffer, c * sizeof(float) * image.pixelCount(),
                        std::as_writable_bytes(std::span(image.channels[c].values)));
    }
    return image;
}

/// The errors that src/bloom/README.md has.
struct BloomErrors {
    double whole = 0.0;   ///< relative, in the mean square
    double ofGlare = 0.0; ///< the error over what is below a thousandth of the brightest
    double largest = 0.0; ///< as a share of the brightest
};

BloomErrors errorsOf(const Image& found, const Image& exact) {
    double brightest = 0.0;
    for (const Channel& channel : exact.channels) {
        brightest = std::max<double>(brightest, *std::max_element(channel.values.begin(), channel.values.end()));
    }
    struct Sums {
        double differences = 0.0;
        double values = 0.0;
        void add(double difference, double value) {
            differences += difference * difference;
            values += value * value;
        }
    } whole, glare;
    BloomErrors errors;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < exact.pixelCount(); ++i) {
            const double value = exact.channels[c].values[i];
            const double difference = found.channels[c].values[i] - value;
            whole.add(difference, value);
            if (value < brightest / 1000.0) {
                glare.add(difference, value);
            }
            errors.largest = std::max(errors.largest, std::abs(difference) / brightest);
        }
    }
    errors.whole = std::sqrt(whole.differences / whole.values);
    errors.ofGlare = glare.values > 0.0 ? std::sqrt(glare.differences / glare.values) : 0.0;
    return errors;
}

using Fit = std::function<std::unique_ptr<BlurSum>(const gpu::Device&, const glm::uvec2&, const BloomKernel&)>;

const std::vector<Fit>& fits() {
    static const std::vector<Fit> kFits = {fitBoxes, fitPyramid}; // in the order of the names
    return kFits;
}

} // namespace

const std::vector<std::string>& approximationNames() {
    static const std::vector<std::string> kNames = {"boxes", "pyramid"};
    return kNames;
}

BloomApproximations::BloomApproximations(gpu::Device device, std::vector<std::size_t> which, std::uint32_t repeats,
                                         bool pictures)
    : device_(std::move(device))
    , which_(std::move(which))
    , repeats_(repeats)
    , wantsPictures_(pictures) {}

BloomApproximations::Bloomed BloomApproximations::exact(const Image& night, const BloomKernel& kernel) const {
    const BloomFilter filter(device_, night.width, night.height, kernel);
    const gpu::Buffer input = upload(device_, night);
    const gpu::Buffer output = device_.createBuffer(input.size(), gpu::MemoryKind::Device, "bench bloomed");
    const auto planes = [&](const gpu::Buffer& buffer) {
        const std::uint64_t bytes = sizeof(float) * night.pixelCount();
        return DevicePlanes{{buffer.address(), buffer.address() + bytes, buffer.address() + 2 * bytes}, night.width};
    };
    const double time = chainedMicroseconds(device_, repeats_, [&](gpu::CommandEncoder& commands) {
        filter.execute(commands, planes(output), planes(input));
    });
    return {time, download(device_, output, night)};
}

BloomApproximations::Bloomed BloomApproximations::approximate(const Image& night, BlurSum& blurs) const {
    const gpu::Buffer input = upload(device_, night);
    const gpu::Buffer output = device_.createBuffer(input.size(), gpu::MemoryKind::Device, "bench bloomed");
    const double time = chainedMicroseconds(device_, repeats_, [&](gpu::CommandEncoder& commands) {
        blurs.execute(commands, output.address(), input.address());
    });
    return {time, download(device_, output, night)};
}

void BloomApproximations::addRow(const std::string& what, const std::string& by, const Bloomed& found,
                                 const Bloomed& exactly) {
    constexpr double kNoBloom = 0.9; // an error as if nothing were there is 1
    const BloomErrors errors = errorsOf(found.image, exactly.image);
    // Written so that NaN fails.
    if (!(errors.whole < kNoBloom)) {
        fail(ExitCode::Internal, "bench bloom: {}: {} has an error of {:.3g}, expected one below {}", what, by,
             errors.whole, kNoBloom);
    }
    rows_.push_back({{"", what},
                     {"by", by},
                     {"whole us", found.microseconds},
                     {"times", found.microseconds / exactly.microseconds},
                     {"error", errors.whole},
                     {"of the glare", errors.ofGlare},
                     {"largest", errors.largest}});
}

void BloomApproximations::measure(const BloomTask& task) {
    const Image night = nightPicture(task.width, task.height);
    const auto shown = [](const Image& image) { return toneMap(image, ToneMap::Filmic, 0.0, "lights at night"); };
    const bool isFirst = rows_.empty();
    for (const NamedKernel& kernel : kernelsOf(task, night)) {
        const std::string what = fmt::format("{}x{}, {} {}", task.width, task.height, task.kernelSize, kernel.name);
        const Bloomed exactly = exact(night, kernel.kernel);
        addRow(what, "aureole", exactly, exactly);
        for (const std::size_t which : which_) {
            const std::unique_ptr<BlurSum> blurs = fits()[which](device_, {task.width, task.height}, kernel.kernel);
            const Bloomed found = approximate(night, *blurs);
            addRow(what, blurs->name(), found, exactly);
            if (wantsPictures_ && isFirst) {
                pictures_.push_back(compared(fmt::format("Bloom by a {}", kernel.name),
                                             fmt::format("{}, tone mapped by 'filmic' after it.", what),
                                             {"exact", shown(exactly.image)}, {blurs->name(), shown(found.image)}));
            }
        }
    }
}

void BloomApproximations::addTable(BenchReport& report) const {
    report.beginTable("peers that come near it: lights at night");
    for (const BenchRow& row : rows_) {
        report.add(row);
    }
}

} // namespace aureole::bench
