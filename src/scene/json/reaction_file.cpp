// Files that hold one reaction-diffusion texture.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/file.h"
#include "model/reaction_texture.h"
#include "scene/json/json_override.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

/// Reads the texture where the document could be had, and gives the problems their lines.
ReactionTexture readFile(const std::string& text, const std::vector<SceneOverride>& overrides, SceneDraft& draft,
                         ReadLog& log) {
    ReactionTexture texture;
    Json document = parseJson(text, {}, log.problems);
    if (!log.problems.empty()) {
        return texture;
    }
    const std::vector<std::string> overridden = applyOverrides(document, overrides, log.problems);
    readNoting(log, [&] {
        ValueReader(document, "", log).readObject([&](ObjectReader& in) {
            for (const char* key : {"$schema", "description"}) {
                in.find(key);
            }
            texture = readReactionTexture(in, draft);
        });
    });
    locateProblems(text, log.problems);
    for (SceneProblem& problem : log.problems) {
        if (isOverridden(problem.pointer, overridden)) {
            problem.line = 0;
            problem.message += " (set by --set)";
        }
    }
    return texture;
}

} // namespace

ReactionTexture loadReactionTexture(const fs::path& file, const std::vector<SceneOverride>& overrides,
                                    std::vector<fs::path>& files) {
    ReadLog log;
    SceneDraft draft;
    draft.folder = folderOf(file);
    ReactionTexture texture = readFile(readTextFile(file, JsonLimits{}.bytes), overrides, draft, log);
    if (!log.problems.empty()) {
        std::vector<std::string> lines;
        for (const SceneProblem& problem : log.problems) {
            lines.push_back(describeProblem(file, problem));
        }
        throw Error(ExitCode::BadInput, fmt::format("{}", fmt::join(lines, "\n")));
    }
    files = std::move(draft.scene.files);
    return texture;
}

} // namespace aureole
