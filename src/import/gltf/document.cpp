#include "import/gltf/document.h"

#include "core/error.h"
#include "import/gltf/container.h"
#include "import/gltf/extensions.h"
#include "import/gltf/meshopt.h"

namespace aureole::gltf {

Document::Document(const AssetReader& reader)
    : reader_(reader)
    , file_(reader.readModel()) {
    const Container container = openContainer(file_, name());
    parse(container.json);
    checkVersion();
    checkExtensions(root(), name());
    loadBuffers(container.binary);
    decompressViews();
}

void Document::parse(std::span<const std::byte> text) {
    const char* begin = reinterpret_cast<const char*>(text.data());
    try {
        json_ = nlohmann::json::parse(begin, begin + text.size());
    } catch (const nlohmann::json::exception& error) { // of syntax, or a number beyond all range
        // The text after the exception's own name and number says line, column, found and expected.
        const std::string message = error.what();
        const std::size_t bracket = message.find("] ");
        fail(ExitCode::BadInput, "{}: {}", name(),
             bracket == std::string::npos ? message : message.substr(bracket + 2));
    }
    if (!json_.is_object()) {
        fail(ExitCode::BadInput, "{}: found JSON of type {}, expected a glTF object", name(), json_.type_name());
    }
}

void Document::checkVersion() const {
    const JsonValue asset = root()["asset"];
    const JsonValue version = asset["version"];
    if (version.text().rfind("2.", 0) != 0) {
        fail(ExitCode::BadInput, "{}: found glTF version '{}', expected 2.x", version.place(), version.text());
    }
    // What a later version adds may be left out, unless the file says that it may not.
    const std::optional<JsonValue> least = asset.find("minVersion");
    if (least && least->text() != "2.0") {
        fail(ExitCode::BadInput, "{}: found '{}', expected 2.0, which is read", least->place(), least->text());
    }
}

void Document::loadBuffers(std::span<const std::byte> binary) {
    const std::size_t buffers = count("buffers");
    ownBuffers_.resize(buffers);
    for (std::size_t i = 0; i < buffers; ++i) {
        const JsonValue buffer = element("buffers", i);
        const std::optional<JsonValue> meshopt = meshoptOf(buffer);
        const std::optional<JsonValue> fallback = meshopt ? meshopt->find("fallback") : std::nullopt;
        if (fallback && fallback->boolean()) { // for readers that do not decompress: it may not even be there
            buffers_.emplace_back();
            continue;
        }
        const std::uint64_t size = buffer["byteLength"].unsignedInteger();
        std::span<const std::byte> bytes;
        if (const std::optional<JsonValue> uri = buffer.find("uri")) {
            if (uri->text().rfind("data:", 0) == 0) {
                ownBuffers_[i] = decodeDataUri(uri->text(), uri->place());
            } else {
                const std::string path = decodePercent(uri->text(), uri->place());
                ownBuffers_[i] = reader_.read(reader_.resolve(path, uri->pointer()));
            }
            bytes = ownBuffers_[i];
        } else if (i == 0) {
            bytes = binary;
        }
        if (bytes.empty() && !buffer.find("uri") && !isRead(i)) { // a fallback that does not call itself one
            buffers_.emplace_back();
            continue;
        }
        if (bytes.size() < size) {
            fail(ExitCode::BadInput, "{}: truncated: found {} bytes, expected {}", buffer.place(), bytes.size(), size);
        }
        buffers_.push_back(bytes.first(size));
    }
}

bool Document::isRead(std::size_t buffer) const {
    for (std::size_t i = 0; i < count("bufferViews"); ++i) {
        const JsonValue view = element("bufferViews", i);
        if (!meshoptOf(view) && view["buffer"].index(count("buffers"), "buffer") == buffer) {
            return true;
        }
    }
    return false;
}

void Document::decompressViews() {
    decompressed_.resize(count("bufferViews"));
    for (std::size_t i = 0; i < decompressed_.size(); ++i) {
        const JsonValue view = element("bufferViews", i);
        if (const std::optional<JsonValue> meshopt = meshoptOf(view)) {
            decompressed_[i] = decodeMeshopt(view, *meshopt, bytesOf(*meshopt));
        }
    }
}

std::size_t Document::count(const char* array) const {
    const std::optional<JsonValue> elements = root().find(array);
    return elements ? elements->size() : 0;
}

JsonValue Document::element(const char* array, std::size_t index) const {
    return root()[array].at(index);
}

JsonValue Document::follow(const JsonValue& index, const char* array, const char* what) const {
    return element(array, index.index(count(array), what));
}

std::span<const std::byte> Document::bufferView(std::size_t index) const {
    const JsonValue view = element("bufferViews", index);
    return meshoptOf(view) ? std::span<const std::byte>(decompressed_[index]) : bytesOf(view);
}

std::span<const std::byte> Document::bytesOf(const JsonValue& stretch) const {
    const std::span<const std::byte> buffer = buffers_[stretch["buffer"].index(buffers_.size(), "buffer")];
    const std::uint64_t offset = stretch.unsignedOr("byteOffset", 0);
    const std::uint64_t size = stretch["byteLength"].unsignedInteger();
    if (offset > buffer.size() || size > buffer.size() - offset) {
        fail(ExitCode::BadInput, "{}: found bytes {} to {}, expected at most the buffer's {}", stretch.place(), offset,
             offset + size, buffer.size());
    }
    return buffer.subspan(offset, size);
}

} // namespace aureole::gltf
