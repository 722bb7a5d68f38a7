#include "film/checkpoint.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "image/attributes.h"
#include "image/byte_reader.h"
#include "image/byte_writer.h"
#include "settings/fields.h"

namespace aureole {

namespace {

constexpr std::string_view kMagic = "aureckpt";
constexpr std::size_t kHead = kMagic.size() + sizeof(std::uint32_t);
/// More than any film: the largest picture with all layers.
constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{1} << 40U;

/// A field of an identity, and the attribute that holds it in files.
struct IdentityField {
    const char* attribute;
    std::string RenderIdentity::*value;
};

constexpr std::array kMustBeSame = {
    IdentityField{kVersionAttribute, &RenderIdentity::version},
    IdentityField{kSeedAttribute, &RenderIdentity::seed},
    IdentityField{kCameraAttribute, &RenderIdentity::camera},
    IdentityField{kSizeAttribute, &RenderIdentity::size},
    IdentityField{kCropAttribute, &RenderIdentity::crop},
    IdentityField{kBackendAttribute, &RenderIdentity::backend},
    IdentityField{kAovsAttribute, &RenderIdentity::aovs},
};
constexpr std::array kMayChangeLastBits = {
    IdentityField{kDeviceAttribute, &RenderIdentity::device},
    IdentityField{kDriverAttribute, &RenderIdentity::driver},
};
constexpr IdentityField kHash{kSceneHashAttribute, &RenderIdentity::sceneHash};
constexpr IdentityField kCommand{kCommandAttribute, &RenderIdentity::command};

/// Calls visit(field) for every field.
template <typename Visit>
void eachField(Visit visit) {
    std::for_each(kMustBeSame.begin(), kMustBeSame.end(), visit);
    std::for_each(kMayChangeLastBits.begin(), kMayChangeLastBits.end(), visit);
    visit(kHash);
    visit(kCommand);
}

/// A value in a message.
std::string shown(const std::string& value) {
    return value.empty() ? "none" : value;
}

/// The text that an identity has of a setting; empty where it has none.
std::string settingOf(const RenderIdentity& identity, const std::string& attribute) {
    const auto found = identity.settings.find(attribute);
    return found == identity.settings.end() ? std::string() : found->second;
}

template <typename T>
void addArray(ByteWriter& writer, std::span<const T> values) {
    writer.add(static_cast<std::uint64_t>(values.size()));
    writer.addBytes(std::as_bytes(values));
}

void addText(ByteWriter& writer, std::string_view text) {
    addArray(writer, std::span(text.data(), text.size()));
}

template <typename T>
std::vector<T> readArray(ByteReader& reader, const char* what) {
    const auto count = reader.read<std::uint64_t>(what);
    // A larger count could make the product wrap round; take() refuses more bytes than the file has.
    const std::uint64_t bytes = count > kMaximumBytes ? kMaximumBytes : count * sizeof(T);
    const std::span<const std::byte> from = reader.take(bytes, what);
    std::vector<T> values(from.size() / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), from.data(), from.size());
    }
    return values;
}

std::string readText(ByteReader& reader, const char* what) {
    const std::vector<char> text = readArray<char>(reader, what);
    return {text.begin(), text.end()};
}

void checkMagic(std::span<const std::byte> bytes, const std::string& file) {
    if (bytes.size() < kHead || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
        fail(ExitCode::BadInput, "{}: found another kind of file, expected a checkpoint of aureole render", file);
    }
}

/// The bytes before the checksum.
std::span<const std::byte> checkWhole(std::span<const std::byte> bytes, const std::string& file) {
    std::uint64_t expected = 0;
    const bool complete = bytes.size() >= kHead + sizeof(expected);
    const std::span<const std::byte> content = complete ? bytes.first(bytes.size() - sizeof(expected)) : bytes;
    if (complete) {
        std::memcpy(&expected, bytes.data() + content.size(), sizeof(expected));
    }
    if (!complete || checksum(content) != expected) {
        fail(ExitCode::BadInput, "{}: found a damaged checkpoint, whose checksum is another than that of its bytes",
             file);
    }
    return content;
}

} // namespace

RenderIdentity identityFrom(const std::map<std::string, std::string>& attributes) {
    RenderIdentity identity;
    eachField([&](const IdentityField& field) {
        const auto found = attributes.find(field.attribute);
        identity.*field.value = found == attributes.end() ? std::string() : found->second;
    });
    for (const std::string& name : notedSettings()) {
        if (const auto found = attributes.find(name); found != attributes.end()) {
            identity.settings.insert(*found);
        }
    }
    return identity;
}

