#include "scene/load.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/extension.h"
#include "core/file.h"
#include "core/lines.h"
#include "core/log.h"
#include "scene/json/json_override.h"
#include "scene/json/model_document.h"
#include "scene/json/scene_draft.h"
#include "scene/json/scene_reader.h"
#include "scene/scene_conflicts.h"
#include "scene/surface.h"
#include "scene/value_keys.h"
#include "settings/fields.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kSceneVersion = 1;
constexpr std::size_t kMostProblemsShown = 40;

bool isSceneFile(const fs::path& file) {
    return lowerExtension(file) == ".json";
}

/// "version", without which nothing else can be judged.
bool readVersion(ObjectReader& root) {
    const auto value = root.require("version");
    if (value && value->json() != kSceneVersion) {
        value->expected(fmt::format("{}, the version of the scene format that this program reads", kSceneVersion));
    }
    return value && value->json() == kSceneVersion;
}

void readRoot(ObjectReader& root, SceneDraft& draft) {
    for (const char* key : {"$schema", "description"}) {
        std::string unused;
        if (const auto value = root.find(key)) {
            value->read(unused);
        }
    }
    draft.choosesByView = choosesByView(root.value().json());
    readMaterials(root, draft);
    draft.materialFiles = draft.files.hex(); // no other file was read so far
    noteFrames(root.value().json(), draft);
    readAssets(root, draft);
    readInstances(root, draft);
    if (root.log().problems.empty()) { // else nothing comes of it
        makeSpheres(draft);
    }
    draft.surfaceFiles = draft.files.hex(); // nor of anything but materials and assets
    readCameras(root, draft);
    readLights(root, draft);
    readEnvironment(root, draft);
    readSettings(root, draft);
    settleGridVoxels(root, draft);
    readAnimation(root, draft);
    if (root.log().problems.empty()) {
        chooseByView(root, draft);
    }
}

void readDocument(SceneReading& reading, SceneDraft& draft) {
    const ValueReader whole(reading.document, "", reading.log);
    whole.readObject([&](ObjectReader& root) {
        if (!readVersion(root)) {
            for (const auto& [key, unused] : root.value().json().items()) {
                root.find(key);
            }
            return;
        }
        readRoot(root, draft);
    });
    if (reading.log.problems.empty()) {
        hashScene(reading.document, draft);
    }
}

/// Gives problems their lines, where there is a text, or says that an override is to blame, and puts them in the order
/// of the file.
void placeProblems(std::vector<SceneProblem>& problems, std::string_view text,
                   const std::vector<std::string>& overridden) {
    std::vector<SceneProblem> fromOverrides;
    const auto split = std::stable_partition(problems.begin(), problems.end(), [&](const SceneProblem& problem) {
        return !isOverridden(problem.pointer, overridden);
    });
    std::move(split, problems.end(), std::back_inserter(fromOverrides));
    problems.erase(split, problems.end());
    if (!text.empty()) {
        locateProblems(text, problems);
    } else {
        for (SceneProblem& problem : problems) {
            problem.message += " (in the scene made for the model)";
        }
    }
    std::stable_sort(problems.begin(), problems.end(),
                     [](const SceneProblem& a, const SceneProblem& b) { return a.line < b.line; });
    for (SceneProblem& problem : fromOverrides) {
        problem.message += " (set by --set)";
        problems.push_back(std::move(problem));
    }
}

/// The text of a scene file, or the document that stands for a model file.
std::string openFile(const fs::path& file, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                     SceneReading& reading, SceneDraft& draft) {
    if (isSceneFile(file)) {
        if (changes.show.isGiven()) {
            fail(ExitCode::Usage, "{}: found it with the scene {}, expected a model: a scene says itself what it shows",
                 changes.show.stage ? "--stage" : "--view", file.string());
        }
        std::string text = readTextFile(file, JsonLimits{}.bytes);
        reading.document = parseJson(text, {}, reading.log.problems);
        return text;
    }
    openModel(file, overrides, changes, reading, draft);
    return {};
}

/// Lays changes that change no sample over what was read.
void applyBeside(const SettingsChanges& changes, Scene& scene) {
    if (const auto exposure = changes.find(fieldOf(kFilmFields, "exposure"));
        exposure && !isWord(*exposure->setting, exposure->value)) { // then nothing is metered
        scene.film.exposurePercentile.reset();
        scene.film.exposureFrames.reset();
    }
    forEachTable(scene, [&](const std::string& /*path*/, const auto& fields, auto& settings) {
        for (const auto& field : fields) {
            const std::optional<SettingChange> change = changes.find(field);
            if (change && !field.changesSamples) {
                field.put(settings, change->value);
            }
        }
    });
    if (changes.has(fieldOf(kFilmFields, "exposure"))) { // instead of those of cameras too
        for (Camera& camera : scene.cameras) {
            camera.exposure.reset();
            camera.photograph.reset();
        }
    }
    if (changes.aovs) {
        scene.film.aovs = changes.aovs(scene.film.aovs);
    }
    if (changes.finish) {
        const Look before = lookOf(scene);
        scene.finish = changes.finish(scene.finish);
        if (scene.animation) { // what an option sets stays so in all frames
            std::erase_if(scene.animation->values, [&](const ValueKeys& value) {
                return valueAt(lookOf(scene), value.pointer) != valueAt(before, value.pointer);
            });
        }
    }
}

