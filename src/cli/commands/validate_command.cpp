#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/standard_output.h"
#include "scene/scene_conflicts.h"
#include "session/file_conflicts.h"
#include "session/textures.h"
#include "voxel/surface/surface_closures.h"

namespace aureole::cli {

namespace {

struct ValidateOptions {
    std::string scene;
    std::vector<SceneOverride> overrides;
};

ExitCode validate(const ValidateOptions& options) {
    const auto [problems, cameras] = checkScene(options.scene, options.overrides, [](const Scene& scene) {
        std::vector<SceneConflict> conflicts = findMeshConflicts(scene);
        for (const auto find : {findBloomFileConflicts, findReliefConflicts, findTextureConflicts}) {
            const std::vector<SceneConflict> more = find(scene);
            conflicts.insert(conflicts.end(), more.begin(), more.end());
        }
        return conflicts;
    });
    if (problems.empty()) {
        const std::string choice =
            cameras.empty() ? "" : fmt::format("; to render, --camera with '{}'", fmt::join(cameras, "', '"));
        printOutput("{}: valid{}\n", options.scene, choice);
        return ExitCode::Done;
    }
    std::vector<std::string> lines;
    lines.reserve(problems.size());
    for (const SceneProblem& problem : problems) {
        lines.push_back(describeProblem(options.scene, problem));
    }
    fail(ExitCode::BadInput, "{}", fmt::join(lines, "\n"));
}

} // namespace

void addValidateCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "validate", "Check a scene file and all it names, without rendering");
    const auto options = std::make_shared<ValidateOptions>();
    require(addFile(*command, "SCENE", "", modelHelp(), sceneExtensions(), options->scene));
    addOverrides(*command, options->overrides);
    setFooter(*command, "Every problem is reported, with its line and JSON pointer, and the exit code is 3.\n\n"
                        "Examples:\n"
                        "  aureole validate scene.json\n"
                        "  aureole validate scene.json --set '/film/size=[640,360]'");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return validate(*options); }; });
}

} // namespace aureole::cli
