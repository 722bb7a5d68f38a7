#include <functional>

#include "core/error.h"
#include "core/input_file.h"
#include "core/lines.h"
#include "import/asset_path.h"
#include "import/file_pieces.h"
#include "import/vdb/volume_grid.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

/// What `find` returns, or nothing and a problem where it throws.
template <typename Found>
std::optional<Found> notedPath(const ValueReader& value, const std::function<Found()>& find) {
    try {
        return find();
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
    if (!value.read(reference)) {
        return std::nullopt;
    }
    return notedPath<fs::path>(value, [&] { return resolveAsset(folder, folder, reference, value.pointer()); });
}

std::optional<fs::path> readAssetPathIn(const ValueReader& value, const std::string& name, std::string_view advice,
                                        const fs::path& folder) {
    std::string reference;
    if (!value.read(reference)) {
        return std::nullopt;
    }
    return notedPath<fs::path>(value, [&] {
        try {
            const std::string file = reference.empty() ? "" : reference + '/' + name;
            return resolveAsset(folder, folder, file, value.pointer());
        } catch (const Error& error) {
            fail(error.code(), "{}; {}", error.what(), advice);
        }
    });
}

bool noteErrors(const ValueReader& value, const std::function<void()>& action) {
    return noteErrors(value, GridKeys{}, {}, action);
}

bool noteErrors(const ValueReader& value, const GridKeys& grids, const fs::path& path,
                const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        const vdb::GridSubject subject = vdb::subjectOf(error.what(), path.string());
        const ValueReader& place = subject == vdb::GridSubject::Grid      ? grids.grid.value_or(value)
                                   : subject == vdb::GridSubject::Colours ? grids.colours.value_or(value)
                                                                          : value;
        for (const std::string& line : linesOf(error.what())) {
            place.log().add(place.pointer(), line);
        }
        return false;
    }
}

void hashFile(SceneDraft& draft, const fs::path& file) {
    const InputFile open = InputFile::open(file, Links::Refuse);
    forEachPiece(open, {}, [&](std::span<const std::byte> piece) { draft.files.add(piece.data(), piece.size()); });
    draft.scene.files.push_back(file);
}

} // namespace aureole
