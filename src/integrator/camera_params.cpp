#include <cmath>
#include <span>

#include "integrator/camera_params.h"
#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {

namespace {

/// The filter at x in [-1, 1] radii. Blackman-Harris: Harris, "On the Use of Windows for Harmonic Analysis" (1978), the
/// four-term window with the least side lobes.
///
/// There is no filter with negative lobes (Mitchell, Lanczos): samples are distributed as the filter and weigh 1, and
/// weights of both signs would make a pixel's variance that of the lobes' whole area.
double filterWeight(PixelFilter filter, double x) {
    if (filter == PixelFilter::Box) {
        return 1.0;
    }
    if (filter == PixelFilter::Triangle) {
        return 1.0 - std::abs(x);
    }
    if (filter == PixelFilter::Gaussian) {
        // Its radius is three standard deviations; lowered to end at 0.
        return std::exp(-4.5 * x * x) - std::exp(-4.5);
    }
    return 0.35875 + 0.48829 * std::cos(kPi * x) + 0.14128 * std::cos(2.0 * kPi * x) +
           0.01168 * std::cos(3.0 * kPi * x);
}

void fillFilterTable(PixelFilter filter, std::span<float> inverse) {
    constexpr int kSteps = 8192;
    std::vector<double> cumulative(kSteps + 1, 0.0);
    for (int i = 0; i < kSteps; ++i) {
        const double x = (i + 0.5) / kSteps * 2.0 - 1.0;
        cumulative[static_cast<std::size_t>(i) + 1] = cumulative[static_cast<std::size_t>(i)] + filterWeight(filter, x);
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < inverse.size(); ++i) {
        const double wanted = cumulative.back() * static_cast<double>(i) / static_cast<double>(inverse.size() - 1);
        while (at + 1 < kSteps && cumulative[at + 1] < wanted) {
            ++at;
        }
        const double within = (wanted - cumulative[at]) / (cumulative[at + 1] - cumulative[at]);
        inverse[i] = static_cast<float>((static_cast<double>(at) + within) / kSteps * 2.0 - 1.0);
    }
    // The tails are long and thin: a straight line to +-1 would make them too heavy, so the outer intervals end where
    // their means are right.
    double weight = 0.0;
    double moment = 0.0;
    const double last = inverse[inverse.size() - 2];
    for (int i = 0; i < kSteps; ++i) {
        const double x = last + (i + 0.5) / kSteps * (1.0 - last);
        weight += filterWeight(filter, x);
        moment += filterWeight(filter, x) * x;
    }
    inverse.back() = static_cast<float>(2.0 * moment / weight - last);
    inverse.front() = -inverse.back();
}

double aspectOf(const View& view) {
    return static_cast<double>(view.size.x) / view.size.y;
}

} // namespace

CameraAxes cameraAxes(const Scene& scene, const View& view) {
    const Camera& camera = cameraOf(scene, view);
    CameraAxes axes{};
    axes.forward = glm::normalize(camera.target - camera.position);
    axes.right = glm::normalize(glm::cross(axes.forward, camera.up));
    axes.up = glm::cross(axes.right, axes.forward);
    axes.halfHeight = camera.projection == Projection::Orthographic ? 0.5 * camera.height
                                                                    : std::tan(glm::radians(camera.verticalFov) / 2.0);
    axes.halfWidth = axes.halfHeight * aspectOf(view);
    if (camera.projection == Projection::Equirectangular) {
        axes.halfHeight = 1.0;
        axes.halfWidth = 1.0;
    }
    axes.focus = camera.focusDistance > 0.0 ? camera.focusDistance : glm::length(camera.target - camera.position);
    return axes;
}

shared::CameraParams makeCameraParams(const Scene& scene, const View& view, const Space& space) {
    const Camera& camera = cameraOf(scene, view);
    const CameraAxes axes = cameraAxes(scene, view);
    const double across = camera.projection == Projection::Orthographic ? space.scale : 1.0;
    const double halfHeight = axes.halfHeight * across;
    const double halfWidth = camera.projection == Projection::Equirectangular ? 1.0 : halfHeight * aspectOf(view);

    shared::CameraParams params{};
    params.position = space.point(camera.position);
    params.right = axes.right * halfWidth;
    params.up = axes.up * halfHeight;
    params.forward = axes.forward;
    params.apertureRadius = static_cast<float>(camera.apertureRadius * space.scale);
    params.focusDistance = static_cast<float>(axes.focus * space.scale);
    params.projection = camera.projection == Projection::Perspective    ? CAMERA_PERSPECTIVE
                        : camera.projection == Projection::Orthographic ? CAMERA_ORTHOGRAPHIC
                                                                        : CAMERA_EQUIRECTANGULAR;
    params.blades = camera.blades;
    params.bladeRotation = static_cast<float>(glm::radians(camera.bladeRotation));
    params.size = view.size;
    params.cropOrigin = view.cropOrigin;
    params.cropSize = view.cropSize;
    params.filterRadius = static_cast<float>(scene.film.filterRadius);
    fillFilterTable(scene.film.filter, params.filterInverse);
    return params;
}

} // namespace aureole
