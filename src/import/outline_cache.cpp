#include "import/outline_cache.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/extension.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "import/asset_path.h"
#include "import/file_pieces.h"
#include "import/model_outline.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Raised when the importers come to read other cameras, lights, material names, bounds or hulls, or the file or hash
/// changes.
constexpr int kOutlineVersion = 11;
constexpr std::uint64_t kCacheBytes = std::uint64_t{16} << 20U;

/// The hash of a file's content; none where it cannot be read.
std::optional<std::uint64_t> contentChecksum(const fs::path& file) {
    try {
        const InputFile input = InputFile::open(file);
        Hasher hasher;
        forEachPiece(input, {}, [&](std::span<const std::byte> piece) { hasher.add(piece.data(), piece.size()); });
        return hasher.value();
    } catch (const Error&) { // whoever reads it says why
        return std::nullopt;
    }
}

template <typename Vector>
Json vectorJson(const Vector& v) {
    return Json::array({v.x, v.y, v.z});
}

glm::dvec3 vectorFrom(const Json& json) {
    return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json cameraJson(const Camera& camera) {
    return {{"name", camera.name},
            {"position", vectorJson(camera.position)},
            {"target", vectorJson(camera.target)},
            {"up", vectorJson(camera.up)},
            {"projection", static_cast<int>(camera.projection)},
            {"verticalFov", camera.verticalFov},
            {"height", camera.height},
            {"apertureRadius", camera.apertureRadius},
            {"focusDistance", camera.focusDistance}};
}

Camera cameraFrom(const Json& json) {
    Camera camera;
    json.at("name").get_to(camera.name);
    camera.position = vectorFrom(json.at("position"));
    camera.target = vectorFrom(json.at("target"));
    camera.up = vectorFrom(json.at("up"));
    camera.projection = static_cast<Projection>(json.at("projection").get<int>());
    json.at("verticalFov").get_to(camera.verticalFov);
    json.at("height").get_to(camera.height);
    json.at("apertureRadius").get_to(camera.apertureRadius);
    json.at("focusDistance").get_to(camera.focusDistance);
    return camera;
}

Json lightJson(const PunctualLight& light) {
    return {{"name", light.name},
            {"type", static_cast<int>(light.type)},
            {"position", vectorJson(light.position)},
            {"direction", vectorJson(light.direction)},
            {"intensity", vectorJson(light.intensity)},
            {"innerConeAngle", light.innerConeAngle},
            {"outerConeAngle", light.outerConeAngle}};
}

PunctualLight lightFrom(const Json& json) {
    PunctualLight light;
    json.at("name").get_to(light.name);
    light.type = static_cast<LightType>(json.at("type").get<int>());
    light.position = vectorFrom(json.at("position"));
    light.direction = vectorFrom(json.at("direction"));
    light.intensity = glm::vec3(vectorFrom(json.at("intensity"))); // a float survives the way through a double
    json.at("innerConeAngle").get_to(light.innerConeAngle);
    json.at("outerConeAngle").get_to(light.outerConeAngle);
    return light;
}

Json daylightJson(const Daylight& light) {
    return {{"sunDirection", vectorJson(light.sunDirection)},   {"sunDiameter", light.sunDiameter},
            {"sunIrradiance", vectorJson(light.sunIrradiance)}, {"skyRadiance", vectorJson(light.skyRadiance)},
            {"groundAlbedo", vectorJson(light.groundAlbedo)},   {"exposure", light.exposure}};
}

Daylight daylightFrom(const Json& json) {
    Daylight light;
    light.sunDirection = vectorFrom(json.at("sunDirection"));
    json.at("sunDiameter").get_to(light.sunDiameter);
    light.sunIrradiance = glm::vec3(vectorFrom(json.at("sunIrradiance")));
    light.skyRadiance = glm::vec3(vectorFrom(json.at("skyRadiance")));
    light.groundAlbedo = glm::vec3(vectorFrom(json.at("groundAlbedo")));
    json.at("exposure").get_to(light.exposure);
    return light;
}

Json modelJson(const ImportedModel& model) {
    const ModelOutline outline = outlineOf(model);
    Json json = {{"hash", model.hash},
                 {"low", vectorJson(outline.bounds.min)},
                 {"high", vectorJson(outline.bounds.max)},
                 {"cell", outline.cell},
                 {"area", outline.area},
                 {"levelSetCell", outline.levelSetCell},
                 {"frames", outline.frames},
                 {"hull", Json::array()},
                 {"materials", Json::array()},
                 {"cameras", Json::array()},
                 {"lights", Json::array()},
                 {"files", Json::array()}};
    for (const glm::dvec3& point : outline.hull) {
        json["hull"].push_back(vectorJson(point));
    }
    for (const Material& material : model.materials) {
        json["materials"].push_back(material.name);
    }
    for (const Camera& camera : model.cameras) {
        json["cameras"].push_back(cameraJson(camera));
    }
    for (const PunctualLight& light : model.lights) {
        json["lights"].push_back(lightJson(light));
    }
    if (outline.points) {
        json["points"] = {{"spacing", outline.points->spacing}, {"hasNormals", outline.points->hasNormals}};
    }
    if (model.daylight) {
        json["daylight"] = daylightJson(*model.daylight);
    }
    return json;
}

ImportedModel modelFrom(const Json& json) {
    ImportedModel model;
    ModelOutline& outline = model.outline.emplace();
    outline.bounds.min = vectorFrom(json.at("low"));
    outline.bounds.max = vectorFrom(json.at("high"));
    json.at("cell").get_to(outline.cell);
    json.at("area").get_to(outline.area);
    json.at("levelSetCell").get_to(outline.levelSetCell);
    json.at("frames").get_to(outline.frames);
    for (const Json& point : json.at("hull")) {
        outline.hull.push_back(vectorFrom(point));
    }
    json.at("hash").get_to(model.hash);
    for (const Json& name : json.at("materials")) {
        name.get_to(model.materials.emplace_back().name);
    }
    for (const Json& camera : json.at("cameras")) {
        model.cameras.push_back(cameraFrom(camera));
    }
    for (const Json& light : json.at("lights")) {
        model.lights.push_back(lightFrom(light));
    }
    if (json.contains("points")) {
        PointCloud& points = outline.points.emplace();
        json.at("points").at("spacing").get_to(points.spacing);
        json.at("points").at("hasNormals").get_to(points.hasNormals);
    }
    if (json.contains("daylight")) {
        model.daylight = daylightFrom(json.at("daylight"));
    }
    return model;
}

/// The further files of a model, if they are all there and as they were.
std::optional<std::vector<fs::path>> findReferences(const Json& json, const fs::path& file,
                                                    const ImportOptions& options) {
    const fs::path folder = folderOf(file);
    const fs::path sceneFolder = options.sceneFolder.empty() ? folder : options.sceneFolder;
    std::vector<fs::path> references;
    for (const Json& entry : json.at("files")) {
        const auto path = findAsset(sceneFolder, folder, entry.at("path").get<std::string>(), file.string());
        if (!path || contentChecksum(*path) != entry.at("checksum").get<std::uint64_t>()) {
            return std::nullopt;
        }
        references.push_back(*path);
    }
    return references;
}

/// The text with its checksum before it, and the other way round: empty where it is damaged.
std::string sealed(const std::string& text) {
    return fmt::format("{:016x}\n{}", checksum(std::as_bytes(std::span(text))), text);
}

std::string unsealed(const std::string& file) {
    std::string text = file.substr(std::min<std::size_t>(file.size(), 17));
    return sealed(text) == file ? text : std::string();
}

} // namespace

