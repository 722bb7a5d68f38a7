#include "cli/bloom_files.h"

#include <string>

#include "bloom/kernel.h"
#include "bloom/psf/aperture_mask.h"
#include "core/error.h"
#include "image/image_file.h"

namespace aureole::cli {

namespace {

/// Any: what is wrong with an image shows at each.
constexpr std::uint32_t kApertureSamples = 16;

template <typename Use>
std::vector<SceneConflict> conflictsOf(const char* pointer, const std::string& file, Use use) {
    try {
        use(readImage(file));
        return {};
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        return {{pointer, "", error.what()}};
    }
}

} // namespace

std::vector<SceneConflict> findBloomFileConflicts(const Scene& scene) {
    const BloomSettings& bloom = scene.bloom;
    if (!bloom.enabled) {
        return {};
    }
    if (!isGeneratedBloomKernel(bloom.kernel)) {
        return conflictsOf("/bloom/kernel", bloom.kernel,
                           [&](const Image& image) { kernelFromImage(image, bloom.kernel); });
    }
    const std::string& aperture = bloom.aperture.image;
    if (bloom.kernel == "aperture" && !aperture.empty()) {
        return conflictsOf("/bloom/aperture/image", aperture,
                           [&](const Image& image) { imageAperture(image, aperture, kApertureSamples); });
    }
    return {};
}

} // namespace aureole::cli
