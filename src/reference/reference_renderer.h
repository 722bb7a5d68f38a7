#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "film/layout.h"
#include "film/state.h"
#include "film/tiles.h"
#include "integrator/light_tables.h"
#include "reference/embree_scene.h"
#include "reference/surface_lights.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/path_travel.h"

namespace aureole {

/// Path traces the triangles themselves on all CPU cores: the ground truth for the voxels. Materials, lights, camera
/// and integrator are those of the device, from the headers that both share.
class ReferenceRenderer {
public:
    /// `scene` outlives this. Cells of voxel models are rendered as cubes. Throws Error (OutOfMemory).
    ReferenceRenderer(const Scene& scene, const View& view);
    // Its parts point to each other.
    ReferenceRenderer(const ReferenceRenderer&) = delete;
    ReferenceRenderer& operator=(const ReferenceRenderer&) = delete;
    ReferenceRenderer(ReferenceRenderer&&) = delete;
    ReferenceRenderer& operator=(ReferenceRenderer&&) = delete;
    ~ReferenceRenderer() = default;

    /// Goes on with another picture of the same scene, on an empty film.
    void setView(const View& view);

    /// Adds the samples [first, end) of every pixel. `onProgress` gets the share done; where it returns false, what is
    /// left of the range is left out: the film then holds the samples up to the returned end.
    std::uint32_t render(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);

    /// The film, with the layers that the scene asks for.
    FilmSums film() const;

    /// The film of other samples, [first, end), or fewer, of paths that end where the look of what they see is known:
    /// of its layers albedo, normal, position, depth and emission hold, nothing else does. The renderer's own film
    /// stays.
    FilmSums layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);

    /// The film under way, and back: it then goes on to the bytes of an unbroken run. Throws Error (BadInput), naming
    /// `file`, where the state is of another size.
    FilmState state() const;
    void restore(const FilmState& state, const std::string& file);

    /// Adaptive sampling: pixels that are done get no more samples (AdaptiveTiles). Until then all pixels have as many.
    void retire(double noise);
    /// Pixels that get samples.
    std::uint64_t activePixels() const { return tiles_.activePixels(); }

    /// Whether the film holds whole samples: not where render threw while it added some.
    bool isWhole() const { return isWhole_; }

    std::uint64_t rays() const { return rays_; }
    std::uint64_t triangleCount() const { return triangles_.triangleCount(); }

private:
    /// Where a path scatters: on a triangle, or at a point within a medium.
    struct PathVertex {
        TriangleHit hit;      ///< not found within a medium
        glm::vec3 side{0.0F}; ///< normal of the triangle on the side that the path came from
        shared::SurfaceHit surface{};
        glm::dvec3 point{0.0};
        float time = 0.0F; ///< of the path (SceneTriangle)

        /// The start of a ray in a direction; none where that is not on the side that it is to be on.
        std::optional<RayStart> leave(const glm::vec3& direction, bool transmitted) const;
    };

    /// `layers`: what the layout asks for, of this sample; nullptr without layers.
    void beginLayers(shared::PathState& path, float* layers) const;
    /// What a ray along `direction` scatters at where it hits a triangle from `side`, and what it finds there.
    shared::SurfaceHit surfaceAt(const TriangleHit& hit, const glm::vec3& direction, const glm::vec3& side,
                                 shared::Arrival& arrival) const;
    /// Whether a point of the renderer's space has the whole scene on one side, and so is in no solid.
    bool isOutside(const glm::dvec3& point) const;
    /// `layers`: as for beginLayers.
    glm::vec3 trace(glm::uvec2 pixel, std::uint32_t index, float* layers, std::uint64_t& rays) const;
    /// The probability with which a light that is chosen is a surface.
    float surfacesChosen() const;
    /// Takes a path along its ray to what scatters it next. Returns whether it goes on from there.
    bool arrive(shared::PathState& path, const RayStart& start, const glm::vec3& direction, bool inside,
                PathVertex& at) const;
    /// Adds what one light, chosen at random, brings to a vertex.
    void connectToLight(shared::PathState& path, const PathVertex& at, std::uint64_t& rays) const;
    void connect(shared::PathState& path, const PathVertex& at, const shared::LightSample& sample,
                 const glm::dvec3& target, std::uint64_t& rays) const;
    /// Takes off a connection what the medium along its next `distance` does.
    void dim(shared::LightConnection& connection, const shared::Rng& numbers, std::uint32_t medium,
             const RayStart& start, float distance) const;
    std::vector<shared::Volume> placedVolumes() const;
    /// Gives `params_` the poses of the view's camera.
    void setCameraPoses();
    /// Gives `params_` the addresses of the scene's tables, which stay where they are.
    void bindTables();
    /// Adds what is left of a connection where its ray, in `medium`, ends at the target, or never: all but panes are in
    /// its way.
    void connectThroughPanes(shared::PathState& path, RayStart start, std::uint32_t medium,
                             shared::LightConnection connection, const std::optional<glm::dvec3>& target,
                             std::uint64_t& rays) const;
    void renderPixel(glm::uvec2 pixel, std::uint32_t first, std::uint32_t end, std::uint64_t& rays);
    /// The sums of the film that tell its error.
    RawVector<double>& spread() { return layout_.sampler == SamplerKind::Sobol ? film_.half : film_.squared; }
    void renderRow(std::uint32_t row, std::uint32_t first, std::uint32_t end, std::uint64_t& rays);

    std::unique_ptr<const Scene> cubes_; ///< the scene where it has voxel models, with cubes in their place
    const Scene* scene_;
    View view_;
    EmbreeScene triangles_;
    SurfaceLights surfaceLights_;
    std::vector<shared::MaterialTraits> materials_; ///< of the scene's materials, then of fog and volumes
    std::vector<shared::Volume> volumes_;
    std::vector<shared::MotionPose> cameraPoses_; ///< empty where the camera stands while the shutter is open
    std::vector<glm::vec2> bsdfTables_;
    bool movesInstances_; ///< while the shutter is open
    bool hasPanes_;
    LightTables lights_;
    shared::PathParams params_{};
    std::uint64_t paramsAddress_ = 0;
    FilmLayout layout_;
    AdaptiveTiles tiles_;
    bool adaptive_ = false;
    std::vector<char> activePixels_; ///< once adaptive
    FilmSums film_;                  ///< without its planes
    std::vector<double> layerSums_;
    bool isWhole_ = true;
    std::uint64_t rays_ = 0;
};

} // namespace aureole
