#include "session/denoise/denoise.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/log.h"
#include "core/plural.h"
#include "core/threads/parallel.h"
#include "denoise/holes.h"
#include "film/marks.h"
#include "image/attributes.h"

namespace aureole {

namespace {

constexpr const char* kInstall = "tools/denoiser.sh installs it";

bool isGpu(const gpu::Device* device) {
    return device != nullptr && !device->info().isCpu;
}

/// Null where it is not to be had, and another denoiser will do.
std::unique_ptr<Oidn> openOidn(DenoiserKind kind, DenoiseQuality quality, const gpu::Device* device) {
    if (kind == DenoiserKind::Builtin) {
        return nullptr;
    }
    try {
        std::unique_ptr<Oidn> oidn = Oidn::open(isGpu(device) ? device->info().uuid : "", quality);
        if (!oidn && kind == DenoiserKind::Oidn) {
            fail(ExitCode::Usage, "found no Open Image Denoise to denoise with: {}; 'builtin' goes without", kInstall);
        }
        if (!oidn) {
            logInfo("aureole's own filter denoises, as Open Image Denoise is not there: {}", kInstall);
            if (quality != DenoiseQuality::High) {
                logWarning("found a quality of Open Image Denoise, which is not there; aureole's own filter has one");
            }
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
        forEachIndex(values.size(), [&](std::size_t i) { values[i] = colours[3 * i + c]; });
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

/// Gives the picture's input its whole colour or a part of it, without the glare, which it returns, and the share of
/// the halves that is left.
std::vector<float> takeColour(Denoiser::Picture& picture, const std::vector<float>& colour) {
    std::vector<float> glare = shareOf(picture.glare, colour, picture.whole);
    DenoiseInput& input = picture.features;
    input.colour = colour;
    for (std::size_t i = 0; i < glare.size(); ++i) {
        input.colour[i] -= glare[i];
    }
    input.half = shareOf(picture.half, input.colour, picture.whole);
    input.otherHalf = shareOf(picture.otherHalf, input.colour, picture.whole);
    return glare;
}

/// Scales parts of a picture at each pixel so that they add up to it; evenly where all are black.
void addUpTo(const std::vector<float>& whole, std::vector<std::vector<float>>& parts) {
    forEachIndex(whole.size(), [&](std::size_t i) {
        double sum = 0.0;
        for (const std::vector<float>& part : parts) {
            sum += static_cast<double>(part[i]);
        }
        for (std::vector<float>& part : parts) {
            const double share =
                sum > 0.0 ? static_cast<double>(part[i]) / sum : 1.0 / static_cast<double>(parts.size());
            part[i] = static_cast<float>(share * static_cast<double>(whole[i]));
        }
    });
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

Denoiser::Denoiser(DenoiserKind kind, DenoiseQuality quality, const gpu::Device* device)
    : oidn_(openOidn(kind, quality, device))
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

/// Denoises the picture's colour or a part of it, without its share of the glare, which comes back untouched. Light is
/// never negative, and a number, whatever a library returns. The picture's features serve one colour after the other,
/// as they are large.
FrameColour Denoiser::denoisedColour(Picture& picture, const std::vector<float>& colour, const gpu::Device* device) {
    FrameColour result;
    result.direct = takeColour(picture, colour);
    result.light = denoised(picture.features, device);
    for (float& light : result.light) {
        light = std::isfinite(light) ? std::max(light, 0.0F) : 0.0F;
    }
    return result;
}

Denoiser::Picture Denoiser::pictureOf(const Image& image, const std::string& file, const SeenLayers* seen) const {
    Picture picture;
    picture.names = denoisedColours(image, file);
    picture.whole = interleaved(image, kPictureChannels);
    picture.features = featuresOf(image, file);
    if (seen != nullptr) {
        takeSeen(seen->image, picture.features);
        picture.cameraRays = seen->samples;
    }
    if (oidn_) {
        picture.features.half.clear();
        picture.features.otherHalf.clear();
        picture.features.depth.clear();
    } else if (picture.features.half.empty()) {
        fail(ExitCode::BadInput,
             "{}: found no two halves of samples to compare, expected halfA and halfB, as of render --aov halves, or a "
             "part with two samples or more; with Open Image Denoise it goes without ({})",
             file, kInstall);
    }
    picture.half = std::move(picture.features.half);
    picture.otherHalf = std::move(picture.features.otherHalf);
    std::vector<std::span<float>> colours = {picture.whole};
    if (!picture.half.empty()) {
        colours.insert(colours.end(), {picture.half, picture.otherHalf});
    }
    if (const std::size_t mended = fillHoles(image.width, colours); mended > 0) {
        logWarning("{}: found {} that are infinite or no number; denoising takes the mean of those around", file,
                   countOf(mended, "pixel"));
    }
    for (const ChannelNames& names : picture.names) {
        picture.parts.push_back(interleaved(image, names));
        fillHoles(image.width, {picture.parts.back()});
    }
    if (seen != nullptr) {
        std::vector<std::vector<float>*> parts = {&picture.half, &picture.otherHalf};
        parts.resize(picture.half.empty() ? 0 : 2);
        for (std::vector<float>& part : picture.parts) {
            parts.push_back(&part);
        }
        seeAs(image, seen->image, picture.whole, parts);
    }
    if (oidn_) {
        picture.features = oidn_->withCleanFeatures(std::move(picture.features));
    }
    const Image& layers = seen != nullptr ? seen->image : image;
    picture.glare = oidn_             ? glareOf(layers, picture.whole, DenoiserKind::Oidn)
                    : seen != nullptr ? emissionOf(layers, picture.whole)
                                      : glareOf(layers, picture.whole, DenoiserKind::Builtin);
    return picture;
}

void Denoiser::apply(Image& image, const std::string& file, bool keepNoisy, const gpu::Device* device) {
    const std::optional<SeenLayers> seen = seenLayersIn(image, file);
    apply(image, file, keepNoisy, device, seen ? &*seen : nullptr);
}

void Denoiser::apply(Image& image, const std::string& file, bool keepNoisy, const gpu::Device* device,
                     const SeenLayers* seen) {
    Picture picture = pictureOf(image, file, seen);
    std::vector<std::vector<float>> colours;
    for (FrameColour& colour : clean(picture, device)) {
        for (std::size_t i = 0; i < colour.direct.size(); ++i) {
            colour.light[i] += colour.direct[i];
        }
        colours.push_back(std::move(colour.light));
    }
    put(image, file, keepNoisy, picture, std::move(colours), 0);
}

std::vector<FrameColour> Denoiser::clean(Picture& picture, const gpu::Device* device) {
    // The groups have but their shares of the picture's halves, whose noise is not theirs: their sum would have more
    // error than the picture by itself.
    std::vector<FrameColour> colours;
    colours.push_back(denoisedColour(picture, picture.whole, device));
    for (std::size_t i = 0; picture.parts.size() > 1 && i < picture.parts.size(); ++i) {
        colours.push_back(denoisedColour(picture, picture.parts[i], device));
    }
    return colours;
}

void Denoiser::put(Image& image, const std::string& file, bool keepNoisy, const Picture& picture,
                   std::vector<std::vector<float>> colours, std::size_t otherFrames) const {
    const std::vector<float> whole = std::move(colours.front());
    std::vector<std::vector<float>>& groups = colours;
    groups.erase(groups.begin());
    addUpTo(whole, groups);
    if (keepNoisy) {
        copyAsNoisy(image, file);
    }
    for (std::size_t i = 0; i < picture.names.size(); ++i) {
        putColours(image, picture.names[i], groups.empty() ? whole : groups[i]);
    }
    putColours(image, kPictureChannels, whole);
    markDenoised(
        image,
        fmt::format(
            "{}{}{}{}{}{}", name_, describeFeatures(picture.features), picture.glare.empty() ? "" : ", emission",
            picture.cameraRays == 0 ? "" : fmt::format(", of {} more", countOf(picture.cameraRays, "camera ray")),
            otherFrames == 0 ? "" : fmt::format(", beside {}", countOf(otherFrames, "other frame")),
            groups.empty() ? "" : fmt::format(", with {}", countOf(groups.size(), "light group"))));
}

void checkDenoiseQuality(DenoiserKind denoiser, const std::string& found) {
    if (denoiser == DenoiserKind::None || denoiser == DenoiserKind::Builtin) {
        fail(ExitCode::Usage,
             "--denoise-quality: found it {}, expected it with Open Image Denoise, which alone has several", found);
    }
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
    image.attributes.erase(kAovsAttribute);
    if (!wanted.empty()) {
        image.attributes[kAovsAttribute] = wanted.text();
    }
}

} // namespace aureole
