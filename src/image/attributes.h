#pragma once

// What aureole notes in images beside their pixels, where more than one place needs the name: how a picture was made,
// and what was done to it since. Those of settings are named by the settings' rows (settings/field.h).

#include <optional>
#include <string>

#include "image/image.h"
#include "settings/parse_text.h"

namespace aureole {

inline constexpr const char* kVersionAttribute = "aureole.version"; ///< of aureole
inline constexpr const char* kCommandAttribute = "aureole.command"; ///< the command line
inline constexpr const char* kSceneHashAttribute = "aureole.scene_hash";
inline constexpr const char* kSeedAttribute = "aureole.seed";
inline constexpr const char* kCameraAttribute = "aureole.camera";
inline constexpr const char* kSeenAttribute = "aureole.seen_rays";              ///< of a pixel, of the layers seen.*
inline constexpr const char* kWorldToPixelAttribute = "aureole.world_to_pixel"; ///< the camera, as numbers
inline constexpr const char* kFrameAttribute = "aureole.frame";
inline constexpr const char* kSizeAttribute = "aureole.size"; ///< of the whole picture, "1280x720"
inline constexpr const char* kCropAttribute = "aureole.crop"; ///< the part of it that the image is, "x0,y0,x1,y1"
inline constexpr const char* kBackendAttribute = "aureole.backend";
inline constexpr const char* kDeviceAttribute = "aureole.device";
inline constexpr const char* kDriverAttribute = "aureole.driver";
inline constexpr const char* kExposureAttribute = "aureole.exposure";
inline constexpr const char* kAovsAttribute = "aureole.aovs";       ///< the layers
inline constexpr const char* kSamplesAttribute = "aureole.samples"; ///< the ranges of samples of each pixel
inline constexpr const char* kCountsAttribute =
    "aureole.sample_counts";                                        ///< where pixels have different numbers of them
inline constexpr const char* kDenoiseAttribute = "aureole.denoise"; ///< what denoised it, and how
inline constexpr const char* kBloomAttribute = "aureole.bloom";     ///< how it was bloomed
inline constexpr const char* kFinishAttribute = "aureole.finish";   ///< how it was finished

/// The value of an image's attribute, or "" where it has none.
const std::string& attributeOf(const Image& image, const std::string& name);

/// The part of a picture that an image is.
struct PictureWindow {
    Crop crop;
    glm::uvec2 whole{0}; ///< the picture's size
};

/// Notes the window as aureole.crop and aureole.size.
void noteWindow(const PictureWindow& window, Image& image);

/// The window that an image notes; none where it notes none, or one of another size than it has, as it may have been
/// scaled since. Throws Error (Usage) naming the attribute where one is malformed.
std::optional<PictureWindow> windowOf(const Image& image);

/// "x0,y0,x1,y1", as parseCrop reads it.
std::string cropText(const Crop& crop);

} // namespace aureole