std::map<std::string, std::string> attributesOf(const RenderIdentity& identity) {
    std::map<std::string, std::string> attributes = identity.settings;
    eachField([&](const IdentityField& field) {
        if (const std::string& value = identity.*field.value; !value.empty()) {
            attributes[field.attribute] = value;
        }
    });
    return attributes;
}

std::vector<std::string> renderDifferences(const RenderIdentity& found, const RenderIdentity& expected) {
    std::vector<std::string> differences;
    const auto compare = [&](const std::string& attribute, const std::string& there, const std::string& wanted) {
        if (there != wanted) {
            differences.push_back(fmt::format("{} is {}, expected {}", attribute, shown(there), shown(wanted)));
        }
    };
    for (const IdentityField& field : kMustBeSame) {
        compare(field.attribute, found.*field.value, expected.*field.value);
    }
    if (found.sceneHash == expected.sceneHash) {
        return differences;
    }
    for (const std::string& name : notedSettings()) {
        compare(name, settingOf(found, name), settingOf(expected, name));
    }
    if (differences.empty()) {
        // A hash tells nothing of what differs, so it is named only where nothing else differs.
        compare(kHash.attribute, found.sceneHash, expected.sceneHash);
        differences.back() += fmt::format(", so the scene or a file of it has changed, or --set; it was made by: {}",
                                          shown(found.command));
    }
    return differences;
}

std::vector<std::string> lastBitDifferences(const RenderIdentity& before, const RenderIdentity& now) {
    std::vector<std::string> differences;
    for (const IdentityField& field : kMayChangeLastBits) {
        if (before.*field.value != now.*field.value) {
            differences.push_back(fmt::format("{} was {} and is {} now", field.attribute, shown(before.*field.value),
                                              shown(now.*field.value)));
        }
    }
    return differences;
}

void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    const FilmState& state = checkpoint.state;
    ByteWriter writer;
    writer.addBytes(std::as_bytes(std::span(kMagic)));
    writer.add(kCheckpointVersions.newest);
    const std::map<std::string, std::string> attributes = attributesOf(checkpoint.identity);
    writer.add(static_cast<std::uint64_t>(attributes.size()));
    for (const auto& [key, value] : attributes) {
        addText(writer, key);
        addText(writer, value);
    }
    addText(writer, formatRanges(state.samples));
    writer.add(static_cast<std::uint32_t>(state.adaptive ? 1 : 0));
    addArray<std::uint32_t>(writer, state.activeTiles);
    addArray<std::uint32_t>(writer, state.tileSamples);
    addArray<std::byte>(writer, state.film);
    addArray<std::byte>(writer, state.layers);
    writer.add(checksum(writer.bytes()));
    writeFileAtomically(path, writer.bytes());
}

Checkpoint readCheckpoint(const std::filesystem::path& path) {
    const std::string file = path.string();
    const InputFile input = InputFile::open(path);
    checkMagic(input.readStart(kHead, kMaximumBytes), file); // other files may be of any size
    const std::vector<std::byte> bytes = input.readAll(kMaximumBytes);
    // The checksum comes first, as a damaged version may look like that of a newer program.
    ByteReader reader(checkWhole(bytes, file), file, kMagic.size());
    const auto version = reader.read<std::uint32_t>("the version");
    checkFormatVersion(file, version, kCheckpointVersions);
    std::map<std::string, std::string> attributes;
    const auto count = reader.read<std::uint64_t>("the number of attributes");
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string key = readText(reader, "an attribute's name");
        attributes[std::move(key)] = readText(reader, "an attribute");
    }
    Checkpoint checkpoint;
    checkpoint.identity = identityFrom(attributes);
    FilmState& state = checkpoint.state;
    state.samples = parseRanges(readText(reader, "the samples"), file + ": the samples");
    state.adaptive = reader.read<std::uint32_t>("whether pixels differ") != 0;
    state.activeTiles = readArray<std::uint32_t>(reader, "the tiles that get samples");
    state.tileSamples = readArray<std::uint32_t>(reader, "the tiles' samples");
    state.film = readArray<std::byte>(reader, "the film");
    state.layers = readArray<std::byte>(reader, "the layers");
    if (!state.layers.empty()) {
        checkFormatVersion(file, version, kCheckpointsWithLayers);
    }
    return checkpoint;
}

} // namespace aureole
