#include "reference/reference_renderer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "integrator/motion_poses.h"
#include "integrator/path_params.h"
#include "integrator/volume_tables.h"
#include "reference/voxel_cubes.h"

namespace aureole {

namespace {

/// The normal of what a ray hits on the side that it comes from.
glm::vec3 sideOf(const TriangleHit& hit, const glm::vec3& direction) {
    return glm::dot(hit.geometricNormal, direction) > 0.0F ? -hit.geometricNormal : hit.geometricNormal;
}

/// Lights without an extent stand in the midst of the time that the shutter is open.
std::optional<double> lightMoment(const Scene& scene, const View& view) {
    const std::optional<ShutterTimes> times = shutterTimes(scene, view);
    return times ? std::optional(times->middle()) : std::nullopt;
}

} // namespace

std::optional<RayStart> ReferenceRenderer::PathVertex::leave(const glm::vec3& direction, bool transmitted) const {
    if (!hit.found()) {
        RayStart start;
        start.point = point;
        start.origin = point;
        start.time = time;
        return start;
    }
    const glm::vec3 towards = transmitted ? -side : side;
    return glm::dot(towards, direction) > 0.0F ? std::optional(leaveSurface(hit, towards, transmitted)) : std::nullopt;
}

ReferenceRenderer::ReferenceRenderer(const Scene& scene, const View& view)
    : cubes_(scene.voxelInstances.empty() ? nullptr : std::make_unique<const Scene>(withCubes(scene)))
    , scene_(cubes_ ? cubes_.get() : &scene)
    , triangles_(*scene_, scene.meshInstances.size(), shutterTimes(scene, view))
    , surfaceLights_(*scene_, triangles_)
    , materials_(makeMaterialTraits(scene_->materials, triangles_.space(), scene_->environment.fog, scene_->volumes))
    , volumes_(placedVolumes())
    , bsdfTables_(makeBsdfTables(scene_->materials))
    , movesInstances_(!scene.motions.empty() && scene.film.blurs())
    , hasPanes_((modelsOf(scene_->materials) & (1U << MODEL_THIN_GLASS)) != 0)
    , lights_(makeLightTables(*scene_, triangles_.space(), triangles_.bounds(), surfaceLights_.power(), {},
                              lightMoment(*scene_, view)))
    , paramsAddress_(reinterpret_cast<std::uint64_t>(&params_))
    , layout_(makeFilmLayout(*scene_, triangles_.space()))
    , tiles_(view.cropSize) {
    bindTables();
    setView(view);
}

void ReferenceRenderer::bindTables() {
    const auto address = [](const auto& values) { return reinterpret_cast<std::uint64_t>(values.data()); };
    params_.lights = describeLights(lights_);
    params_.lights.lights = address(lights_.lights);
    params_.lights.choice = address(lights_.choice);
    params_.lights.nodes = address(lights_.tree.nodes);
    params_.lights.environment = address(lights_.environment);
    params_.lights.environmentPick = address(lights_.environmentPick);
    params_.materials = address(materials_);
    params_.bsdfTables = address(bsdfTables_);
    describeMedia(*scene_, scene_->materials.size(), address(volumes_), params_);
}

std::vector<shared::Volume> ReferenceRenderer::placedVolumes() const {
    const auto address = [](const auto& values) { return reinterpret_cast<std::uint64_t>(values.data()); };
    std::vector<VolumeAddresses> addresses;
    for (const Volume& volume : scene_->volumes) {
        VolumeAddresses& own = addresses.emplace_back();
        own.densities = {address(volume.tree.nodes), address(volume.tree.bricks)};
        if (volume.heat) {
            own.temperatures = {address(volume.heat->tree.nodes), address(volume.heat->tree.bricks)};
            own.colours = address(volume.heat->colours);
        }
    }
    return makeVolumes(*scene_, triangles_.space(), scene_->materials.size(), addresses);
}

void ReferenceRenderer::setView(const View& view) {
    view_ = view;
    layout_.layers.alone = 0;
    setPathView(*scene_, view, triangles_.space(), modelsOf(scene_->materials, *scene_), params_);
    setCameraPoses();
    tiles_ = AdaptiveTiles(view.cropSize);
    adaptive_ = false;
    activePixels_.clear();
    film_ = FilmSums{};
    rays_ = 0;
    film_.width = view.cropSize.x;
    film_.height = view.cropSize.y;
    film_.radiance.assign(std::size_t{3} * film_.width * film_.height, 0.0);
    spread() = film_.radiance;
    layerSums_.assign(layout_.layers.count * film_.pixelCount(), 0.0);
}

void ReferenceRenderer::setCameraPoses() {
    cameraPoses_.clear();
    params_.motionSteps = 0;
    const std::optional<ShutterTimes> shutter = shutterTimes(*scene_, view_);
    if (shutter && blursCamera(*scene_)) {
        const Bounds bounds = triangles_.bounds();
        const double size = bounds.empty() ? 1.0 : glm::length(bounds.extent());
        const PoseOverTime moves = cameraMotion(*scene_, view_);
        const PoseTimes times = poseTimesFor(std::span(&moves, 1), *shutter, size);
        cameraPoses_ = makeCameraPoses(*scene_, view_, times, triangles_.space());
        params_.motionSteps = times.steps;
    }
    params_.cameraPoses = cameraPoses_.empty() ? 0 : reinterpret_cast<std::uint64_t>(cameraPoses_.data());
}

void ReferenceRenderer::connect(shared::PathState& path, const PathVertex& at, const shared::LightSample& sample,
                                const glm::dvec3& target, std::uint64_t& rays) const {
    shared::LightConnection connection = shared::pathConnect(paramsAddress_, path, at.surface, sample);
    // A shading normal must not let light through the triangle, nor keep it on this side.
    const std::optional<RayStart> start = at.leave(connection.direction, connection.transmitted != 0);
    if (connection.contribution == glm::vec3(0.0F) || !start) {
        return;
    }
    ++rays;
    const std::uint32_t medium =
        connection.transmitted != 0 ? shared::mediumAhead(path.medium, at.surface) : path.medium;
    const bool far = connection.distance >= LIGHT_FAR;
    if (hasPanes_) {
        connectThroughPanes(path, *start, medium, connection, far ? std::nullopt : std::optional(target), rays);
    } else if (!(far ? triangles_.occludedToInfinity(*start, connection.direction)
                     : triangles_.occluded(*start, target))) {
        dim(connection, path.rng, medium, *start, connection.distance);
        shared::pathGather(path, connection.contribution, connection.lightGroup);
    }
}

void ReferenceRenderer::dim(shared::LightConnection& connection, const shared::Rng& numbers, std::uint32_t medium,
                            const RayStart& start, float distance) const {
    if (params_.media != 0) {
        connection.contribution *=
            shared::segmentTransmittance(paramsAddress_, numbers, medium, start.point, connection.direction, distance);
    }
}

void ReferenceRenderer::connectThroughPanes(shared::PathState& path, RayStart start, std::uint32_t medium,
                                            shared::LightConnection connection, const std::optional<glm::dvec3>& target,
                                            std::uint64_t& rays) const {
    const std::uint32_t depth = path.depth;
    while (connection.contribution != glm::vec3(0.0F)) {
        const TriangleHit met = triangles_.firstObstacle(start, connection.direction, target);
        if (!met.found()) {
            dim(connection, path.rng, medium, start, connection.distance);
            shared::pathGather(path, connection.contribution, connection.lightGroup);
            break;
        }
        const glm::vec3 side = sideOf(met, connection.direction);
        shared::Arrival arrival{};
        const shared::SurfaceHit surface = surfaceAt(met, connection.direction, side, arrival);
        dim(connection, path.rng, shared::mediumOfArrival(medium, surface), start, arrival.distance);
        medium = shared::mediumAhead(medium, surface);
        ++path.depth;
        connection = shared::connectThroughPane(paramsAddress_, connection, surface, arrival.distance, path.depth,
                                                path.depth - depth);
        start = leaveSurface(met, -side, true);
        rays += connection.contribution != glm::vec3(0.0F) ? 1 : 0;
    }
    path.depth = depth;
}

float ReferenceRenderer::surfacesChosen() const {
    return lights_.surfaces < lights_.choice.size() ? lights_.lights[lights_.surfaces].probability : 0.0F;
}

void ReferenceRenderer::connectToLight(shared::PathState& path, const PathVertex& at, std::uint64_t& rays) const {
    const std::uint64_t lightParams = PATH_LIGHTS(paramsAddress_);
    const glm::uvec4 bits = shared::rngNextBits(path.rng);
    const glm::vec2 u(shared::unitFloat(bits.x), shared::unitFloat(bits.y));
    float left = 0.0F;
    const shared::LightPick pick = shared::chooseLight(
        lightParams, {at.point, at.surface.surface.normal, shared::sidesReceived(at.surface)}, {bits.w, bits.z}, left);
    shared::LightSample sample{};
    glm::dvec3 target(0.0);
    if (lights_.lights[pick.light].type == LIGHT_SURFACES) {
        sample =
            shared::ofPick(pick, surfaceLights_.sample(at.point, at.time, {bits.z, shared::bitsOf(left)}, u, target));
    } else {
        sample = shared::sampleLight(lightParams, pick, at.point, bits.z, left, u);
        target = lights_.lights[pick.light].position;
    }
    connect(path, at, sample, target, rays);
}

// The path writes to its layers, by their address.
// NOLINTNEXTLINE(readability-non-const-parameter)
void ReferenceRenderer::beginLayers(shared::PathState& path, float* layers) const {
    if (layers != nullptr) {
        path.layers = reinterpret_cast<std::uint64_t>(&layout_.layers);
        path.record = reinterpret_cast<std::uint64_t>(layers);
    }
}

shared::SurfaceHit ReferenceRenderer::surfaceAt(const TriangleHit& hit, const glm::vec3& direction,
                                                const glm::vec3& side, shared::Arrival& arrival) const {
    const SurfacePoint point =
        evaluateSurface(*scene_, triangles_.instanceAt(hit.id.instance, hit.id.time), hit.id.triangle, hit.u, hit.v);
    shared::SurfaceHit surface{};
    surface.outgoing = -direction;
    surface.material = point.material;
    surface.entering = glm::dot(hit.geometricNormal, direction) > 0.0F ? 0 : 1;
    const glm::vec3 normal = glm::dot(point.normal, side) < 0.0F ? -point.normal : point.normal;
    surface.surface = shared::makeScatterer(materials_[point.material], surface.entering, normal, side, -direction);
    surface.surface.albedo = point.albedo;
    surface.surface.roughness = point.roughness;
    surface.surface.metalness = point.metalness;
    arrival.distance = hit.distance;
    arrival.position = hit.position;
    arrival.emission = point.emission;
    surface.pane = shared::isClearPane(surface.surface.model, surface.surface.eta, point.emission);
    return surface;
}

bool ReferenceRenderer::isOutside(const glm::dvec3& point) const {
    const Bounds bounds = triangles_.bounds();
    const glm::dvec3 low = triangles_.space().point(bounds.min);
    const glm::dvec3 high = triangles_.space().point(bounds.max);
    return glm::any(glm::lessThan(point, low)) || glm::any(glm::greaterThan(point, high));
}

bool ReferenceRenderer::arrive(shared::PathState& path, const RayStart& start, const glm::vec3& direction, bool inside,
                               PathVertex& at) const {
    at.hit = triangles_.closestHit(start, direction, inside);
    shared::Arrival arrival{};
    if (at.hit.found()) {
        at.side = sideOf(at.hit, direction);
        at.point = at.hit.position;
        at.surface = surfaceAt(at.hit, direction, at.side, arrival);
        arrival.lightPdf =
            surfacesChosen() * surfaceLights_.pdf(at.hit, path.straightDistance + at.hit.distance, direction);
    } else {
        at.surface = shared::noHit(arrival);
    }
    if (params_.media != 0 &&
        shared::pathTravel(paramsAddress_, path, start.point, direction, at.surface, arrival) != 0) {
        at.hit = TriangleHit{};
        at.point = start.point + glm::dvec3(direction) * double{arrival.distance};
    } else if (!at.hit.found()) {
        shared::pathMiss(paramsAddress_, path, direction);
        return false;
    }
    const std::uint32_t instance = at.hit.found() ? scene_->meshInstances[at.hit.id.instance].placement + 1 : 0;
    return shared::pathArrive(paramsAddress_, path, at.surface, arrival, instance) != 0;
}

glm::vec3 ReferenceRenderer::trace(glm::uvec2 pixel, std::uint32_t index, float* layers, std::uint64_t& rays) const {
    shared::PathState path = shared::beginPath(paramsAddress_, pixel.y * view_.size.x + pixel.x, index);
    beginLayers(path, layers);
    const float time = movesInstances_ ? shared::timeOfSample(paramsAddress_, path.rng.pixel, index) : 0.0F;
    const shared::CameraRay camera = shared::pathCameraRay(paramsAddress_, pixel, path.rng);
    if (isOutside(camera.origin)) {
        path.compression = 1.0F; // whichever side of glass without a lid it sees first
    }
    RayStart start;
    start.point = camera.origin;
    start.origin = camera.origin;
    start.time = time;
    glm::vec3 direction = camera.direction;
    bool inside = path.medium != MEDIUM_NONE; // of a solid that the path has gone into
    PathVertex at;
    at.time = time;
    while (true) {
        ++rays;
        if (!arrive(path, start, direction, inside, at)) {
            return path.radiance;
        }
        if (params_.lights.lightCount > 0) {
            connectToLight(path, at, rays);
        }
        std::uint32_t transmitted = 0;
        if (shared::pathScatter(paramsAddress_, path, at.surface, direction, transmitted) == 0) {
            return path.radiance;
        }
        const std::optional<RayStart> next = at.leave(direction, transmitted != 0);
        if (!next) {
            return path.radiance;
        }
        start = *next;
        inside = transmitted != 0 ? at.surface.entering != 0 : inside;
    }
}

void ReferenceRenderer::renderPixel(glm::uvec2 pixel, std::uint32_t first, std::uint32_t end, std::uint64_t& rays) {
    const std::size_t at = std::size_t{pixel.y} * view_.cropSize.x + pixel.x;
    std::vector<float> layers(layout_.layers.count);
    const std::span<double> layerSums(layerSums_.data() + at * layers.size(), layers.size());
    const bool inHalves = layout_.sampler == SamplerKind::Sobol;
    RawVector<double>& spreads = spread();
    for (std::uint32_t index = first; index < end; ++index) {
        const glm::dvec3 radiance =
            trace(view_.cropOrigin + pixel, index, layers.empty() ? nullptr : layers.data(), rays);
        for (int c = 0; c < 3; ++c) {
            film_.radiance[3 * at + static_cast<std::size_t>(c)] += radiance[c];
            const double spread =
                inHalves ? (shared::sobolHalf(index) == 0 ? radiance[c] : 0.0) : radiance[c] * radiance[c];
            spreads[3 * at + static_cast<std::size_t>(c)] += spread;
        }
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const auto layer = static_cast<std::uint32_t>(i);
            if (shared::layerCounts(layer, layout_.layers.first[AOV_INSTANCE],
                                    film_.samples.empty() && index == first)) {
                layerSums[i] += shared::layerOfSample(reinterpret_cast<std::uint64_t>(layers.data()), layer);
            }
        }
    }
}