OutlineCache::OutlineCache(fs::path folder)
    : files_(std::move(folder), kCacheBytes, "model outlines") {}

std::optional<std::string> OutlineCache::nameOf(const fs::path& file, const ImportOptions& options) {
    const std::optional<std::uint64_t> content = contentChecksum(file);
    if (!content) {
        return std::nullopt;
    }
    Hasher hasher;
    hasher.add(fmt::format("outline {} {} {} {}", kOutlineVersion, lowerExtension(file), options.normalGreenDown,
                           options.grid));
    hasher.add(&*content, sizeof(*content));
    return hasher.hex() + ".json";
}

std::optional<ImportedModel> OutlineCache::find(const std::string& name, const fs::path& file,
                                                const ImportOptions& options) const {
    const std::optional<fs::path> found = files_.find(name);
    if (!found) {
        return std::nullopt;
    }
    try {
        const Json json = Json::parse(unsealed(readTextFile(*found, kCacheBytes)));
        std::optional<std::vector<fs::path>> references = findReferences(json, file, options);
        if (!references) {
            return std::nullopt;
        }
        ImportedModel model = modelFrom(json);
        model.files = std::move(*references);
        model.files.push_back(file);
        return model;
    } catch (const Error&) {
        return std::nullopt; // a file is gone; the import tells which
    } catch (const Json::exception&) {
        files_.discard(name, found->string() + " is damaged");
        return std::nullopt;
    }
}

void OutlineCache::store(const std::string& name, const fs::path& file, const ImportOptions& options,
                         const ImportedModel& model, const std::vector<fs::path>& references) const {
    if (nameOf(file, options) != name) {
        return; // it was replaced while it was read: the outline may be that of either content
    }
    Json json = modelJson(model);
    if (json["low"][0].get<double>() > json["high"][0].get<double>()) {
        return; // nothing solid in it: not worth a case of its own
    }
    std::error_code status;
    const fs::path folder = fs::weakly_canonical(folderOf(file), status);
    for (const fs::path& reference : references) {
        const std::optional<std::uint64_t> content = contentChecksum(reference);
        const fs::path path = fs::relative(reference, folder, status);
        if (!content || status) {
            return;
        }
        json["files"].push_back({{"path", path.string()}, {"checksum", *content}});
    }
    const std::string text = sealed(json.dump(-1, ' ', false, Json::error_handler_t::ignore));
    files_.store(name, text.size(),
                 [&](const fs::path& path) { writeFileAtomically(path, std::as_bytes(std::span(text))); });
}

} // namespace aureole
