#include "import/pictures/picture_finder.h"

#include "core/error.h"
#include "core/log.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

/// The last part of a path of any system.
std::string lastName(const std::string& reference) {
    const std::size_t end = reference.find_last_of("/\\:");
    return end == std::string::npos ? reference : reference.substr(end + 1);
}

/// The file of that name in the folder, where there is one.
std::optional<fs::path> namesake(const AssetReader& reader, const std::string& folder, const std::string& name,
                                 std::string_view place) {
    try {
        return name.empty() ? std::nullopt : reader.find(folder + name, place);
    } catch (const Error&) { // such as a link that leads out of the scene's folder: of no use either
        return std::nullopt;
    }
}

} // namespace

std::optional<fs::path> PictureFinder::find(const std::string& folder, const std::string& reference,
                                            std::string_view place) {
    const auto [entry, isNew] = found_.try_emplace(folder + '|' + reference);
    if (isNew) {
        entry->second = search(folder, reference, place);
    }
    return entry->second;
}

std::optional<fs::path> PictureFinder::search(const std::string& folder, const std::string& reference,
                                              std::string_view place) const {
    // An absolute path stays one, so that it is refused as such.
    const bool absolute = reference.find_first_of("/\\") == 0 || reference.find(':') != std::string::npos;
    try {
        return reader_.resolve(absolute ? reference : folder + reference, place);
    } catch (const Error& error) {
        const std::string name = lastName(reference);
        std::optional<fs::path> found = namesake(reader_, folder, name, place);
        if (found) {
            logWarning("{}; {} is taken for it", error.what(), found->string());
        } else {
            logWarning("{}; materials go without it", error.what());
        }
        return found;
    }
}

} // namespace aureole
