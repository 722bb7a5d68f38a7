#include <limits>

#include "core/error.h"
#include "core/file.h"
#include "scene/asset_path.h"
#include "scene/scene_draft.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

std::optional<fs::path> resolveReference(const ValueReader& value, const std::string& reference,
                                         const fs::path& folder) {
    try {
        return resolveAsset(folder, folder, reference, value.pointer());
    } catch (const Error& error) {
        // The problem has its pointer already.
        std::string message = error.what();
        if (const std::string prefix = value.pointer() + ": "; message.starts_with(prefix)) {
            message.erase(0, prefix.size());
        }
        value.log().add(value.pointer(), message);
        return std::nullopt;
    }
}

} // namespace

std::optional<fs::path> readAssetPath(const ValueReader& value, const fs::path& folder) {
    std::string reference;
    return value.read(reference) ? resolveReference(value, reference, folder) : std::nullopt;
}

std::optional<fs::path> readAssetPathIn(const ValueReader& value, std::string_view name, const fs::path& folder) {
    std::string reference;
    if (!value.read(reference)) {
        return std::nullopt;
    }
    if (!reference.empty()) {
        reference += '/';
        reference += name;
    }
    return resolveReference(value, reference, folder);
}

bool noteErrors(const ValueReader& value, const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        value.log().add(value.pointer(), error.what());
        return false;
    }
}

void hashFile(SceneDraft& draft, const fs::path& file) {
    const std::vector<std::byte> bytes = readFile(file, std::numeric_limits<std::uintmax_t>::max());
    draft.files.add(bytes.data(), bytes.size());
}

} // namespace aureole
