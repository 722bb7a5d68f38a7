#include "scene/json/json_override.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/suggest.h"
#include "scene/json/json_fields.h"
#include "scene/json/json_reader.h"
#include "settings/fields.h"

namespace aureole {

namespace {

/// The root's objects whose keys are names that a scene chooses; a slip in one must not make a new entry.
constexpr std::array<std::string_view, 5> kNamedCollections = {"/assets", "/instances", "/materials", "/cameras",
                                                               "/lights"};

std::optional<std::size_t> arrayIndex(const std::string& text, std::size_t size) {
    const bool isNumber = !text.empty() && text.size() < 10 && (text == "0" || text.front() != '0') &&
                          std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!isNumber || std::stoul(text) >= size) {
        return std::nullopt;
    }
    return std::stoul(text);
}

std::vector<std::string> keysOf(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, unused] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

/// The value of an override; nothing, with a problem noted, where it is JSON that no scene may hold.
std::optional<Json> parseOverrideValue(const std::string& pointer, const std::string& text,
                                       std::vector<SceneProblem>& problems) {
    if (!Json::accept(text)) {
        return Json(text);
    }
    std::vector<SceneProblem> found;
    Json value = parseJson(text, {}, found);
    for (const SceneProblem& problem : found) {
        problems.push_back({pointer + problem.pointer, 0, problem.message});
    }
    return found.empty() ? std::optional(std::move(value)) : std::nullopt;
}

/// Walks down a document along one override's pointer.
class OverrideWalk {
public:
    OverrideWalk(Json& document, const std::string& pointer, std::vector<SceneProblem>& problems)
        : node_(&document)
        , pointer_(pointer)
        , problems_(problems) {}

    /// Goes to a member or element; makes a missing member. False, with a problem noted, where that cannot be.
    bool enter(const std::string& part, bool isLast) {
        if (node_->is_array()) {
            return enterElement(part);
        }
        if (!node_->is_object()) {
            problem(fmt::format("found {} at {}, expected an object or an array there", describeJson(*node_), path_));
            return false;
        }
        if (!node_->contains(part)) {
            const bool isNamed =
                std::find(kNamedCollections.begin(), kNamedCollections.end(), path_) != kNamedCollections.end();
            if (isNamed && !isLast) {
                problem(fmt::format("found no '{}' in {}{}", part, path_, didYouMean(part, keysOf(*node_))));
                return false;
            }
            (*node_)[part] = Json::object();
            made_ = made_.empty() ? childPointer(path_, part) : made_;
        }
        node_ = &(*node_)[part];
        path_ = childPointer(path_, part);
        return true;
    }

    Json& node() { return *node_; }
    /// The pointer of the outermost thing that had to be made, or of the place itself.
    const std::string& changed() const { return made_.empty() ? path_ : made_; }

private:
    bool enterElement(const std::string& part) {
        const std::optional<std::size_t> index = arrayIndex(part, node_->size());
        if (!index) {
            problem(fmt::format("found the index '{}' into {}, which has {} elements", part, path_, node_->size()));
            return false;
        }
        node_ = &(*node_)[*index];
        path_ = childPointer(path_, part);
        return true;
    }
    void problem(std::string message) { problems_.push_back({pointer_, 0, std::move(message)}); }

    Json* node_;
    const std::string& pointer_;
    std::vector<SceneProblem>& problems_;
    std::string path_;
    std::string made_;
};

/// Sets the place that `parts` name, and returns the pointer of what changed.
std::string setValue(Json& document, const std::vector<std::string>& parts, const std::string& pointer, Json value,
                     std::vector<SceneProblem>& problems) {
    OverrideWalk walk(document, pointer, problems);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!walk.enter(parts[i], i + 1 == parts.size())) {
            return pointer;
        }
    }
    walk.node() = std::move(value);
    return walk.changed();
}

/// Removes the member at the end of `parts`; nothing happens where it is not there.
void removeKey(Json& document, const std::vector<std::string>& parts, const std::string& pointer,
               std::vector<SceneProblem>& problems) {
    OverrideWalk walk(document, pointer, problems);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (walk.node().is_object() && !walk.node().contains(parts[i])) {
            problems.push_back(
                {pointer, 0,
                 fmt::format("found no '{}' to remove{}", parts[i], didYouMean(parts[i], keysOf(walk.node())))});
            return;
        }
        if (!walk.enter(parts[i], false)) {
            return;
        }
    }
    if (!walk.node().is_object() || walk.node().erase(parts.back()) == 0) {
        const std::string hint = walk.node().is_object() ? didYouMean(parts.back(), keysOf(walk.node())) : "";
        problems.push_back({pointer, 0, fmt::format("found no key '{}' to remove{}", parts.back(), hint)});
    }
}

} // namespace

std::vector<std::string> applyOverrides(Json& document, const std::vector<SceneOverride>& overrides,
                                        std::vector<SceneProblem>& problems) {
    std::vector<std::string> changed;
    for (const auto& [pointer, text] : overrides) {
        changed.push_back(pointer);
        std::vector<std::string> parts;
        if (!splitPointer(pointer, parts) || parts.size() > JsonLimits{}.depth) {
            problems.push_back({pointer, 0, "expected a JSON pointer such as /film/size"});
            continue;
        }
        std::optional<Json> value = parseOverrideValue(pointer, text, problems);
        if (!value) {
            continue;
        }
        if (value->is_null()) {
            removeKey(document, parts, pointer, problems);
            continue;
        }
        changed.back() = setValue(document, parts, pointer, std::move(*value), problems);
    }
    return changed;
}

Json valueOfOverride(const std::string& text) {
    return Json::accept(text) ? Json::parse(text) : Json(text);
}

std::vector<std::pair<std::string, Json>> documentChanges(const SettingsChanges& changes) {
    std::vector<std::pair<std::string, Json>> values;
    for (const SettingChange& change : changes.settings) {
        if (change.setting->changesSamples) {
            values.emplace_back(pointerOf(*change.setting), toJson(*change.setting, change.value));
        }
    }
    if (changes.size) {
        values.emplace_back("/film/size", Json::array({changes.size->x, changes.size->y}));
    }
    return values;
}

std::vector<std::string> applyValues(Json& document, const std::vector<std::pair<std::string, Json>>& values,
                                     std::vector<SceneProblem>& problems) {
    std::vector<std::string> changed;
    for (const auto& [pointer, value] : values) {
        std::vector<std::string> parts;
        splitPointer(pointer, parts);
        changed.push_back(setValue(document, parts, pointer, value, problems));
    }
    return changed;
}

bool isOverridden(std::string_view pointer, const std::vector<std::string>& overridden) {
    return std::any_of(overridden.begin(), overridden.end(), [&](const std::string& place) {
        return pointer == place || (pointer.starts_with(place) && pointer[place.size()] == '/');
    });
}

} // namespace aureole
