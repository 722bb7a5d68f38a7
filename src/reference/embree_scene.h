#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <embree3/rtcore.h>

#include "scene/scene.h"
#include "scene/surface.h"

namespace aureole {

/// A point of a triangle that a ray hit.
struct TriangleHit {
    std::uint32_t instance = kNone; ///< of Scene::meshInstances; kNone where nothing was hit
    std::uint32_t triangle = 0;
    float u = 0.0F; ///< barycentric weights of the second and third corner
    float v = 0.0F;
    float distance = 0.0F;
    glm::vec3 position{0.0F};
    glm::vec3 geometricNormal{0.0F}; ///< unit length, by the winding of the mesh itself

    bool found() const { return instance != kNone; }
};

/// The scene's triangles in world space, in an Embree hierarchy. Alpha-tested surfaces are holes where they are cut
/// away.
class EmbreeScene {
public:
    /// `scene` outlives this. Throws Error (OutOfMemory, Internal).
    explicit EmbreeScene(const Scene& scene);

    TriangleHit closestHit(const glm::vec3& origin, const glm::vec3& direction) const;
    /// Whether something stands between the origin and `distance`.
    bool occluded(const glm::vec3& origin, const glm::vec3& direction, float distance) const;

    /// A corner of a triangle in world space.
    glm::vec3 corner(std::uint32_t instance, std::uint32_t triangle, int index) const;
    Bounds bounds() const { return bounds_; }
    std::uint64_t triangleCount() const { return triangleCount_; }

private:
    struct DeviceRelease {
        void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
    };
    struct SceneRelease {
        void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
    };
    /// What the alpha test needs to know of a geometry.
    struct Geometry {
        const Scene* scene = nullptr;
        std::uint32_t instance = 0;
        bool mirrored = false; ///< placing it turns its triangles' winding round
        std::vector<glm::vec3> vertices;
    };

    static void cutAlpha(const RTCFilterFunctionNArguments* arguments);
    void addInstance(std::uint32_t instance);

    const Scene* scene_;
    std::unique_ptr<std::remove_pointer_t<RTCDevice>, DeviceRelease> device_;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, SceneRelease> hierarchy_;
    std::vector<std::unique_ptr<Geometry>> geometries_; ///< one for each mesh instance, at stable addresses
    Bounds bounds_;
    std::uint64_t triangleCount_ = 0;
};

} // namespace aureole
