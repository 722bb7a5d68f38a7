#include "import/asset_path.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/suggest.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

bool isDriveLetter(std::string_view text) {
    return text.size() >= 2 && std::isalpha(static_cast<unsigned char>(text[0])) != 0 && text[1] == ':';
}

/// Whether `text` opens with a URI scheme such as "http:".
bool hasScheme(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon < 2) {
        return false;
    }
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
    });
}

bool isInside(const fs::path& folder, const fs::path& path) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// For the file, or for the outermost of its folders that is missing.
std::string suggestSibling(fs::path missing) {
    std::vector<std::string> names;
    std::error_code status;
    while (!fs::exists(missing.parent_path(), status) && missing.has_relative_path()) {
        missing = missing.parent_path();
    }
    for (fs::directory_iterator entry(missing.parent_path(), status), end; !status && entry != end;
         entry.increment(status)) {
        names.push_back(entry->path().filename().string());
    }
    return didYouMean(missing.filename().string(), names);
}

/// The resolved path of a reference that stays inside the scene folder, there or not.
fs::path confine(const fs::path& sceneFolder, const fs::path& baseFolder, std::string_view reference,
                 std::string_view place) {
    std::string text(reference);
    std::replace(text.begin(), text.end(), '\\', '/');
    if (text.empty()) {
        fail(ExitCode::BadInput, "{}: empty file name, expected a path relative to the file's folder", place);
    }
    if (text.find('\0') != std::string::npos) {
        fail(ExitCode::BadInput, "{}: file name with a zero byte, expected a path", place);
    }
    if (text.front() == '/' || isDriveLetter(text)) {
        fail(ExitCode::BadInput, "{}: found the absolute path '{}', expected one relative to the file's folder", place,
             reference);
    }
    if (hasScheme(text)) {
        fail(ExitCode::BadInput, "{}: found the URL '{}', expected a file inside the scene folder", place, reference);
    }
    std::error_code status;
    const fs::path root = fs::weakly_canonical(sceneFolder.empty() ? fs::path(".") : sceneFolder, status);
    const fs::path base = baseFolder.empty() ? fs::path(".") : baseFolder;
    fs::path path = fs::weakly_canonical(base / text, status);
    if (status) {
        fail(ExitCode::BadInput, "{}: '{}' cannot be resolved: {}", place, reference, status.message());
    }
    if (!isInside(root, path)) {
        fail(ExitCode::BadInput, "{}: '{}' leaves the scene folder {}, expected a file inside it", place, reference,
             root.string());
    }
    return path;
}

} // namespace

std::optional<fs::path> findAsset(const fs::path& sceneFolder, const fs::path& baseFolder, std::string_view reference,
                                  std::string_view place) {
    fs::path path = confine(sceneFolder, baseFolder, reference, place);
    std::error_code status;
    if (!fs::exists(path, status)) {
        return std::nullopt;
    }
    if (!fs::is_regular_file(path, status)) {
        fail(ExitCode::BadInput, "{}: '{}' is no regular file", place, reference);
    }
    return path;
}

fs::path resolveAsset(const fs::path& sceneFolder, const fs::path& baseFolder, std::string_view reference,
                      std::string_view place) {
    if (std::optional<fs::path> path = findAsset(sceneFolder, baseFolder, reference, place)) {
        return std::move(*path);
    }
    const fs::path missing = confine(sceneFolder, baseFolder, reference, place);
    fail(ExitCode::BadInput, "{}: '{}' does not exist{}", place, reference, suggestSibling(missing));
}

} // namespace aureole
