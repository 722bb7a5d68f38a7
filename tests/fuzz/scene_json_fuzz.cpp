// The text of scene files, and values that --set puts into them: behind each zero byte stands one, "/pointer=value".
//
// What is accepted is sane, and is the same scene when its document is written and read again. What is refused has
// problems with places that are there.

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz.h"
#include "sane_scene.h"
#include "scene/json/scene_reader.h"
#include "scene/load.h"

namespace aureole::fuzz {

namespace {

/// A scene of this size takes no time to read.
constexpr std::string_view kModel = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> result;
    while (true) {
        const std::size_t end = std::min(text.find('\0'), text.size());
        result.emplace_back(text.substr(0, end));
        if (end == text.size()) {
            return result;
        }
        text.remove_prefix(end + 1);
    }
}

void requireGoodProblems(const std::filesystem::path& file, const SceneReading& reading, const std::string& text) {
    const auto lines = static_cast<std::size_t>(1 + std::count(text.begin(), text.end(), '\n'));
    for (const SceneProblem& problem : reading.log.problems) {
        std::vector<std::string> keys;
        require(problem.pointer.empty() || splitPointer(problem.pointer, keys) || problem.message.ends_with("--set)"),
                "problems have a JSON pointer");
        require(problem.line <= lines, "problems stand on lines of the file");
        require(!problem.message.empty(), "problems say what is wrong");
        require(!describeProblem(file, problem).empty(), "problems can be described");
    }
}

} // namespace

void runInput(Bytes input) {
    static const std::filesystem::path kObj = written("model.obj", bytesOf(kModel));
    const std::vector<std::string> texts = parts(textOf(input));
    std::vector<SceneOverride> overrides;
    for (std::size_t i = 1; i < texts.size(); ++i) {
        const std::size_t equals = std::min(texts[i].find('='), texts[i].size());
        overrides.emplace_back(texts[i].substr(0, equals), texts[i].substr(std::min(equals + 1, texts[i].size())));
    }
    const std::filesystem::path file = written("scene.json", bytesOf(texts.front()));
    const SceneReading reading = readScene(file, overrides);
    requireGoodProblems(file, reading, texts.front());
    if (!reading.log.problems.empty()) {
        return;
    }
    requireSane(reading.scene);
    const SceneReading again = readSceneText(file, reading.document.dump());
    require(again.log.problems.empty(), "a scene that was accepted is so again");
    require(again.document == reading.document, "a document is the same when written and read");
    require(again.scene.surfaceHash == reading.scene.surfaceHash, "the same document gives the same surfaces");
}

} // namespace aureole::fuzz