/// Whether a model's picture has the denoiser of its stage, for which no one asked.
bool isDenoisedByStage(const std::vector<SceneOverride>& overrides, const SceneDraft& draft) {
    return draft.imported && std::none_of(overrides.begin(), overrides.end(), [](const SceneOverride& asked) {
               return asked.first == "/film/denoise" || asked.first == "/film";
           });
}

/// From the document, if it could be parsed, to the scene.
void readOpened(const std::string& text, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                SceneReading& reading, SceneDraft& draft) {
    if (!reading.log.problems.empty()) {
        return;
    }
    const bool isByStage = isDenoisedByStage(overrides, draft); // the model is moved on
    std::vector<std::string> overridden = applyOverrides(reading.document, overrides, reading.log.problems);
    const std::vector<std::string> changed =
        applyValues(reading.document, documentChanges(changes), reading.log.problems);
    overridden.insert(overridden.end(), changed.begin(), changed.end());
    readNoting(reading.log, [&] { readDocument(reading, draft); });
    placeProblems(reading.log.problems, text, overridden);
    if (reading.log.problems.empty()) {
        // Going without changes no sample, so that the document and its hash are those of a picture that has it. Not
        // all denoisers read independent samples: what is not asked for must not be refused.
        if (isByStage && (!changes.show.denoised || draft.scene.integrator.sampler != SamplerKind::Sobol)) {
            draft.scene.film.denoise = DenoiserKind::None;
        }
        applyBeside(changes, draft.scene);
    }
    reading.scene = std::move(draft.scene);
}

/// An asset without an instance is likely a slip, and costs the time to read it.
void warnOfUnusedAssets(const fs::path& file, const SceneDraft& draft) {
    for (const auto& [name, asset] : draft.assets) {
        if (!asset.used) {
            logWarning("{}: /assets/{}: no instance places it", file.string(), name);
        }
    }
}

/// What is voxelised anew in each frame has no places in between.
void warnOfSharpAssets(const fs::path& file, const SceneDraft& draft, const Scene& scene) {
    if (!scene.film.blurs()) {
        return;
    }
    for (const std::string& name : draft.posed) {
        logWarning("{}: /assets/{}/animation: what is posed anew in each frame, by skins, by morph targets, by nodes "
                   "that stretch unevenly or with a 'share' of false, is not blurred while the shutter is open",
                   file.string(), name);
    }
}

/// Where nothing is placed, only the environment and its sun can be seen, and lights where fog scatters them: they have
/// no extent.
void warnOfBlackPicture(const fs::path& file, const Scene& scene) {
    const Environment& environment = scene.environment;
    const bool black = environment.scale == 0.0F ||
                       (environment.type == EnvironmentType::Constant && environment.radiance == glm::vec3(0.0F));
    const bool isFogLit = (environment.fog || !scene.volumeInstances.empty()) && !scene.lights.empty();
    if (scene.meshInstances.empty() && scene.voxelInstances.empty() && !scene.outlined && !scene.octree &&
        !scene.hasGrids() && black && !environment.sun && !isFogLit) {
        logWarning("{}: found neither an instance nor an environment: the picture is black", file.string());
    }
}

/// Whether a camera may stand in glass that is known by its outline alone, so that nobody could tell (cameraMedium).
bool mayStandInOutlines(const SceneDraft& draft, const Scene& scene) {
    if (draft.outlined.empty() || !hasSolidGlass(scene)) {
        return false;
    }
    const auto holds = [](const SeenInstance& instance, const Camera& camera) {
        Bounds bounds = instance.asset->bounds;
        const glm::dvec3 margin = 1e-3 * bounds.extent();
        bounds.min -= margin;
        bounds.max += margin;
        return bounds.holds(glm::dvec3(glm::inverse(instance.worldFromAsset) * glm::dvec4(camera.position, 1.0)));
    };
    return scene.animation || std::any_of(scene.cameras.begin(), scene.cameras.end(), [&](const Camera& camera) {
               // Rays of a flat camera start all over the picture.
               return camera.projection == Projection::Orthographic ||
                      std::any_of(draft.outlined.begin(), draft.outlined.end(),
                                  [&](const SeenInstance& instance) { return holds(instance, camera); });
           });
}

