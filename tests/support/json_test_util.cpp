#include "json_test_util.h"

#include <cerrno>
#include <csignal>
#include <sstream>

#include <glm/gtx/string_cast.hpp>
#include <unistd.h>

namespace aureole {

namespace fs = std::filesystem;

namespace {

/// Removes the folders "<prefix><process>" of processes that are gone.
void removeLeftovers(const std::string& prefix) {
    std::vector<fs::path> leftovers;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::temp_directory_path())) {
        const std::string name = entry.path().filename().string();
        const std::string process = name.starts_with(prefix) ? name.substr(prefix.size()) : "";
        if (process.empty() || process.size() > 9 || process.find_first_not_of("0123456789") != std::string::npos) {
            continue;
        }
        if (::kill(std::stoi(process), 0) != 0 && errno == ESRCH) {
            leftovers.push_back(entry.path());
        }
    }
    for (const fs::path& path : leftovers) {
        std::error_code ignored; // another run may be faster
        fs::remove_all(path, ignored);
    }
}

} // namespace

void SceneJsonTest::SetUp() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string prefix = std::string("aureole_") + info->test_suite_name() + "_" + info->name() + "_";
    for (char& c : prefix) {
        c = c == '/' ? '_' : c;
    }
    removeLeftovers(prefix);
    folder = fs::temp_directory_path() / (prefix + std::to_string(::getpid()));
    fs::create_directories(folder);
    sceneFile = folder / "scene.json";
}

