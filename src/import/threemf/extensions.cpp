#include "import/threemf/extensions.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/error.h"
#include "core/log.h"
#include "core/printable.h"

namespace aureole::threemf {

namespace {

constexpr std::array<std::string_view, 5> kRead = {"core/", "2013/", "material/", "production/2", "trianglesets/"};
/// What these add stands beside meshes, which objects have all the same.
constexpr std::array<std::string_view, 2> kBesideMeshes = {"slice/", "production/alternatives/"};

/// Whether an address is of the format, and goes on with one of some words.
bool isAmong(std::string_view space, std::span<const std::string_view> words) {
    if (!space.starts_with(kSpacesOfFormat)) {
        return false;
    }
    const std::string_view rest = space.substr(kSpacesOfFormat.size());
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return rest.starts_with(word); });
}

} // namespace

bool isRead(std::string_view space) {
    return isAmong(space, kRead);
}

void checkExtensions(const Element& model, std::set<std::string>& unread) {
    constexpr std::size_t kShownAddress = 120;
    for (const bool isRequired : {true, false}) {
        for (const std::string_view prefix : model.words(isRequired ? "requiredextensions" : "recommendedextensions")) {
            const std::string_view space = model.namespaceOf(prefix);
            if (isRead(space)) {
                continue;
            }
            const std::string found = fmt::format(
                "{}: <model>: found the {} extension '{}', {}", model.place(), isRequired ? "required" : "recommended",
                excerpt(prefix), space.empty() ? "a prefix that is not declared" : excerpt(space, kShownAddress));
            const bool isBesideMeshes = isAmong(space, kBesideMeshes);
            if (isRequired && !isBesideMeshes) {
                fail(ExitCode::BadInput,
                     "{}, which is not read, expected none but materials, production, slices and triangle sets", found);
            }
            if (unread.emplace(space).second) {
                logWarning("{}, which is not read: models are shown {}", found,
                           isBesideMeshes ? "by their meshes" : "without");
            }
        }
    }
}

} // namespace aureole::threemf
