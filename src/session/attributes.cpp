#include "session/attributes.h"

#include <fmt/format.h>

#include "bloom/kernel.h"
#include "core/printable.h"
#include "film/layout.h"
#include "image/attributes.h"
#include "integrator/material_traits.h"
#include "scene/exposure.h"
#include "scene/instance_numbers.h"
#include "session/bloom.h"
#include "session/denoise/reprojection.h"
#include "settings/fields.h"

namespace aureole {

namespace {

/// Notes how the samples were made, and what changes their mean.
void addSettings(Image& image, const Scene& scene) {
    auto& attributes = image.attributes;
    noteSettings(scene, false, attributes);
    if (const AovSet held = heldLayers(scene); !held.empty()) {
        attributes[kAovsAttribute] = held.text();
    }
    if (scene.film.aovs.has(Aov::Variance)) {
        attributes["aureole.variance"] =
            scene.integrator.sampler == SamplerKind::Sobol
                ? "of the mean of the pixel, from the difference of two independently scrambled halves of its samples"
                : "of the mean of the pixel, from the scatter of its independent samples";
    }
    if (scene.film.aovs.has(Aov::Id)) {
        std::string ids;
        for (std::size_t i = 0; i < scene.materials.size(); ++i) {
            ids += fmt::format("{}{} {}", i == 0 ? "" : "\n", i + 1, onOneLine(scene.materials[i].name));
        }
        const MediaTraits media = mediaTraits(scene.materials.size(), scene);
        if (scene.environment.fog) {
            ids += fmt::format("\n{} fog", media.fog + 1);
        }
        for (std::size_t i = 0; i < scene.volumes.size(); ++i) {
            ids += fmt::format("\n{} {}", media.firstVolume + i + 1, onOneLine(scene.volumes[i].name));
        }
        attributes["aureole.ids"] = ids;
    }
    if (scene.film.aovs.has(Aov::Instance)) {
        attributes["aureole.instances"] = numberedNames(instanceNumbers(scene).instances);
    }
    if (scene.film.aovs.has(Aov::Asset)) {
        attributes["aureole.assets"] = numberedNames(instanceNumbers(scene).assets);
    }
}

} // namespace

void noteSettings(const Scene& scene, bool checkpoint, std::map<std::string, std::string>& attributes) {
    forEachTable(scene, [&](const std::string& /*path*/, const auto& fields, const auto& settings) {
        for (const auto& field : fields) {
            const std::optional<SettingValue> value = field.in(settings);
            const bool isZero = value == std::optional<SettingValue>(0.0);
            if (field.noted == Noted::Picture || (field.noted == Noted::PictureUnlessZero && !isZero) ||
                (field.noted == Noted::CheckpointOnly && checkpoint)) {
                attributes[std::string(field.attribute)] = settingText(field, *value);
            }
        }
    });
}

std::optional<double> pixelAngle(const Scene& scene, const View& view) {
    const Camera& camera = cameraOf(scene, view);
    return camera.projection == Projection::Perspective
               ? std::optional(degreesPerPixel(camera.verticalFov, view.size.y))
               : std::nullopt;
}

void addAttributes(Image& image, const Scene& scene, const View& view, const RenderOptions& options,
                   const RenderReport& report) {
    const Camera& camera = cameraOf(scene, view);
    auto& attributes = image.attributes;
    attributes[kVersionAttribute] = AUREOLE_VERSION;
    attributes[kSceneHashAttribute] = scene.hash;
    attributes[kSeedAttribute] = fmt::to_string(seedOf(scene, view));
    attributes[kCameraAttribute] = camera.name.empty() ? fmt::to_string(view.camera) : camera.name;
    noteWindow({{view.cropOrigin, view.cropOrigin + view.cropSize}, view.size}, image);
    attributes[kBackendAttribute] = report.backend;
    attributes[kDeviceAttribute] = report.device;
    attributes[kDriverAttribute] = report.driver;
    attributes[kCommandAttribute] = options.commandLine;
    const std::optional<double> stops = exposureStops(scene.film, camera);
    attributes[kExposureAttribute] = stops ? fmt::format("{:.6g}", *stops) : "auto"; // until it has been metered
    if (view.moved) {
        attributes[kFrameAttribute] = fmt::to_string(view.frame);
    }
    if (const std::optional<glm::dmat4> matrix = worldToPixel(camera, view)) {
        attributes[kWorldToPixelAttribute] = worldToPixelText(*matrix);
    }
    if (const std::optional<double> angle = pixelAngle(scene, view)) {
        attributes[kDegreesPerPixelAttribute] = fmt::format("{:.9g}", *angle);
    }
    addSettings(image, scene);
}

} // namespace aureole