std::string fullScene(const std::string& environment) {
    // One file holds one kind of animation.
    const std::string animation =
        environment == kGradientEnvironment
            ? R"({ "camera": "main", "path": { "interpolation": "linear", "keys": [{ "frame": 0 },
                   { "frame": 10, "position": [1, 1, 5], "target": [0, 2, 0], "up": [0, 2, 0], "verticalFov": 20,
                     "focusDistance": 3 }] },
                   "values": { "/bloom/sharpen": [[2, 0.25], [12, 1]], "/finish/bulge/centre/1": [[0, 0.5]] } })"
            : R"({ "turntable": { "frames": 12, "centre": [0, 1, 0], "axis": [0, 2, 0], "degrees": 180 } })";
    return R"({
  "$schema": "aureole.schema.json",
  "version": 1,
  "description": "everything",
  "assets": {
    "ball": { "sphere": { "centre": [0, 1, 0], "radius": 0.5, "subdivisions": 1 } },
    "block": { "box": { "min": [-1, -2, -3], "max": [1, 2, 3] } },
    "floor": { "quad": { "corner": [-2, 0, 2], "u": [4, 0, 0], "v": [0, 0, -4] },
               "voxels": { "resolution": 96, "surface": "planes", "error": 0.5, "attributes": "all" } },
    "tip": { "mesh": { "positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]],
                       "normals": [[0, 0, 2], [0, 0, 1], [0, 0, 1]], "uvs": [[0, 0], [1, 0], [0, 1]] } },
    "model": { "file": "model.obj", "normalGreenDown": true, "share": false }
  },
  "instances": {
    "a": { "asset": "ball", "translate": [1, 2, 3], "rotate": [10, 20, 30], "scale": 2, "material": "plain" },
    "b": { "asset": "block", "rotate": { "axis": [0, 0, 2], "angle": 90 }, "scale": [1, 2, -3] },
    "c": { "asset": "tip", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1], "material": "rich" },
    "d": { "asset": "floor", "material": "plain", "lights": false, "level": 0,
           "keys": [{ "frame": 0, "ease": "both" }, { "frame": 8, "translate": [0, 1, 0],
                      "rotate": { "axis": [0, 0, 3], "angle": 540 }, "scale": 2 }] },
    "e": { "asset": "model", "materials": { "red": "plain" }, "frame": 0 }
  },
  "materials": {
    "plain": { "albedo": "#ff8000", "emission": 2, "emissionStrength": 3, "lightGroup": "lamps" },
    "tumbler": { "model": "dielectric", "ior": 1.33, "roughness": 0.1, "absorption": [0, 1, 2],
                 "scattering": [3, 4, 5], "anisotropy": -0.25, "transmission": 0.75 },
    "window": { "model": "thin-glass", "albedo": [0.9, 1, 0.9], "ior": 1.6, "transmission": 0.5 },
    "silver": { "model": "mirror" },
    "rich": {
      "albedo": [0.1, 0.2, 0.3], "alpha": 0.75, "alphaMode": "mask", "alphaCutoff": 0.25,
      "roughness": 0.4, "metalness": 0.6, "ior": 1.4, "emission": [1, 2, 3], "emissionStrength": 1, "normalScale": 0.5,
      "clearcoat": 0.8, "clearcoatRoughness": 0.2,
      "normalGreenDown": true,
      "albedoTexture": { "file": "texture.png", "srgb": false, "uvSet": 1, "wrap": ["clamp", "mirror"],
                         "filter": "nearest",
                         "transform": { "offset": [0.5, 0.25], "scale": [2, 4], "rotation": 90 } },
      "metallicRoughnessTexture": { "file": "texture.png", "roughness": "1-a", "metalness": "none", "transform": {} },
      "emissionTexture": { "file": "texture.png", "wrap": "mirror" },
      "normalTexture": { "file": "texture.png", "transform": {} }
    },
    "worms": {
      "albedoTexture": { "mapping": "triplanar", "tile": 0.5, "wrap": "clamp", "filter": "nearest", "uvSet": 1,
        "srgb": false, "transform": { "offset": [0.5, 0.25], "scale": [2, 4], "rotation": 90 }, "texture": {
          "type": "reaction_diffusion", "size": [40, 30], "pixels": [80, 60], "steps": 100,
          "feed": { "from": 0.02, "to": 0.05, "along": "radius" }, "kill": { "from": 0.055, "to": 0.06, "along": "y" },
          "diffusion": [0.1, 0.05], "cell": 0.9, "dt": 0.75, "border": "clamped", "storage": "fp16", "seed": 5,
          "spots": 3, "radius": 2.5, "seed_image": { "text": "A", "feed": 0.03, "kill": 0.058 }, "range": [0, 0.5],
          "palette": { "cosine": { "a": [0.5, 0.5, 0.5], "b": [0.5, 0.5, 0.5], "c": [1, 1, 1], "d": [0, 0.1, 0.2] } } } },
      "emissionTexture": { "texture": { "type": "reaction_diffusion", "seed_image": { "file": "texture.png" },
        "feed": { "keys": [[0, 0.02], [100, 0.03]] }, "kill": { "from": 0.05, "to": 0.06, "along": "time" },
        "warp": { "swirl": { "degrees": 0.5, "zoom": 1.01, "radius": 0.25, "centre": [0.25, 0.5] }, "every": 8 }, "palette": [0, [0.5, 0.25, 0], "#ffffff"] } },
      "metallicRoughnessTexture": { "texture": { "type": "reaction_diffusion", "seed_image": "texture.png",
        "warp": { "image": { "file": "texture.png", "amount": 2 } } } }
    },
    "zoned": { "albedoTexture": { "texture": { "type": "reaction_diffusion",
      "warp": { "noise": { "amount": 0.25, "scale": 32, "seed": 4 } } } } },
    "zinc": { "occlusionTexture": { "file": "texture.png", "channel": "g", "transform": {} }, "occlusionStrength": 0.5,
      "heightTexture": { "file": "texture.png", "channel": "1-b" }, "heightScale": 0.05 },
    "tiles": { "albedo": { "checker": { "size": 0.5, "colours": ["#102030", [0.5, 0.25, 0.75]] } } },
    "veins": { "albedo": { "noise": { "scale": 0.25, "octaves": 6, "seed": 9, "colours": [0.1, 0.9] } } }
  },
  "cameras": {
    "far": { "position": [0, 0, 9], "target": [0, 0, 0], "fNumber": 8, "sensorHeight": 36 },
    "main": { "position": [0, 1, 5], "target": [0, 1, 0], "up": [0.1, 1, 0], "verticalFov": 35,
              "apertureRadius": 0.01, "focusDistance": 4, "blades": 6, "bladeRotation": 15, "fNumber": 4,
              "shutter": 0.01, "iso": 400, "exposure": 0.5 },
    "map": { "projection": "orthographic", "height": 3, "position": [9, 1, 0], "target": [0, 1, 0] }
  },
  "camera": "main",
  "animation": )" +
           animation + R"(,
  "lights": {
    "bulb": { "type": "point", "position": [0, 3, 0], "intensity": [10, 9, 8], "unit": "W/sr",
              "lightGroup": "lamps" },
    "lamp": { "type": "spot", "position": [1, 3, 0], "direction": [0, -2, 0], "intensity": 5, "unit": "lm",
              "innerConeAngle": 10, "outerConeAngle": 20, "lightGroup": "stage" },
    "moon": { "type": "directional", "direction": [1, -1, 0], "intensity": 0.5, "unit": "lux", "lightGroup": "sky" }
  },
  "environment": )" +
           environment + R"(,
  "film": { "size": [64, 48], "filter": "box", "filterRadius": 0.75, "exposure": -1.5,
    "exposurePercentile": 12.5, "exposureFrames": 3, "tonemap": "agx", "denoiseQuality": "fast", "denoiseRays": 5,
    "shutterOpen": -0.25, "shutterClose": 0.25, "shutterEase": 0.75,
    "aovs": ["normal", "groups"], "transparent": true },
  "voxels": { "resolution": 256, "normals": "face", "surface": "planes", "error": 0.5,
              "attributes": "all" },
  "integrator": { "samplesPerPixel": 8, "maxDepth": 5, "seed": 7, "lightSampling": "lights", "sampling": "cosine",
                  "sampler": "sobol", "clamp": 2.5, "noise": 0.03125 },
  "bloom": { "enabled": true, "kernel": "texture.png", "kernelSize": 129, "kernelScale": 2, "sharpen": 0.5, "padding": "mirror",
    "mode": "resampled", "resample": "bilinear",
    "airy": { "fNumber": 22, "sensorHeight": 16, "diameter": 1.5 },
    "aperture": { "fNumber": 11, "sensorHeight": 36, "diameter": 2.5, "blades": 7, "roundness": 0.25, "rotation": 20,
                  "dust": 30, "scratches": 4, "seed": 5, "image": "texture.png" },
    "eye": { "adaptation": 0.05, "flareLines": 150, "seed": 6 },
    "gaussians": [{ "weight": 2, "sigma": 0.25 }, { "weight": 1, "sigma": 3, "colour": [1, 0.5, 0.25] }] },
  "finish": { "palette": { "colours": [0, [0.5, 0.25, 0], "#ffffff"], "low": 0.25, "high": 2, "amount": 0.5 },
    "relief": { "image": "texture.png", "strength": 2, "angle": 30 },
    "thinFilm": { "thickness": 300, "index": 1.5, "spread": 1, "amount": 0.25, "shade": true },
    "bulge": { "amount": -0.5, "radius": 0.25, "centre": [0.25, 0.75] }, "distortion": { "k1": 0.125, "k2": -0.0625 },
    "vignette": 0.375, "grain": { "amount": 0.125, "size": 2, "seed": 3 } }
})";
}