void ReferenceRenderer::renderRow(std::uint32_t row, std::uint32_t first, std::uint32_t end, std::uint64_t& rays) {
    for (std::uint32_t x = 0; x < view_.cropSize.x; ++x) {
        if (!adaptive_ || activePixels_[std::size_t{row} * view_.cropSize.x + x] != 0) {
            renderPixel({x, row}, first, end, rays);
        }
    }
}

FilmSums ReferenceRenderer::film() const {
    FilmSums film = film_;
    if (adaptive_) {
        film.setCounts(tiles_.pixelSamples());
    }
    addPlanes(film, layout_, layerSums_);
    return film;
}

FilmSums ReferenceRenderer::layersOf(std::uint32_t first, std::uint32_t end,
                                     const std::function<bool(double)>& onProgress) {
    const FilmState kept = state();
    const std::uint64_t rays = rays_;
    setView(View(view_));
    layout_.layers.alone = 1;
    render(first, end, onProgress);
    FilmSums layers = film();
    layout_.layers.alone = 0;
    restore(kept, "");
    rays_ = rays;
    return layers;
}

void ReferenceRenderer::retire(double noise) {
    adaptive_ = true;
    tiles_.retire(film(), noise);
    activePixels_ = tiles_.activeMask();
}

FilmState ReferenceRenderer::state() const {
    FilmState state;
    state.samples = film_.samples;
    state.adaptive = adaptive_;
    tiles_.save(state);
    const std::span<const std::byte> radiance = std::as_bytes(std::span(film_.radiance));
    const std::span<const std::byte> squared = std::as_bytes(std::span(film_.squared));
    const std::span<const std::byte> half = std::as_bytes(std::span(film_.half));
    const std::span<const std::byte> layers = std::as_bytes(std::span(layerSums_));
    state.film.assign(radiance.begin(), radiance.end());
    state.film.insert(state.film.end(), squared.begin(), squared.end()); // one of both is empty
    state.film.insert(state.film.end(), half.begin(), half.end());
    state.layers.assign(layers.begin(), layers.end());
    return state;
}

