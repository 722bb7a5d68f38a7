#pragma once

// Taking the noise out of a picture, before bloom.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "denoise/denoise.h"
#include "denoise/oidn.h"
#include "gpu/device.h"
#include "image/image.h"
#include "session/denoise/denoise_input.h"
#include "session/denoise/seen_layers.h"
#include "session/denoise/steady_frames.h"
#include "settings/aov.h"
#include "settings/film.h"

namespace aureole {

/// What denoises the pictures of a job. For one thread at a time.
class Denoiser {
public:
    /// Opens what is asked for, on the device where that is a GPU that it can use (denoise/oidn.h), else on the CPU; of
    /// Auto, says what it is. `quality` is that of Open Image Denoise. Throws Error (Usage) where that is asked for and
    /// cannot be had.
    Denoiser(DenoiserKind kind, DenoiseQuality quality, const gpu::Device* device);

    const std::string& name() const { return name_; }
    /// Whether it reads the means of two halves of the samples.
    bool needsHalves() const { return oidn_ == nullptr; }
    /// The time that filters took of all pictures so far, on the device or the CPU, without what is prepared and
    /// transferred.
    double milliseconds() const { return oidn_ ? oidn_->milliseconds() : milliseconds_; }
    /// Gives memory back that is kept on the device for the next picture.
    void release() { onDevice_.reset(); }

    /// A picture as it is denoised.
    struct Picture {
        std::vector<ChannelNames> names;       ///< of the light groups, or R, G and B alone
        std::vector<std::vector<float>> parts; ///< their colours, 3 values a pixel; they add up to `whole`
        DenoiseInput features;                 ///< without colour and halves
        std::vector<float> half;               ///< this and the next as DenoiseInput has them
        std::vector<float> otherHalf;          ///< empty where they are not read
        std::vector<float> whole;              ///< its colour
        std::vector<float> glare;              ///< of it, what is not denoised; may be empty
        std::uint64_t cameraRays = 0;          ///< of each pixel, that tell the features beside its samples
    };

    /// What is to be denoised of an image. Throws Error (BadInput) naming `file` where it has no R, G and B, or lacks
    /// halves that are needed. `seen` tells the layers better, where it is not null.
    Picture pictureOf(const Image& image, const std::string& file, const SeenLayers* seen = nullptr) const;

    /// Denoises R, G and B; of an image with light groups each of these too, which are then scaled at each pixel to add
    /// up to R, G and B. Helped by the layers albedo, N, depth and halves, as far as the image has them. What is not
    /// finite becomes so. Alpha and other layers stay as they are. Notes it in the image's attributes (markDenoised);
    /// with `keepNoisy`, R, G and B from before are the layer noisy.R, G, B. The built-in filter runs on `device` where
    /// that is a GPU, which keeps memory for the next picture and outlives this or release(), else on the CPU. Throws
    /// Error (BadInput) naming `file` where the image has no R, G and B, or lacks halves that are needed; and what the
    /// denoiser throws. Then the image is as it was.
    void apply(Image& image, const std::string& file, bool keepNoisy, const gpu::Device* device);
    /// Denoises with the help of what more camera rays tell as well, unless it is null.
    void apply(Image& image, const std::string& file, bool keepNoisy, const gpu::Device* device,
               const SeenLayers* seen);

    /// The two halves of that: the picture's colour without its noise, and where it has several parts, those of them;
    /// the image with these, of which the parts are scaled to add up, and with the number of frames that helped.
    std::vector<FrameColour> clean(Picture& picture, const gpu::Device* device);
    void put(Image& image, const std::string& file, bool keepNoisy, const Picture& picture,
             std::vector<std::vector<float>> colours, std::size_t otherFrames) const;

private:
    FrameColour denoisedColour(Picture& picture, const std::vector<float>& colour, const gpu::Device* device);
    std::vector<float> denoised(const DenoiseInput& input, const gpu::Device* device);
    std::vector<float> denoisedOn(const gpu::Device& device, const DenoiseInput& input);

    std::unique_ptr<Oidn> oidn_; ///< null: the built-in filter
    std::string name_;
    double milliseconds_ = 0.0;              ///< of the built-in filter
    std::optional<DeviceDenoiser> onDevice_; ///< the built-in filter on a GPU, kept for the next picture
    const gpu::Device* device_ = nullptr;
};

/// Refuses a quality that was asked for where the denoiser has none to choose from. `found` says what it was asked for
/// with. Throws Error (Usage).
void checkDenoiseQuality(DenoiserKind denoiser, const std::string& found);

/// What refuseProcessed (film/marks.h) expects of an image that is denoised.
inline constexpr const char* kDenoisedInput = "a picture as render or merge write it: denoising comes first, and once";

/// Takes away the layers that the film held for denoising alone: those of `held` that are not in `wanted`. The
/// attribute aureole.aovs tells what is left.
void keepLayers(Image& image, const AovSet& held, const AovSet& wanted);

} // namespace aureole
