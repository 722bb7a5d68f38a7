// "lightGroup": lights that are kept apart from others in the picture's layers.

#include <algorithm>

#include <fmt/format.h>

#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

constexpr std::size_t kLongestName = 64;
/// What the layer of the light without a group is called; its name among the groups is "".
constexpr std::string_view kDefaultName = "default";

/// Groups name layers of EXR files, in which points have a meaning.
bool isGroupName(const std::string& name) {
    return name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                      c == '-';
           });
}

} // namespace

std::uint32_t readLightGroup(ObjectReader& in, SceneDraft& draft) {
    std::string name;
    const auto value = in.find("lightGroup");
    if (!value || !value->read(name)) {
        return 0;
    }
    if (!isGroupName(name)) {
        value->expected(fmt::format("up to {} letters, digits, '_' and '-'", kLongestName));
        return 0;
    }
    if (name == kDefaultName) {
        return 0;
    }
    std::vector<std::string>& groups = draft.scene.lightGroups;
    const auto known = std::find(groups.begin(), groups.end(), name);
    if (known != groups.end()) {
        return static_cast<std::uint32_t>(known - groups.begin());
    }
    groups.push_back(name);
    return static_cast<std::uint32_t>(groups.size() - 1);
}

} // namespace aureole
