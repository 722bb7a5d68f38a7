#include "import/outline_cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/error.h"
#include "core/extension.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "import/asset_path.h"
#include "import/file_pieces.h"
#include "import/model_outline.h"
#include "import/model_pack.h"
#include "sandbox/json_pack.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Raised when the importers come to read other cameras, lights, material names, bounds or hulls, or the hash changes.
/// Where types have other members, names of files change by themselves.
constexpr int kOutlineVersion = 13;
constexpr std::uint64_t kCacheBytes = std::uint64_t{16} << 20U;

/// The hash of a file's content; none where it cannot be read.
std::optional<std::uint64_t> contentChecksum(const fs::path& file) {
    try {
        const InputFile input = InputFile::open(file);
        Hasher hasher;
        forEachPiece(input, {}, [&](std::span<const std::byte> piece) { hasher.add(piece.data(), piece.size()); });
        return hasher.value();
    } catch (const Error&) { // whoever reads it says why
        return std::nullopt;
    }
}

/// A further file of a model, from its folder, and the checksum of its content.
struct Reference {
    std::string path;
    std::uint64_t checksum = 0;
};

template <typename Archive>
void pack(Archive& archive, Reference& reference) {
    archive(reference.path, reference.checksum);
}

/// What a file of the cache holds.
struct StoredOutline {
    std::string hash;
    ModelOutline outline;
    std::vector<std::string> materials; ///< their names
    std::vector<Camera> cameras;
    std::vector<PunctualLight> lights;
    std::optional<Daylight> daylight;
    std::vector<Reference> references;
};

template <typename Archive>
void pack(Archive& archive, StoredOutline& stored) {
    archive(stored.hash, stored.outline, stored.materials, stored.cameras, stored.lights, stored.daylight,
            stored.references);
}

StoredOutline storedOf(const ImportedModel& model) {
    StoredOutline stored{model.hash, outlineOf(model), {}, model.cameras, model.lights, model.daylight, {}};
    for (const Material& material : model.materials) {
        stored.materials.push_back(material.name);
    }
    return stored;
}

ImportedModel modelFrom(StoredOutline stored) {
    ImportedModel model;
    model.hash = std::move(stored.hash);
    model.outline = std::move(stored.outline);
    for (std::string& name : stored.materials) {
        model.materials.emplace_back().name = std::move(name);
    }
    model.cameras = std::move(stored.cameras);
    model.lights = std::move(stored.lights);
    model.daylight = stored.daylight;
    return model;
}

/// The further files of a model, if they are all there and as they were.
std::optional<std::vector<fs::path>> findReferences(const std::vector<Reference>& stored, const fs::path& file,
                                                    const ImportOptions& options) {
    const fs::path folder = folderOf(file);
    const fs::path sceneFolder = options.sceneFolder.empty() ? folder : options.sceneFolder;
    std::vector<fs::path> references;
    for (const Reference& reference : stored) {
        const auto path = findAsset(sceneFolder, folder, reference.path, file.string());
        if (!path || contentChecksum(*path) != reference.checksum) {
            return std::nullopt;
        }
        references.push_back(*path);
    }
    return references;
}

/// The text with its checksum before it, and the other way round: empty where it is damaged.
std::string sealed(const std::string& text) {
    return fmt::format("{:016x}\n{}", checksum(std::as_bytes(std::span(text))), text);
}

std::string unsealed(const std::string& file) {
    std::string text = file.substr(std::min<std::size_t>(file.size(), 17));
    return sealed(text) == file ? text : std::string();
}

} // namespace

OutlineCache::OutlineCache(fs::path folder)
    : files_(std::move(folder), kCacheBytes, "model outlines") {}

std::optional<std::string> OutlineCache::nameOf(const fs::path& file, const ImportOptions& options) {
    const std::optional<std::uint64_t> content = contentChecksum(file);
    if (!content) {
        return std::nullopt;
    }
    Hasher hasher;
    hasher.add(fmt::format("outline {} {} {} {} {} {}", kOutlineVersion, sandbox::layoutOf<StoredOutline>(),
                           lowerExtension(file), options.normalGreenDown, options.grid,
                           options.colourGrid.value_or("\n")));
    hasher.add(&*content, sizeof(*content));
    return hasher.hex() + ".json";
}

std::optional<ImportedModel> OutlineCache::find(const std::string& name, const fs::path& file,
                                                const ImportOptions& options) const {
    const std::optional<fs::path> found = files_.find(name);
    if (!found) {
        return std::nullopt;
    }
    try {
        StoredOutline stored;
        sandbox::JsonUnpacker::read(Json::parse(unsealed(readTextFile(*found, kCacheBytes))), stored);
        std::optional<std::vector<fs::path>> references = findReferences(stored.references, file, options);
        if (!references) {
            return std::nullopt;
        }
        ImportedModel model = modelFrom(std::move(stored));
        model.files = std::move(*references);
        model.files.push_back(file);
        return model;
    } catch (const Error&) {
        return std::nullopt; // a file is gone; the import tells which
    } catch (const Json::exception&) {
        files_.discard(name, found->string() + " is damaged");
        return std::nullopt;
    }
}

void OutlineCache::store(const std::string& name, const fs::path& file, const ImportOptions& options,
                         const ImportedModel& model, const std::vector<fs::path>& references) const {
    if (nameOf(file, options) != name) {
        return; // it was replaced while it was read: the outline may be that of either content
    }
    StoredOutline stored = storedOf(model);
    if (stored.outline.bounds.empty()) {
        return; // nothing solid in it: not worth a case of its own
    }
    std::error_code status;
    const fs::path folder = fs::weakly_canonical(folderOf(file), status);
    for (const fs::path& reference : references) {
        const std::optional<std::uint64_t> content = contentChecksum(reference);
        const fs::path path = fs::relative(reference, folder, status);
        if (!content || status) {
            return;
        }
        stored.references.push_back({path.string(), *content});
    }
    const Json json = sandbox::JsonPacker::jsonOf(stored);
    const std::string text = sealed(json.dump(-1, ' ', false, Json::error_handler_t::ignore));
    files_.store(name, text.size(), [&](const fs::path& path) {
        writeFileAtomically(path, std::as_bytes(std::span(text)), FileSync::No);
    });
}

} // namespace aureole
