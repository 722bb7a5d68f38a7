#include "image/checkpoint.h"

#include <bit>
#include <cstring>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "image/byte_reader.h"

namespace aureole {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "aureckpt";
constexpr std::uint32_t kVersion = 1;
/// More than any film: the largest picture with all layers.
constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{1} << 40U;

class ByteWriter {
public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), bytes, bytes + size);
    }
    template <typename T>
    void addValue(T value) {
        add(&value, sizeof(value));
    }
    template <typename T>
    void addArray(std::span<const T> values) {
        addValue(static_cast<std::uint64_t>(values.size()));
        add(values.data(), values.size_bytes());
    }
    void addText(std::string_view text) { addArray(std::span(text.data(), text.size())); }
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

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

/// The bytes before the checksum.
std::span<const std::byte> checkWhole(std::span<const std::byte> bytes, const std::string& file) {
    constexpr std::size_t kHead = kMagic.size() + sizeof(kVersion);
    if (bytes.size() < kHead || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
        fail(ExitCode::BadInput, "{}: found another kind of file, expected a checkpoint of aureole render", file);
    }
    std::uint32_t version = 0;
    std::memcpy(&version, bytes.data() + kMagic.size(), sizeof(version));
    if (version != kVersion) {
        fail(ExitCode::BadInput, "{}: found a checkpoint of version {}, expected {}", file, version, kVersion);
    }
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
    writer.add(kMagic.data(), kMagic.size());
    writer.addValue(kVersion);
    writer.addValue(static_cast<std::uint64_t>(checkpoint.attributes.size()));
    for (const auto& [key, value] : checkpoint.attributes) {
        writer.addText(key);
        writer.addText(value);
    }
    writer.addText(formatSamples(state.samples));
    writer.addValue(static_cast<std::uint32_t>(state.adaptive ? 1 : 0));
    writer.addArray(std::span(state.activeTiles));
    writer.addArray(std::span(state.tileSamples));
    writer.addArray(std::span(state.film));
    writer.addArray(std::span(state.layers));
    writer.addValue(checksum(writer.bytes()));
    writeFileAtomically(path, writer.bytes());
}

Checkpoint readCheckpoint(const std::filesystem::path& path) {
    const std::string file = path.string();
    const std::vector<std::byte> bytes = readFile(path, kMaximumBytes);
    ByteReader reader(checkWhole(bytes, file), file, kMagic.size() + sizeof(kVersion));
    Checkpoint checkpoint;
    const auto count = reader.read<std::uint64_t>("the number of attributes");
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string key = readText(reader, "an attribute's name");
        checkpoint.attributes[std::move(key)] = readText(reader, "an attribute");
    }
    FilmState& state = checkpoint.state;
    state.samples = parseSamples(readText(reader, "the samples"));
    state.adaptive = reader.read<std::uint32_t>("whether pixels differ") != 0;
    state.activeTiles = readArray<std::uint32_t>(reader, "the tiles that get samples");
    state.tileSamples = readArray<std::uint32_t>(reader, "the tiles' samples");
    state.film = readArray<std::byte>(reader, "the film");
    state.layers = readArray<std::byte>(reader, "the layers");
    return checkpoint;
}

} // namespace aureole
