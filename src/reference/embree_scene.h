#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <embree3/rtcore.h>

#include "reference/embree_memory.h"
#include "scene/scene.h"
#include "scene/surface.h"
#include "scene/view.h"

namespace aureole {

/// One of the scene's triangles.
struct SceneTriangle {
    std::uint32_t instance = kNone; ///< of Scene::meshInstances; kNone: no triangle
    std::uint32_t triangle = 0;
    float time = 0.0F; ///< at which it is seen, as a share of the time that the shutter is open
};

/// A point of a triangle that a ray hit.
struct TriangleHit {
    SceneTriangle id; ///< none where nothing was hit
    float u = 0.0F;   ///< barycentric weights of the second and third corner
    float v = 0.0F;
    float distance = 0.0F; ///< from RayStart::point
    glm::dvec3 position{0.0};
    glm::vec3 geometricNormal{0.0F}; ///< unit length, by the winding of the mesh itself
    /// The instance that the ray left, where this surface touches it: from there it has come no distance.
    std::uint32_t touching = kNone;

    bool found() const { return id.instance != kNone; }
};

/// Where a ray starts: at a camera, within a medium, or on a surface, which it then cannot meet again.
struct RayStart {
    glm::dvec3 point{0.0};  ///< distances count from here
    glm::vec3 origin{0.0F}; ///< what is traced: the point, off its surface by no more than the rounding of coordinates
    TriangleHit surface;    ///< what it leaves; not found at a camera and within a medium
    glm::vec3 side{0.0F};
    float rounding = 0.0F; ///< what planes that touch may be apart by
    /// Whether another surface in the same place may lie before the ray: where it went through its own, or has come
    /// back from a surface that touches another.
    bool mayTouch = false;
    bool crossed = false; ///< it went through its surface
    float time = 0.0F;    ///< of the path (SceneTriangle)
};

/// A ray that leaves a surface on the side of the unit vector `side`, through it or not.
RayStart leaveSurface(const TriangleHit& hit, const glm::vec3& side, bool crossed);

/// The scene's triangles in an Embree hierarchy. Alpha-tested surfaces are holes where they are cut away. Coordinates
/// are those of the world, moved so that a scene far from the world's origin is near its own (space()). Corners of what
/// moves while the shutter is open go straight between 65 times, so that those of what turns by less than a right angle
/// are off by less than 1e-4 of how far they are from the axis.
class EmbreeScene {
public:
    /// `scene` outlives this. Mesh instances from `firstOfModels` on are cells of voxel models: there a run of cells of
    /// thin glass is one pane, as on the device, so that a ray which went into it does not meet it again where it goes
    /// out. `times` are those of the picture (shutterTimes). Throws Error (OutOfMemory, Internal; BadInput where it
    /// takes more memory than a scene may).
    explicit EmbreeScene(const Scene& scene, std::size_t firstOfModels = std::numeric_limits<std::size_t>::max(),
                         std::optional<ShutterTimes> times = {});

    /// A ray inside of a solid leaves it before it meets what touches it there.
    TriangleHit closestHit(const RayStart& start, const glm::vec3& direction, bool inside) const;
    /// Whether something stands between the start and the target, other than what the target lies on.
    bool occluded(const RayStart& start, const glm::dvec3& target) const;
    /// The first surface between the start and the target, which lies in `direction`. Without a target, the first one
    /// that the ray meets.
    TriangleHit firstObstacle(const RayStart& start, const glm::vec3& direction,
                              const std::optional<glm::dvec3>& target) const;
    /// Whether anything is met in a direction.
    bool occludedToInfinity(const RayStart& start, const glm::vec3& direction) const;

    /// Sets position and normal of a hit from its triangle and weights.
    void placeHit(TriangleHit& hit) const;
    double area(const SceneTriangle& id) const;
    /// A mesh instance where it is at a time (SceneTriangle).
    MeshInstance instanceAt(std::uint32_t instance, float time) const;
    const Space& space() const { return space_; }
    /// The bounds of all triangles in world space.
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
        bool mirrored = false;           ///< placing it turns its triangles' winding round
        bool pane = false;               ///< cells of thin glass
        std::uint32_t steps = 0;         ///< between which it moves; 0: it does not while the shutter is open
        std::vector<glm::vec3> vertices; ///< of the first time, and one more element; of the next time; and so on
    };

    struct Query;

    static void cutAlpha(const RTCFilterFunctionNArguments* arguments);
    static void skipEnds(const RTCFilterFunctionNArguments* arguments);
    bool touches(const SceneTriangle& id, const glm::dvec3& point) const;
    glm::vec3 normalOf(const SceneTriangle& id) const;
    TriangleHit firstHit(Query& query, const glm::vec3& direction, float near, float far) const;
    bool isLeft(const RayStart& start, const SceneTriangle& id, const glm::dvec3& point) const;
    glm::dvec3 corner(const SceneTriangle& id, int index) const;
    bool leavesPane(const RayStart& start, const SceneTriangle& id, const glm::dvec3& direction) const;
    void addInstance(std::uint32_t instance, bool ofModel);
    /// The corners of an instance at all of its times.
    void placeCorners(Geometry& geometry) const;

    const Scene* scene_;
    std::optional<ShutterTimes> times_;
    std::unique_ptr<EmbreeMemory> memory_;
    std::unique_ptr<std::remove_pointer_t<RTCDevice>, DeviceRelease> device_;
    std::unique_ptr<std::remove_pointer_t<RTCScene>, SceneRelease> hierarchy_;
    std::vector<std::unique_ptr<Geometry>> geometries_; ///< one for each mesh instance, at stable addresses
    Bounds bounds_;
    Space space_;
    std::uint64_t triangleCount_ = 0;
};

} // namespace aureole
