#pragma once

// The scene as the renderers see it: plain data, made by loadScene (load.h) and never changed afterwards.

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "image/aov.h"
#include "image/finish/settings.h"
#include "image/image.h"
#include "scene/limits.h"
#include "scene/pattern.h"
#include "scene/reaction_texture.h"
#include "scene/surface_kind.h"

namespace aureole {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

enum class Wrap { Repeat, Mirror, Clamp };

/// An 8-bit RGBA picture as the file holds it, the top row first.
struct Texture {
    std::string name; ///< for messages
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;
};

/// A use of a texture: which one, with which coordinates.
struct TextureSlot {
    std::uint32_t texture = kNone;
    std::uint32_t uvSet = 0;                                 ///< 0 or 1
    glm::mat3 transform{1.0F};                               ///< applied to (u, v, 1); glTF's convention, v downwards
    std::array<Wrap, 2> wrap = {Wrap::Repeat, Wrap::Repeat}; ///< along u and v
    bool nearest = false;                                    ///< nearest instead of bilinear
    bool srgb = false;                                       ///< decode the sRGB curve of RGB (never of alpha)
    bool triplanar = false; ///< laid over space (sampleTriplanar) instead of by the mesh's coordinates
    double tile = 1.0;      ///< metres that the picture spans there; above 0

