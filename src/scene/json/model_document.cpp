#include "scene/json/model_document.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "import/import.h"
#include "import/model_outline.h"
#include "scene/json/json_override.h"
#include "scene/json/model_defaults.h"
#include "settings/fields.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

using Values = std::vector<std::pair<std::string, Json>>;

/// What overrides and then changes ask for, by pointer.
Values askedFor(const std::vector<SceneOverride>& overrides, const SettingsChanges& changes) {
    Values asked;
    for (const auto& [pointer, text] : overrides) {
        asked.emplace_back(pointer, valueOfOverride(text));
    }
    const Values changed = documentChanges(changes);
    asked.insert(asked.end(), changed.begin(), changed.end());
    return asked;
}

/// The film's shape that is asked for, so that a model's camera is framed for it; wrong ones are reported later.
double aspectOf(const Values& asked) {
    double aspect = static_cast<double>(FilmSettings{}.width) / FilmSettings{}.height;
    for (const auto& [pointer, size] : asked) {
        if (pointer == "/film/size" && size.is_array() && size.size() == 2 && size[0].is_number() &&
            size[1].is_number() && size[0].get<double>() >= 1.0 && size[1].get<double>() >= 1.0) {
            aspect = size[0].get<double>() / size[1].get<double>();
        }
    }
    return aspect;
}

/// The resolution of the slab that stands for a model's floor where a surface is asked for that shows closed meshes
/// only: the one that is asked for, or the greatest; for a picture, whose cameras choose, one that small models have. 0
/// where the floor is a plane. `closed` says which it is where nothing is asked for.
std::uint32_t slabResolutionOf(const Values& asked, bool isPicture, bool closed) {
    std::uint32_t resolution = isPicture ? 128 : kMaximumResolution;
    for (const auto& [pointer, value] : asked) {
        if (pointer == "/voxels/surface") {
            closed = value == "field";
        } else if (pointer == "/voxels/resolution" && value.is_number_unsigned()) {
            resolution = static_cast<std::uint32_t>(
                std::clamp<std::uint64_t>(value.get<std::uint64_t>(), kMinimumResolution, kMaximumResolution));
        }
    }
    return closed ? resolution : 0;
}

/// The last value that is asked for at a place; null where none is.
Json lastAsked(const Values& asked, std::string_view place) {
    Json last;
    for (const auto& [pointer, value] : asked) {
        if (pointer == place) {
            last = value;
        }
    }
    return last;
}

/// The grid of a model's file that is asked for; whoever reads the asset tells of one that is none.
std::string gridOf(const Values& asked) {
    Json grid = lastAsked(asked, "/assets/model/grid");
    grid = grid.is_null() ? lastAsked(asked, "/assets/model/volume/grid") : grid; // of fog
    return grid.is_string() ? grid.get<std::string>() : "";
}

/// The frame of a model's file that is asked for, unless that is the first.
std::vector<std::uint32_t> framesOf(const Values& asked, const SettingsChanges& changes) {
    const Json frame = changes.frame ? Json(*changes.frame) : lastAsked(asked, "/instances/model/frame");
    const bool isLater = frame.is_number_unsigned() && frame > 0U && frame < kMaximumFrames;
    return isLater ? std::vector{frame.get<std::uint32_t>()} : std::vector<std::uint32_t>();
}

/// From below, a floor hides the model.
void checkView(const ModelShow& show) {
    if (show.view && show.view->elevation < 0.0 && show.stage != ModelStage::None) {
        fail(ExitCode::Usage,
             "--view: found an elevation of {:g}, expected 0 to 90: below is the floor; '--stage none' has none",
             show.view->elevation);
    }
}

} // namespace

void openModel(const fs::path& file, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
               SceneReading& reading, SceneDraft& draft) {
    if (!isModelFile(file)) {
        fail(ExitCode::BadInput, "{}: found the extension '{}', expected .json or a model: .{}", file.string(),
             file.extension().string(), fmt::join(modelExtensions(), " ."));
    }
    checkView(changes.show);
    // Whoever names a model through a link means what it leads to, and that one's folder.
    std::error_code status; // of a name that cannot be followed the import tells why
    const bool isLink = fs::is_symlink(file, status);
    const fs::path target = isLink ? fs::weakly_canonical(file, status) : file;
    const fs::path source = status ? file : target;
    draft.folder = folderOf(source);
    const Values asked = askedFor(overrides, changes);
    ImportOptions options = {.sceneFolder = draft.folder,
                             .grid = gridOf(asked),
                             .frames = framesOf(asked, changes),
                             .moment = momentOf(lastAsked(asked, "/assets/model/animation"), changes.frame)};
    if (const Json colours = lastAsked(asked, "/assets/model/colourGrid"); colours.is_string()) {
        options.colourGrid = colours.get<std::string>();
    }
    // Outlines lack parts and poses.
    options.outlines = lastAsked(asked, "/assets/model/share") != true && !options.moment ? draft.outlines : nullptr;
    ImportedModel model = importModel(source, options);
    const ModelOutline outline = outlineOf(model);
    if (outline.frames > 1 && changes.show.picture && !changes.frame) {
        logInfo("frames   {}; render --frames 0:{} renders all", outline.frames, outline.frames);
    }
    const bool isLevelSet = outline.levelSetCell > 0.0;
    const std::uint32_t slabResolution = slabResolutionOf(asked, changes.show.picture && !isLevelSet, isLevelSet);
    reading.document = modelScene(source, model, aspectOf(asked), slabResolution, changes.show);
    if (!isLevelSet && reading.document.contains("voxels") &&
        reading.document["voxels"].contains("surface")) { // of a picture
        Json& resolution = reading.document["voxels"]["resolution"];
        draft.leastByView = resolution.get<std::uint32_t>();
        resolution = "view";
    }
    const bool isExposed =
        std::any_of(asked.begin(), asked.end(), [](const auto& value) { return value.first == "/film/exposure"; });
    if (isExposed && reading.document.contains("film")) {
        reading.document["film"].erase("exposurePercentile"); // which goes with the stage's own exposure
        reading.document["film"].erase("exposureFrames");
    }
    options.modelLinks = Links::Refuse; // which the resolved path has none of
    draft.imported.emplace(ModelSource{fs::weakly_canonical(source, status), std::move(options)}, std::move(model));
}

} // namespace aureole
