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

void copyAsNoisy(Image& image, const std::string& file) {
    for (const std::string& name : kPictureChannels) {
        if (image.find("noisy." + name) != nullptr) {
            fail(ExitCode::BadInput, "{}: found the channel noisy.{}, expected none with --denoise-keep-noisy", file,
                 name);
        }
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

std::vector<float> Denoiser::denoisedOn(const gpu::Device& device, const DenoiseInput& input) {
    if (!onDevice_ || device_ != &device) {
        release(); // its memory is free before the next one takes as much
        onDevice_.emplace(device);
        device_ = &device;
    }
    const double before = onDevice_->milliseconds();
    std::vector<float> result = onDevice_->denoise(input);
    milliseconds_ += onDevice_->milliseconds() - before;
    return result;
}

std::vector<float> Denoiser::denoised(const DenoiseInput& input, const gpu::Device* device) {
    if (oidn_) {
        return oidn_->denoise(input);
    }
    if (isGpu(device)) {
        try {
            return denoisedOn(*device, input);
        } catch (const Error& error) {
            release();
            if (error.code() != ExitCode::OutOfMemory) {
                throw;
            }
            logWarning("{}; the CPU denoises", error.what()); // the render's memory is still in use there
        }
    }
    double milliseconds = 0.0;
    std::vector<float> result = denoiseBuiltin(input, &milliseconds);
    milliseconds_ += milliseconds;
    return result;
}

/// Denoises one of the colours that add up to `whole`. The network gets it without its share of the glare, which comes
/// back untouched; the filter gets its share of the picture's halves. Light is never negative. The picture's features
/// serve one colour after the other, as they are large.
std::vector<float> Denoiser::denoisedColour(Picture& picture, std::vector<float> colour, const gpu::Device* device) {
    DenoiseInput& input = picture.features;
    const std::vector<float> glare = shareOf(picture.glare, colour, picture.whole);
    if (!oidn_) {
        input.half = shareOf(picture.half, colour, picture.whole);
        input.otherHalf = shareOf(picture.otherHalf, colour, picture.whole);
    }
    input.colour = std::move(colour);
    for (std::size_t i = 0; i < glare.size(); ++i) {
        input.colour[i] -= glare[i];
    }
    std::vector<float> result = denoised(input, device);
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = std::max(result[i], 0.0F) + (glare.empty() ? 0.0F : glare[i]);
    }
    return result;
}

Denoiser::Picture Denoiser::pictureOf(const Image& image, const std::string& file) const {
    Picture picture;
    std::size_t mended = 0;
    picture.whole = finiteColours(image, kPictureChannels, mended);
    if (mended > 0) {
        logWarning("{}: found {} that are infinite or no number; denoising takes the mean of those around", file,
                   countOf(mended, "pixel"));
    }
    picture.features = featuresOf(image, file);
    if (oidn_) {
        picture.features.half.clear();
        picture.features.otherHalf.clear();
        picture.features.depth.clear();
        picture.features = oidn_->withCleanFeatures(std::move(picture.features));
        picture.glare = glareOf(image, picture.whole);
    } else if (picture.features.half.empty()) {
        fail(ExitCode::BadInput,
             "{}: found no two halves of samples to compare, expected halfA and halfB, as of render --aov halves, or a "
             "part with two samples or more; with Open Image Denoise it goes without ({})",
             file, kInstall);
    } else {
        picture.half = std::move(picture.features.half);
        picture.otherHalf = std::move(picture.features.otherHalf);
    }
    return picture;
}

void Denoiser::apply(Image& image, const std::string& file, bool keepNoisy, const gpu::Device* device) {
    const std::vector<ChannelNames> colours = denoisedColours(image, file);
    Picture picture = pictureOf(image, file);
    std::vector<std::vector<float>> results;
    std::vector<float> sum(picture.whole.size());
    for (const ChannelNames& names : colours) {
        std::size_t mended = 0; // those of the picture are told of
        results.push_back(denoisedColour(picture, finiteColours(image, names, mended), device));
        std::transform(sum.begin(), sum.end(), results.back().begin(), sum.begin(), std::plus<>());
    }
    if (keepNoisy) {
        copyAsNoisy(image, file);
    }
    for (std::size_t i = 0; i < colours.size(); ++i) {
        putColours(image, colours[i], results[i]);
    }
    putColours(image, kPictureChannels, sum);
    markDenoised(image, fmt::format("{}{}{}{}", name_, describeFeatures(picture.features),
                                    picture.glare.empty() ? "" : ", emission",
                                    colours.size() > 1
                                        ? fmt::format(", as the sum of {}", countOf(colours.size(), "light group"))
                                        : ""));
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