std::string withoutPrefix(std::string message, const std::string& prefix) {
    if (message.starts_with(prefix)) {
        message.erase(0, prefix.size());
    }
    return message;
}

} // namespace

bool givesValueOf(const SceneOverride& asked, const std::string& pointer) {
    const auto& [place, text] = asked;
    if (!isOverridden(pointer, {place})) {
        return false;
    }
    const Json value = Json::parse(text, nullptr, false);
    return pointer == place || value.contains(Json::json_pointer(pointer.substr(place.size())));
}

SceneReading readScene(const fs::path& file, const std::vector<SceneOverride>& overrides, const OutlineCache* outlines,
                       const SettingsChanges& changes) {
    SceneReading reading;
    SceneDraft draft;
    draft.outlines = outlines;
    draft.frame = changes.frame;
    draft.folder = folderOf(file);
    draft.scene.file = file;
    try {
        const std::string text = openFile(file, overrides, changes, reading, draft);
        readOpened(text, overrides, changes, reading, draft);
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        for (const std::string& line : linesOf(error.what())) {
            reading.log.add("", withoutPrefix(line, file.string() + ": "));
        }
        return reading;
    }
    if (reading.log.problems.empty() && mayStandInOutlines(draft, reading.scene)) {
        return readScene(file, overrides, nullptr, changes);
    }
    if (reading.log.problems.empty() && isSceneFile(file)) {
        warnOfUnusedAssets(file, draft);
        warnOfBlackPicture(file, reading.scene);
    }
    if (reading.log.problems.empty()) {
        warnOfSharpAssets(file, draft, reading.scene);
    }
    return reading;
}

SceneReading readSceneText(const fs::path& file, const std::string& text) {
    SceneReading reading;
    SceneDraft draft;
    draft.folder = folderOf(file);
    draft.scene.file = file;
    reading.document = parseJson(text, {}, reading.log.problems);
    readOpened(text, {}, {}, reading, draft);
    return reading;
}

Scene loadScene(const fs::path& file, const std::vector<SceneOverride>& overrides, const OutlineCache* outlines,
                const SettingsChanges& changes) {
    SceneReading reading = readScene(file, overrides, outlines, changes);
    const std::vector<SceneProblem>& problems = reading.log.problems;
    if (problems.empty()) {
        return std::move(reading.scene);
    }
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < std::min(problems.size(), kMostProblemsShown); ++i) {
        lines.push_back(describeProblem(file, problems[i]));
    }
    if (problems.size() > kMostProblemsShown) {
        lines.push_back(fmt::format("{}: and {} more", file.string(), problems.size() - kMostProblemsShown));
    }
    throw Error(ExitCode::BadInput, fmt::format("{}", fmt::join(lines, "\n")));
}

Validation checkScene(const fs::path& file, const std::vector<SceneOverride>& overrides,
                      const std::function<std::vector<SceneConflict>(const Scene&)>& findMore) {
    SceneReading reading = readScene(file, overrides);
    Validation validation{std::move(reading.log.problems), {}};
    if (!validation.problems.empty()) {
        return validation;
    }
    const Scene& scene = reading.scene;
    std::vector<SceneConflict> conflicts = findConflicts(scene, defaultUse(scene, overrides));
    if (findMore) {
        const std::vector<SceneConflict> more = findMore(scene);
        conflicts.insert(conflicts.end(), more.begin(), more.end());
    }
    validation.problems = placeConflicts(file, overrides, conflicts);
    for (const Camera& camera : scene.cameras) {
        if (!scene.hasDefaultCamera) {
            validation.cameras.push_back(camera.name);
        }
    }
    return validation;
}

std::vector<SceneProblem> placeConflicts(const fs::path& file, const std::vector<SceneOverride>& overrides,
                                         const std::vector<SceneConflict>& conflicts) {
    std::vector<SceneProblem> problems;
    for (const SceneConflict& conflict : conflicts) {
        const std::string with = conflict.with.empty() ? "" : fmt::format(" (see {})", conflict.with);
        problems.push_back({conflict.pointer, 0, conflict.message + with});
    }
    std::vector<std::string> overridden;
    overridden.reserve(overrides.size());
    for (const auto& [pointer, unused] : overrides) {
        overridden.push_back(pointer);
    }
    if (!problems.empty()) {
        placeProblems(problems, isSceneFile(file) ? readTextFile(file, JsonLimits{}.bytes) : "", overridden);
    }
    return problems;
}

std::string describeProblem(const fs::path& file, const SceneProblem& problem) {
    const std::string line = problem.line > 0 ? fmt::format(":{}", problem.line) : "";
    const std::string pointer = problem.pointer.empty() ? "" : problem.pointer + ": ";
    return fmt::format("{}{}: {}{}", file.string(), line, pointer, problem.message);
}

} // namespace aureole
