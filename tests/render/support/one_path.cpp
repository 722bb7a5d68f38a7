#include "one_path.h"

#include <vector>

#include "shared/path/voxel_path.h"

namespace aureole {

namespace {

class OnePath {
public:
    explicit OnePath(const shared::VoxelParams& params)
        : params_(reinterpret_cast<std::uint64_t>(&params))
        , view_(VOXEL_OCTREE(params_))
        , hasLights_(params.path.lights.lightCount > 0) {}

    /// The radiance of a sample.
    glm::vec3 sample(const glm::uvec2& pixel, std::uint32_t index) {
        state_ = {};
        shared::voxelPathBegin(params_, state_, pixel, index);
        while (state_.phase != PHASE_IDLE) {
            const bool isShadow = state_.phase == PHASE_SHADOW;
            const std::uint32_t status = follow();
            if (isShadow) {
                light(status);
            } else if (status == TRAVERSAL_MISS) {
                shared::pathMiss(params_, state_.path, shared::traversalRayDirection(state_.ray));
                state_.phase = PHASE_IDLE;
            } else {
                arrive();
            }
        }
        rays_ += state_.raysStarted;
        return state_.path.radiance;
    }

    std::uint64_t rays() const { return rays_; }

private:
    /// Follows the ray to where it ends: TRAVERSAL_HIT with `hit_` and what belongs to it, or TRAVERSAL_MISS, also
    /// where a shadow ray has got to its light.
    std::uint32_t follow() {
        const bool isShadow = state_.phase == PHASE_SHADOW;
        const float reach = isShadow && state_.hasTarget == 0 ? state_.shadow.distance : LIGHT_FAR;
        std::uint32_t status = TRAVERSAL_RUNNING;
        while (status == TRAVERSAL_RUNNING) {
            std::uint32_t steps = ~0U;
            status = shared::traversalRun(view_, state_.ray, steps);
            if (status != TRAVERSAL_HIT) {
                continue;
            }
            hit_ = shared::traversalHit(view_, state_.ray);
            normal_ = glm::vec3(0.0F);
            leaving_ = 0;
            std::uint64_t attributes = 0;
            status = shared::voxelReached(params_, state_, hit_, reach, attributes, normal_);
            if (status == TRAVERSAL_HIT) {
                surface_ = shared::voxelSurfaceAt(params_, attributes);
                status = shared::voxelStops(params_, state_, hit_, surface_, attributes, normal_, reach, leaving_);
            }
            if (status == TRAVERSAL_HIT && !isShadow && leaving_ == 0) {
                surface_.normal = shared::voxelNormalHere(view_, state_.ray, attributes, surface_.normal);
            }
        }
        return status;
    }

    void arrive() {
        const shared::Arrival arrival = shared::voxelPathStand(params_, state_, hit_, surface_, normal_, leaving_);
        if (shared::pathArrive(params_, state_.path, state_.hit, arrival, 1) == 0) {
            state_.phase = PHASE_IDLE;
            return;
        }
        if (hasLights_) {
            shared::voxelPathConnect(params_, state_);
            standing_ = state_;
            shared::voxelShadowBegin(params_, state_);
        } else {
            standing_ = state_;
        }
        if (state_.phase != PHASE_SHADOW) {
            goOn();
        }
    }

    /// Takes the connection on behind the pane that its ray has come to. Returns whether there is one, and light
    /// behind.
    bool passPane() {
        if (shared::voxelIsClearPane(params_, surface_, state_.rayMedium, leaving_) == 0) {
            return false;
        }
        state_.path.medium = shadowMedium();
        state_.path.depth = standing_.path.depth;
        const shared::Arrival arrival = shared::voxelPathStand(params_, state_, hit_, surface_, normal_, leaving_);
        shared::voxelConnectionArrive(params_, state_, arrival, passed_++);
        state_.phase = PHASE_IDLE;
        shared::voxelShadowBegin(params_, state_);
        return true;
    }

    std::uint32_t shadowMedium() const {
        return state_.shadow.transmitted != 0 ? shared::mediumAhead(state_.path.medium, state_.hit)
                                              : state_.path.medium;
    }

    /// Ends the shadow ray, or takes it on behind a pane.
    void light(std::uint32_t status) {
        if (status == TRAVERSAL_HIT && passPane()) {
            if (state_.phase != PHASE_SHADOW) {
                goOn();
            }
            return;
        }
        bool seen = status == TRAVERSAL_MISS;
        if (state_.hasTarget != 0) {
            const glm::uvec3 voxel = leaving_ == 0 ? shared::traversalVoxel(view_, state_.ray) : hit_.voxel;
            seen = status == TRAVERSAL_HIT && leaving_ == 0;
            state_.shadow.contribution *=
                seen ? shared::emitterRadiance(params_, state_.target, 0, voxel) : glm::vec3(0.0F);
            // The light was drawn where the ray enters its box.
            const float behind = shared::surfaceDistance(state_.ray) - state_.shadow.distance;
            state_.shadow.contribution *=
                seen ? shared::mediumTransmittance(params_, shadowMedium(), behind) : glm::vec3(1.0F);
        }
        if (seen) {
            shared::pathGather(state_.path, state_.shadow.contribution, state_.shadow.lightGroup);
        }
        goOn();
    }

    /// Takes the path on from where it stands.
    void goOn() {
        passed_ = 0;
        standing_.path.radiance = state_.path.radiance;
        standing_.raysStarted = state_.raysStarted;
        state_ = standing_;
        shared::voxelPathScatter(params_, state_);
    }

    std::uint64_t params_;
    std::uint64_t view_;
    bool hasLights_;
    shared::VoxelPath state_{};    ///< of the path, or of its connection on the way
    shared::VoxelPath standing_{}; ///< of the path where it stands
    shared::VoxelHit hit_{};
    shared::VoxelSurface surface_{};
    glm::vec3 normal_{0.0F};
    std::uint32_t leaving_ = 0; ///< 1: the ray leaves a solid of glass
    std::uint32_t passed_ = 0;  ///< panes that the connection has passed
    std::uint64_t rays_ = 0;
};

} // namespace

OnePathPicture renderOnePathAtATime(const DeviceScene& scene, const View& view, const IndexRanges& ranges) {
    const shared::VoxelParams params = scene.params(view);
    OnePath path(params);
    OnePathPicture picture;
    for (std::uint32_t y = 0; y < view.cropSize.y; ++y) {
        for (std::uint32_t x = 0; x < view.cropSize.x; ++x) {
            glm::dvec3 sum(0.0);
            for (const auto& [first, end] : ranges) {
                for (std::uint32_t i = first; i < end; ++i) {
                    sum += glm::dvec3(path.sample(view.cropOrigin + glm::uvec2(x, y), i));
                }
            }
            picture.radiance.insert(picture.radiance.end(), {sum.x, sum.y, sum.z});
        }
    }
    picture.rays = path.rays();
    return picture;
}

} // namespace aureole
