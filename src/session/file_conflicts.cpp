#include "session/file_conflicts.h"

#include <string>

#include "bloom/kernel.h"
#include "bloom/psf/aperture_mask.h"
#include "image/finish/relief_map.h"
#include "image/image_file.h"

namespace aureole {

namespace {

/// The samples of an aperture that is only tried. Any number does, as what is wrong with an image shows at each.
constexpr std::uint32_t kApertureSamples = 16;

/// The place in the scene file that names an image for the bloom; null where none does.
const char* placeOfImage(const BloomSettings& bloom) {
    if (bloom.enabled && !isGeneratedBloomKernel(bloom.kernel)) {
        return "/bloom/kernel";
    }
    const bool aperture = bloom.enabled && bloom.kernel == "aperture" && !bloom.aperture.image.empty();
    return aperture ? "/bloom/aperture/image" : nullptr;
}

/// Throws Error where the image cannot be used as kernel or aperture.
void tryImage(const BloomSettings& bloom) {
    if (!isGeneratedBloomKernel(bloom.kernel)) {
        kernelFromImage(readImage(bloom.kernel, bloom.links), bloom.kernel);
    } else {
        imageAperture(readImage(bloom.aperture.image, bloom.links), bloom.aperture.image, kApertureSamples);
    }
}

} // namespace

std::vector<SceneConflict> findBloomFileConflicts(const Scene& scene) {
    if (placeOfImage(scene.bloom) == nullptr) {
        return {};
    }
    try {
        tryImage(scene.bloom);
        return {};
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        return bloomFileConflicts(scene, error);
    }
}

std::vector<SceneConflict> bloomFileConflicts(const Scene& scene, const Error& failure) {
    const char* const place = placeOfImage(scene.bloom);
    if (place == nullptr || failure.code() != ExitCode::BadInput) {
        return {};
    }
    return {{place, "", failure.what()}};
}

std::vector<SceneConflict> findReliefConflicts(const Scene& scene) {
    if (!scene.finish.relief) {
        return {};
    }
    try {
        const ReliefMap unused(*scene.finish.relief);
        return {};
    } catch (const Error& error) {
        return reliefConflicts(error);
    }
}

std::vector<SceneConflict> reliefConflicts(const Error& failure) {
    if (failure.code() != ExitCode::BadInput) {
        return {};
    }
    return {{"/finish/relief/image", "", failure.what()}};
}

} // namespace aureole