namespace {

std::string describe(const TextureSlot& slot) {
    std::ostringstream out;
    out << slot.texture << ' ' << slot.uvSet << ' ' << glm::to_string(slot.transform) << ' '
        << static_cast<int>(slot.wrap[0]) << static_cast<int>(slot.wrap[1]) << slot.nearest << slot.srgb
        << slot.triplanar << ' ' << slot.tile << '\n';
    return out.str();
}

std::string describe(const ReactionRate& rate) {
    std::ostringstream out;
    out << rate.from << ' ' << rate.to << ' ' << static_cast<int>(rate.along) << ' ';
    return out.str();
}

void describe(std::ostringstream& out, const ColourPalette& palette) {
    if (const auto* colours = std::get_if<ColourList>(&palette)) {
        for (const glm::dvec3& colour : *colours) {
            out << glm::to_string(colour);
        }
        return;
    }
    const auto& cosine = std::get<CosinePalette>(palette);
    out << glm::to_string(cosine.mean) << glm::to_string(cosine.amplitude) << glm::to_string(cosine.frequency)
        << glm::to_string(cosine.phase);
}

void addFinish(std::ostringstream& out, const FinishSettings& finish) {
    if (finish.palette) {
        describe(out, finish.palette->palette);
        out << finish.palette->low << ' ' << finish.palette->high << ' ' << finish.palette->amount;
    }
    if (finish.relief) {
        out << "relief" << finish.relief->strength << ' ' << finish.relief->angle;
    }
    if (finish.thinFilm) {
        const ThinFilm& film = *finish.thinFilm;
        out << "film" << film.thickness << ' ' << film.index << ' ' << film.spread << ' ' << film.amount << film.shade;
    }
    if (finish.bulge) {
        out << "bulge" << finish.bulge->amount << ' ' << finish.bulge->radius << glm::to_string(finish.bulge->centre);
    }
    if (finish.distortion) {
        out << "lens" << finish.distortion->k1 << ' ' << finish.distortion->k2;
    }
    out << "vignette" << finish.vignette;
    if (finish.grain) {
        out << "grain" << finish.grain->amount << ' ' << finish.grain->size << ' ' << finish.grain->seed;
    }
    out << '\n';
}

void addSimulated(std::ostringstream& out, const Scene& scene) {
    for (const SimulatedTexture& use : scene.simulated) {
        const ReactionTexture& t = use.simulation;
        out << "simulated " << use.texture << use.srgb << use.roughness << t.pointer << glm::to_string(t.size)
            << glm::to_string(t.pixels) << t.steps << ' ' << describe(t.feed) << describe(t.kill) << t.diffusion[0]
            << ' ' << t.diffusion[1] << ' ' << t.cell << ' ' << t.timeStep << t.clamped << t.halves << t.seed << ' '
            << t.spots << ' ' << t.radius << (t.seedPicture ? t.seedPicture->width : 0) << t.seedText << ' '
            << t.feedThere.value_or(-1.0F) << ' ' << t.killThere.value_or(-1.0F) << ' ' << t.range[0] << ' '
            << t.range[1];
        describe(out, t.palette);
        out << '\n';
    }
}

void addMaterials(std::ostringstream& out, const Scene& scene) {
    for (const Material& m : scene.materials) {
        out << "material " << m.name << ' ' << glm::to_string(m.albedo) << m.alpha << ' ' << m.roughness << ' '
            << m.metalness << ' ' << glm::to_string(m.emission) << m.normalScale << m.normalGreenDown
            << static_cast<int>(m.alphaMode) << ' ' << m.alphaCutoff << ' ' << m.lightGroup << ' '
            << static_cast<int>(m.model) << ' ' << m.ior << glm::to_string(m.absorption) << glm::to_string(m.scattering)
            << m.anisotropy << ' ' << m.transmission << ' ' << m.clearcoat << ' ' << m.clearcoatRoughness << '\n';
        if (m.pattern) {
            out << "pattern " << static_cast<int>(m.pattern->kind) << ' ' << m.pattern->size << ' '
                << m.pattern->octaves << ' ' << m.pattern->seed << glm::to_string(m.pattern->colours[0])
                << glm::to_string(m.pattern->colours[1]) << '\n';
        }
        out << describe(m.albedoTexture) << describe(m.metallicRoughnessTexture) << describe(m.emissionTexture)
            << describe(m.normalTexture);
    }
    addSimulated(out, scene);
}

void addGeometry(std::ostringstream& out, const Scene& scene) {
    for (const Mesh& mesh : scene.meshes) {
        out << "mesh " << mesh.name << ' ' << mesh.material << '\n';
        for (const glm::vec3& position : mesh.positions) {
            out << glm::to_string(position);
        }
        for (const glm::uvec3& triangle : mesh.triangles) {
            out << glm::to_string(triangle);
        }
    }
    for (const MeshInstance& instance : scene.meshInstances) {
        out << "instance " << instance.mesh << ' ' << instance.material << ' ' << glm::to_string(instance.worldFromMesh)
            << '\n';
    }
    for (const InstanceMotion& motion : scene.motions) {
        for (const PoseKey& key : motion.keys) {
            out << "key " << motion.name << ' ' << key.frame << glm::to_string(key.translation)
                << glm::to_string(key.axis) << key.angle << glm::to_string(key.scale) << static_cast<int>(key.ease)
                << '\n';
        }
    }
    for (const SceneGrid& grid : scene.grids) {
        out << "grid " << grid.name << ' ' << grid.voxels.resolution << ' ' << static_cast<int>(grid.voxels.surface)
            << ' ' << grid.voxels.error << ' ' << grid.meshInstances.size() << '\n';
    }
    for (const GridPlacement& placement : scene.gridPlacements) {
        out << "placement " << placement.grid << ' ' << glm::to_string(placement.worldFromGrid) << placement.name
            << '\n';
    }
}

void addLighting(std::ostringstream& out, const Scene& scene) {
    for (const PunctualLight& light : scene.lights) {
        out << "light " << light.name << static_cast<int>(light.type) << glm::to_string(light.position)
            << glm::to_string(light.direction) << glm::to_string(light.intensity) << light.innerConeAngle << ' '
            << light.outerConeAngle << ' ' << light.lightGroup << '\n';
    }
    const Environment& e = scene.environment;
    out << "environment " << static_cast<int>(e.type) << glm::to_string(e.radiance) << glm::to_string(e.zenith)
        << glm::to_string(e.horizon) << glm::to_string(e.ground) << e.image.width << 'x' << e.image.height << ' '
        << e.rotation << ' ' << e.scale << ' ' << e.lightGroup << '\n';
    out << "sky " << (e.sky.hosek != nullptr) << " " << e.sky.turbidity << glm::to_string(e.sky.groundAlbedo)
        << glm::to_string(e.sky.sunDirection) << '\n';
    for (const Softbox& softbox : e.softboxes) {
        out << "softbox " << glm::to_string(softbox.direction) << softbox.angularDiameter << ' '
            << glm::to_string(softbox.irradiance) << '\n';
    }
    if (e.fog) {
        out << "fog " << glm::to_string(e.fog->scattering) << glm::to_string(e.fog->absorption) << e.fog->anisotropy
            << ' ' << e.fog->height << '\n';
    }
    if (e.sun) {
        out << "sun " << glm::to_string(e.sun->direction) << e.sun->angularDiameter << ' '
            << glm::to_string(e.sun->irradiance) << e.sun->lightGroup << '\n';
    }
    for (const std::string& group : scene.lightGroups) {
        out << "group " << group << '\n';
    }
}

} // namespace

