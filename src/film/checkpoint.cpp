#include "film/checkpoint.h"

#include <cstring>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "image/byte_reader.h"
#include "image/byte_writer.h"

namespace aureole {

namespace {

constexpr std::string_view kMagic = "aureckpt";
constexpr std::size_t kHead = kMagic.size() + sizeof(std::uint32_t);
/// More than any film: the largest picture with all layers.
constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{1} << 40U;

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
    // Lest the product wrap round; more bytes than there are, take() refuses.
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

void writeCheckpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    const FilmState& state = checkpoint.state;
    ByteWriter writer;
    writer.addBytes(std::as_bytes(std::span(kMagic)));
    writer.add(kCheckpointVersions.newest);
    writer.add(static_cast<std::uint64_t>(checkpoint.attributes.size()));
    for (const auto& [key, value] : checkpoint.attributes) {
        addText(writer, key);
        addText(writer, value);
    }
    addText(writer, formatSamples(state.samples));
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
    checkFormatVersion(file, reader.read<std::uint32_t>("the version"), kCheckpointVersions);
    Checkpoint checkpoint;
    const auto count = reader.read<std::uint64_t>("the number of attributes");
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string key = readText(reader, "an attribute's name");
        checkpoint.attributes[std::move(key)] = readText(reader, "an attribute");
    }
    FilmState& state = checkpoint.state;
    state.samples = parseSamples(readText(reader, "the samples"), file + ": the samples");
    state.adaptive = reader.read<std::uint32_t>("whether pixels differ") != 0;
    state.activeTiles = readArray<std::uint32_t>(reader, "the tiles that get samples");
    state.tileSamples = readArray<std::uint32_t>(reader, "the tiles' samples");
    state.film = readArray<std::byte>(reader, "the film");
    state.layers = readArray<std::byte>(reader, "the layers");
    return checkpoint;
}

} // namespace aureole