void ReferenceRenderer::restore(const FilmState& state, const std::string& file) {
    const std::span<std::byte> radiance = std::as_writable_bytes(std::span(film_.radiance));
    const std::span<std::byte> spreads = std::as_writable_bytes(std::span(spread()));
    const std::span<std::byte> layers = std::as_writable_bytes(std::span(layerSums_));
    if (state.film.size() != radiance.size() + spreads.size() || state.layers.size() != layers.size()) {
        fail(ExitCode::BadInput, "{}: found {} bytes of film and {} of layers, expected {} and {}", file,
             state.film.size(), state.layers.size(), radiance.size() + spreads.size(), layers.size());
    }
    tiles_.restore(state, file);
    film_.samples = state.samples;
    const std::span<const std::byte> film(state.film);
    std::ranges::copy(film.first(radiance.size()), radiance.begin());
    std::ranges::copy(film.subspan(radiance.size()), spreads.begin());
    std::ranges::copy(state.layers, layers.begin());
    adaptive_ = state.adaptive;
    if (adaptive_) {
        activePixels_ = tiles_.activeMask();
    }
}

std::uint32_t ReferenceRenderer::render(std::uint32_t first, std::uint32_t end,
                                        const std::function<bool(double)>& onProgress) {
    // In slices of samples, so that the film is whole whenever it stops.
    constexpr std::uint32_t kSlice = 4;
    std::uint32_t at = first;
    while (at < end) {
        const std::uint32_t sliceEnd = at + std::min(kSlice, end - at);
        std::atomic<std::uint64_t> rays{0};
        isWhole_ = false;
        parallelFor(view_.cropSize.y, 1, [&](std::int64_t row) {
            std::uint64_t rowRays = 0;
            renderRow(static_cast<std::uint32_t>(row), at, sliceEnd, rowRays);
            rays += rowRays;
        });
        rays_ += rays;
        tiles_.reached(sliceEnd);
        appendRange(film_.samples, {at, sliceEnd});
        isWhole_ = true;
        at = sliceEnd;
        if (!onProgress(static_cast<double>(at - first) / (end - first))) {
            break;
        }
    }
    return at;
}

} // namespace aureole