std::string summary(const Scene& scene) {
    std::ostringstream out;
    addMaterials(out, scene);
    addGeometry(out, scene);
    for (const Camera& camera : scene.cameras) {
        out << "camera " << camera.name << glm::to_string(camera.position) << glm::to_string(camera.target)
            << glm::to_string(camera.up) << camera.verticalFov << ' ' << camera.apertureRadius << ' '
            << camera.focusDistance << ' ' << static_cast<int>(camera.projection) << camera.height << ' '
            << camera.blades << ' ' << camera.bladeRotation << ' ' << camera.exposure.value_or(0.0) << ' '
            << camera.photograph.value_or(Exposure{}).fNumber << '\n';
    }
    addLighting(out, scene);
    const FilmSettings& film = scene.film;
    out << "film " << film.width << 'x' << film.height << ' ' << static_cast<int>(film.filter) << ' '
        << film.filterRadius << ' ' << film.exposure << ' ' << film.meteredPercentile() << ' ' << film.framesToAdapt()
        << static_cast<int>(film.tonemap) << film.shutterOpen << ' ' << film.shutterClose << ' ' << film.shutterEase
        << '\n';
    out << "voxels " << scene.voxels.resolution << ' ' << static_cast<int>(scene.voxels.normals) << ' '
        << static_cast<int>(scene.voxels.surface) << ' ' << scene.voxels.error << '\n';
    const IntegratorSettings& integrator = scene.integrator;
    out << "integrator " << integrator.samplesPerPixel << ' ' << integrator.maxDepth << ' ' << integrator.seed << ' '
        << static_cast<int>(integrator.lightSampling) << static_cast<int>(integrator.sampling)
        << static_cast<int>(integrator.sampler) << '\n';
    addFinish(out, scene.finish);
    for (std::size_t i = 0; scene.animation && i < scene.animation->values.size(); ++i) {
        const ValueKeys& value = scene.animation->values[i];
        out << value.pointer;
        for (const auto& [frame, number] : value.keys) {
            out << ' ' << frame << ' ' << number;
        }
        out << '\n';
    }
    const BloomSettings& bloom = scene.bloom;
    out << "bloom " << bloom.enabled << bloom.kernel << ' ' << bloom.kernelSize << ' ' << bloom.kernelScale << ' '
        << bloom.sharpen << ' ' << static_cast<int>(bloom.padding) << static_cast<int>(bloom.mode)
        << static_cast<int>(bloom.resampling) << '\n';
    for (const BloomLens& lens : {bloom.airy, bloom.aperture.lens}) {
        out << lens.fNumber << ' ' << lens.sensorHeight << ' ' << lens.diameter.value_or(0.0) << '\n';
    }
    const BloomAperture& aperture = bloom.aperture;
    out << aperture.blades << ' ' << aperture.roundness << ' ' << aperture.rotation << ' ' << aperture.dust << ' '
        << aperture.scratches << ' ' << aperture.seed << ' ' << aperture.image << '\n';
    out << bloom.eye.adaptation << ' ' << bloom.eye.flareLines << ' ' << bloom.eye.seed << '\n';
    for (const BloomGaussian& gaussian : bloom.gaussians) {
        out << gaussian.weight << ' ' << gaussian.sigma << glm::to_string(gaussian.colour) << '\n';
    }
    return out.str();
}

} // namespace aureole
