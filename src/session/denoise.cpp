#include "session/denoise.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "core/plural.h"
#include "film/picture.h"
#include "session/denoise_input.h"

namespace aureole {

namespace {

constexpr const char* kInstall = "tools/denoiser.sh installs it";

bool isGpu(const gpu::Device* device) {
    return device != nullptr && !device->info().isCpu;
}

/// Null where it is not to be had, and another denoiser will do.
std::unique_ptr<Oidn> openOidn(DenoiserKind kind, const gpu::Device* device) {
    if (kind == DenoiserKind::Builtin) {
        return nullptr;
    }
    try {
        std::unique_ptr<Oidn> oidn = Oidn::open(isGpu(device) ? device->info().uuid : "");
        if (!oidn && kind == DenoiserKind::Oidn) {
            fail(ExitCode::Usage, "found no Open Image Denoise to denoise with: {}; 'builtin' goes without", kInstall);
        }
        if (!oidn) {
            logInfo("aureole's own filter denoises, as Open Image Denoise is not there: {}", kInstall);
        }
        return oidn;
    } catch (const Error& error) {
        if (kind == DenoiserKind::Oidn) {
            throw;
        }
        logWarning("{}; aureole's own filter denoises", error.what());
        return nullptr;
    }
}

void putColours(Image& image, const ChannelNames& names, const std::vector<float>& colours) {
    for (std::size_t c = 0; c < 3; ++c) {
        std::vector<float>& values = image.find(names.at(c))->values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = colours[3 * i + c];
        }
    }
}

void copyAsNoisy(Image& image) {
    for (const std::string& name : kPictureChannels) {
        std::vector<float> values = image.find(name)->values;
        image.add("noisy." + name).values = std::move(values);
    }
}

/// What helped, for the note of an image.
std::string describeFeatures(const DenoiseInput& input) {
    std::string text;
    for (const auto& [plane, name] : {std::pair(&input.half, "halves"), std::pair(&input.albedo, "albedo"),
                                      std::pair(&input.normal, "normal"), std::pair(&input.depth, "depth")}) {
        if (!plane->empty()) {
            text += fmt::format("{}{}", text.empty() ? ", by " : ", ", name);
        }
    }
    return text;
}

} // namespace

Denoiser::Denoiser(DenoiserKind kind, const gpu::Device* device)
    : oidn_(openOidn(kind, device))
    , name_(oidn_ ? oidn_->name() : "aureole's own filter") {}

std::vector<float> Denoiser::denoised(const DenoiseInput& input, const gpu::Device* device) const {
    if (oidn_) {
        return oidn_->denoise(input);
    }
    if (isGpu(device)) {
        try {
            return denoiseBuiltin(*device, input);
        } catch (const Error& error) {
            if (error.code() != ExitCode::OutOfMemory) {
                throw;
            }
            logWarning("{}; the CPU denoises", error.what()); // the render's memory is still in use there
        }
    }
    return denoiseBuiltin(input);
}

void Denoiser::apply(Image& image, const std::string& file, bool keepNoisy, const gpu::Device* device) const {
    const std::vector<ChannelNames> colours = denoisedColours(image, file);
    DenoiseInput input = featuresOf(image);
    if (oidn_) {
        input.half.clear();
        input.otherHalf.clear();
        input.depth.clear();
        input = oidn_->withCleanFeatures(std::move(input));
    } else if (input.half.empty()) {
        fail(ExitCode::BadInput,
             "{}: found no two halves of samples to compare, expected halfA and halfB, as of render --aov halves, or a "
             "part with two samples or more; with Open Image Denoise it goes without ({})",
             file, kInstall);
    }
    const std::string how = fmt::format(
        "{}{}{}", name_, describeFeatures(input),
        colours.size() > 1 ? fmt::format(", as the sum of {}", countOf(colours.size(), "light group")) : "");
    if (keepNoisy) {
        copyAsNoisy(image);
    }
    std::size_t mended = 0;
    const std::vector<float> whole = finiteColours(image, kPictureChannels, mended);
    if (mended > 0) {
        logWarning("{}: found {} that are infinite or no number; denoising takes the mean of those around", file,
                   countOf(mended, "pixel"));
    }
    const DenoiseInput picture = input;
    std::vector<float> sum(whole.size());
    for (const ChannelNames& names : colours) {
        input.colour = finiteColours(image, names, mended);
        if (!oidn_ && colours.size() > 1) {
            takeShareOfHalves(input, picture, whole);
        }
        const std::vector<float> result = denoised(input, device);
        putColours(image, names, result);
        std::transform(sum.begin(), sum.end(), result.begin(), sum.begin(), std::plus<>());
    }
    putColours(image, kPictureChannels, sum);
    markDenoised(image, how);
}

void keepLayers(Image& image, const AovSet& held, const AovSet& wanted) {
    for (std::size_t number = 0; number < kAovs.size(); ++number) {
        const auto aov = static_cast<Aov>(number);
        if (!held.has(aov) || wanted.has(aov)) {
            continue;
        }
        std::erase_if(image.channels, [&](const Channel& channel) {
            const std::string_view layer = std::string_view(channel.name).substr(0, channel.name.rfind('.'));
            return layer == kAovs.at(number).layer || (aov == Aov::Halves && (layer == "halfA" || layer == "halfB"));
        });
    }
    image.attributes.erase("aureole.aovs");
    if (!wanted.empty()) {
        image.attributes["aureole.aovs"] = wanted.text();
    }
}

} // namespace aureole