    bool used() const { return texture != kNone; }
};

/// A texture that stands white in Scene::textures until it has been simulated.
struct SimulatedTexture {
    std::uint32_t texture = 0; ///< index into Scene::textures
    bool srgb = true;          ///< how its colours are to be stored
    bool roughness = false;    ///< its luminance is to go to G, and 1 to B
    ReactionTexture simulation;
};

enum class AlphaMode { Opaque, Mask, Blend };

/// How a material scatters light (shared/material.h).
enum class MaterialModel { Lambert, MetallicRoughness, Mirror, Dielectric, ThinGlass };

/// Every texture multiplies its factor. Roughness and metalness are those of glTF's metallic-roughness model.
struct Material {
    std::string name;
    MaterialModel model = MaterialModel::Lambert;
    glm::vec3 albedo{0.8F};         ///< linear; base colour of glTF
    std::optional<Pattern> pattern; ///< in place of `albedo`
    float alpha = 1.0F;
    TextureSlot albedoTexture; ///< RGB albedo, A alpha
    float roughness = 1.0F;
    float metalness = 0.0F;
    TextureSlot metallicRoughnessTexture; ///< G roughness, B metalness
    glm::vec3 emission{0.0F};             ///< radiance in W/(sr m^2), linear, with any emissive strength multiplied in
    TextureSlot emissionTexture;
    TextureSlot normalTexture; ///< tangent space, green up (OpenGL) unless normalGreenDown
    float normalScale = 1.0F;
    bool normalGreenDown = false;
    AlphaMode alphaMode = AlphaMode::Opaque;
    float alphaCutoff = 0.5F;
    float ior = 1.5F;             ///< index of refraction, kMinimumIor to kMaximumIor
    glm::vec3 absorption{0.0F};   ///< of the inside of a dielectric, per metre
    std::uint32_t lightGroup = 0; ///< of its emission: index into Scene::lightGroups
};

/// An indexed triangle mesh in its own coordinates. Per-vertex arrays are as long as `positions`, or empty.
struct Mesh {
    std::string name;
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;            ///< unit length; empty: use the triangles' own
    std::vector<glm::vec4> tangents;           ///< xyz and the sign of the bitangent
    std::array<std::vector<glm::vec2>, 2> uvs; ///< v runs downwards, as in glTF
    std::vector<glm::vec4> colours;            ///< linear RGBA, multiplies the albedo
    std::vector<glm::uvec3> triangles;         ///< counter-clockwise seen from the front
    std::uint32_t material = 0;
    std::string origin; ///< for messages: " of asset 'lion' (lion.glb)"; "" where the name says it
};

struct MeshInstance {
    std::uint32_t mesh = 0;
    glm::dmat4 worldFromMesh{1.0};
    std::uint32_t material = kNone; ///< overrides the mesh's own
};

/// A dense grid of palette indices, such as a MagicaVoxel model. Model coordinates: cell (x, y, z) fills the unit cube
/// from (x, y, z); Y up.
struct VoxelModel {
    std::string name;
    glm::uvec3 size{0};
    std::vector<std::uint8_t> cells;          ///< x + size.x * (y + size.y * z); 0 is empty
    std::array<std::uint32_t, 256> materials; ///< material of each index
};

struct VoxelInstance {
    std::uint32_t model = 0;
    glm::dmat4 worldFromModel{1.0};
};

/// An octree file (.avo), placed without turning it: its voxels stay as they are.
struct OctreeInstance {
    std::filesystem::path file;
    Bounds bounds;             ///< of its grid, in its own coordinates
    double scale = 1.0;        ///< above 0
    glm::dvec3 translation{0}; ///< after scaling
    std::uint32_t level = 0;   ///< of detail: voxels are 2^level times as wide as in the file
    std::uint32_t largestLevel = 0;
};

/// How long and through which aperture a photograph is taken, on which film.
struct Exposure {
    double fNumber = 8.0;
    double shutter = 0.01; ///< seconds
    double iso = 100.0;
};

enum class Projection {
    Perspective,
    Orthographic,
    Equirectangular ///< the whole sphere; its middle column looks to the target, its upper edge along `up`
};

struct Camera {
    std::string name;
    Projection projection = Projection::Perspective;
    glm::dvec3 position{0.0, 0.0, 5.0};
    glm::dvec3 target{0.0};
    glm::dvec3 up{0.0, 1.0, 0.0};
    double verticalFov = 40.0;          ///< degrees; Perspective
    double height = 2.0;                ///< metres that the picture is high; Orthographic
    double apertureRadius = 0.0;        ///< metres; 0 is a pinhole
    double focusDistance = 0.0;         ///< metres along the view axis; 0 means the distance to the target
    std::uint32_t blades = 0;           ///< of the iris, its corners at apertureRadius: 0, a round one, or 3 to 16
    double bladeRotation = 0.0;         ///< degrees counter-clockwise; at 0 a corner is on the right
    std::optional<double> exposure;     ///< stops, instead of the film's
    std::optional<Exposure> photograph; ///< what these stops come from or go on top of; see exposure.h
};

/// A picture of the animation at one frame.
struct CameraKey {
    std::uint32_t frame = 0;
    glm::dvec3 position{0.0};
    glm::dvec3 target{0.0};
    glm::dvec3 up{0.0, 1.0, 0.0};
    double verticalFov = 40.0;
    double height = 2.0;
    double focusDistance = 0.0; ///< as the camera's
};

enum class AnimationKind { Turntable, Path };

/// How one camera moves from frame to frame.
struct Animation {
    AnimationKind kind = AnimationKind::Turntable;
    std::uint32_t camera = 0;
    std::uint32_t frames = 1; ///< they are numbered from 0
    // Turntable: the camera goes around.
    glm::dvec3 centre{0.0};
    glm::dvec3 axis{0.0, 1.0, 0.0}; ///< unit length
    double degrees = 360.0;         ///< from frame 0 to where frame `frames` would be; counter-clockwise about the axis
    // Path
    std::vector<CameraKey> keys; ///< at least one, ascending
    bool smooth = true;          ///< Catmull-Rom instead of straight lines
};

enum class LightType { Point, Spot, Directional };

/// KHR_lights_punctual.
struct PunctualLight {
    std::string name;
    LightType type = LightType::Point;
    glm::dvec3 position{0.0};
    glm::dvec3 direction{0.0, -1.0, 0.0}; ///< the way the light travels; unit length
    glm::vec3 intensity{1.0F};            ///< W/sr for point and spot, irradiance W/m^2 for directional
    double innerConeAngle = 0.0;          ///< degrees from the axis
    double outerConeAngle = 45.0;
    std::uint32_t lightGroup = 0;
};

/// A disc in the sky.
struct Sun {
    glm::dvec3 direction{0.0, 1.0, 0.0}; ///< towards the sun; unit length
    double angularDiameter = 0.53;       ///< degrees, above 0
    glm::vec3 irradiance{1.0F};          ///< on a surface that faces it
    std::uint32_t lightGroup = 0;
};

namespace sky {
struct HosekData;
}

/// A clear sky, without its sun: simulated (SkyModel), or by Hosek and Wilkie's model (HosekSky).
struct Sky {
    double turbidity = 3.0;                                     ///< 1 to 10
    glm::vec3 groundAlbedo{0.3F};                               ///< components in [0, 1]
    glm::dvec3 sunDirection{-0.5, 0.70710678118654752440, 0.5}; ///< towards the sun; unit length
    std::shared_ptr<const sky::HosekData> hosek;                ///< null for the simulated sky
};

enum class EnvironmentType { Constant, Gradient, Image, Sky };

/// Radiance from all around.
struct Environment {
    EnvironmentType type = EnvironmentType::Constant;
    glm::vec3 radiance{0.0F}; ///< Constant
    glm::vec3 zenith{0.0F};   ///< Gradient: straight up, at the horizon, and below it
    glm::vec3 horizon{0.0F};
    glm::vec3 ground{0.0F};
    Image image;           ///< Image: equirectangular, R, G, B; its middle column looks along -Z
    double rotation = 0.0; ///< of the image, degrees about +Y
    Sky sky;
    float scale = 1.0F; ///< of all radiance from here, not of the sun
    std::uint32_t lightGroup = 0;
    std::optional<Sun> sun; ///< beside the radiance, none of which is its own
};

enum class PixelFilter { Box, BlackmanHarris, Gaussian, Triangle };

struct FilmSettings {
    std::uint32_t width = 1280;
    std::uint32_t height = 720;
    PixelFilter filter = PixelFilter::BlackmanHarris;
    double filterRadius = 1.5; ///< pixels; a box of radius 0.5 is the pixel itself
    double exposure = 0.0;     ///< EV, for tone-mapped output only
    std::string tonemap = "filmic";
    AovSet aovs;
    bool transparent = false; ///< camera rays do not see the environment; the picture has alpha
};

enum class LightSampling { Bsdf, Lights, Mis };

/// How directions are drawn at surfaces (shared/scatter.h).
enum class DirectionSampling { Bsdf, Cosine, Uniform };

/// Where the numbers of samples come from (shared/rng.h). Independent ones are the default: with them, and with them
/// only, the scatter of a pixel's samples tells its error, which adaptive sampling, the variance AOV and the tests rely
/// on.
enum class SamplerKind { Independent, Sobol };

struct IntegratorSettings {
    std::uint32_t samplesPerPixel = kDefaultSamplesPerPixel;
    std::uint32_t maxDepth = 0; ///< surface hits of a path; 0 is unlimited
    std::uint32_t seed = 0;
    LightSampling lightSampling = LightSampling::Mis;
    DirectionSampling sampling = DirectionSampling::Bsdf;
    SamplerKind sampler = SamplerKind::Independent;
    double clamp = 0.0; ///< of the radiance that indirect light brings to a sample at once; 0: none
    double noise = 0.0; ///< relative error at which a pixel is done, samplesPerPixel at most; 0: no adaptive sampling
};

enum class VoxelNormals { Smooth, Face };

struct VoxelSettings {
    std::uint32_t resolution = 512; ///< voxels along the longest side; kMinimumResolution to kMaximumResolution
    VoxelNormals normals = VoxelNormals::Smooth;
    SurfaceKind surface = SurfaceKind::Cubes;
    double error = kDefaultSurfaceError; ///< of planes, in voxels; kMinimumSurfaceError to kMaximumSurfaceError
    std::vector<std::string> given;      ///< which of these the scene has keys for
};

/// How large the aperture is whose diffraction shows: of a camera with this sensor, or as given.
struct BloomLens {
    double fNumber = 16.0;
    double sensorHeight = 24.0;     ///< mm, as high as the image; with the field of view, it gives the focal length
    std::optional<double> diameter; ///< mm; without one, focal length / fNumber
};

struct BloomAperture {
    BloomLens lens;
    std::uint32_t blades = 6;    ///< 0, a round aperture, or 3 to 64
    double roundness = 0.0;      ///< 0, straight sides, to 1, a circle
    double rotation = 0.0;       ///< degrees counter-clockwise; at 0 a corner is on the right
    std::uint32_t dust = 0;      ///< specks
    std::uint32_t scratches = 0; ///< as many
    std::uint32_t seed = 0;      ///< of dust and scratches
    std::string image;           ///< instead of all these, an EXR or PNG file, as an absolute path
};

struct BloomEye {
    double adaptation = 1.0;        ///< cd/m^2
    std::uint32_t flareLines = 200; ///< of the ciliary corona
    std::uint32_t seed = 0;
};

struct BloomGaussian {
    double weight = 1.0;
    double sigma = 0.1; ///< degrees
    glm::vec3 colour{1.0F};
};

/// The kernels that are generated, by name: "default", "airy", "aperture", "eye", "gaussians".
const std::vector<std::string>& generatedBloomKernels();
bool isGeneratedBloomKernel(std::string_view name);

/// What lies around the image for the bloom: darkness, or the image's reflection.
enum class BloomPadding { Zero, Mirror };

/// Whether the kernel's spectrum is made for the padded image, or for the kernel alone and resampled.
enum class BloomMode { Exact, Resampled };

/// How a kernel's spectrum is resampled: between two frequencies, or by a Kaiser-Bessel window over six.
enum class BloomResampling { Bilinear, Kaiser };

struct BloomSettings {
    bool enabled = false;
    std::string kernel = "default"; ///< a generated one, or an EXR or PNG file, as an absolute path
    Links links = Links::Follow;    ///< in the paths of images; refused where a scene refers to them
    std::uint32_t kernelSize = 0;   ///< of a generated kernel, in pixels; 0 follows the image
    double sharpen = 0.0;           ///< 0 the whole kernel, 1 a Dirac delta
    BloomPadding padding = BloomPadding::Zero;
    BloomMode mode = BloomMode::Exact;
    BloomResampling resampling = BloomResampling::Kaiser; ///< in mode Resampled
    BloomLens airy;
    BloomAperture aperture;
    BloomEye eye;
    std::vector<BloomGaussian> gaussians = {{0.85, 0.015}, {0.1, 0.15}, {0.04, 0.8}, {0.01, 4.0}};
};

struct Scene {
    std::filesystem::path file;
    std::vector<std::filesystem::path> files; ///< that were read beside it: models, textures and all other assets
    std::string hash; ///< of the scene file, its settings and assets, as 16 hex digits; --set included
    /// Of what its voxels depend on, but for their size: materials, assets and instances, with their files' content.
    std::string surfaceHash;
    bool outlined = false; ///< surfaces are left out (LoadOptions): there are lights, cameras and settings
    std::vector<Texture> textures;
    std::vector<SimulatedTexture> simulated;
    std::vector<Material> materials;
    std::vector<Mesh> meshes;
    std::vector<MeshInstance> meshInstances;
    std::vector<VoxelModel> voxelModels;
    std::vector<VoxelInstance> voxelInstances;
    std::optional<OctreeInstance> octree;     ///< alone: then there are no mesh instances and no voxel instances
    std::vector<std::string> lightGroups{""}; ///< names; the first has the lights that no other has
    std::vector<Camera> cameras;              ///< at least one; the first is the default
    bool hasDefaultCamera = true;             ///< else there are several, and the scene chooses none
    std::optional<Animation> animation;
    std::vector<PunctualLight> lights;
    Environment environment;
    FilmSettings film;
    IntegratorSettings integrator;
    VoxelSettings voxels;
    BloomSettings bloom;
    FinishSettings finish;
};

} // namespace aureole
