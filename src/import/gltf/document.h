#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "import/asset_reader.h"
#include "import/gltf/json_value.h"

namespace aureole::gltf {

/// A glTF 2.0 file: its JSON, and its buffers in memory. Throws Error (BadInput) from every function where the file is
/// not what it should be.
class Document {
public:
    /// Reads the file and all buffers it refers to, and decompresses their views.
    explicit Document(const AssetReader& reader);
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;
    Document(Document&&) = delete;
    Document& operator=(Document&&) = delete;
    ~Document() = default;

    const AssetReader& reader() const { return reader_; }
    const std::string& name() const { return reader_.name(); }

    JsonValue root() const { return {json_, "", reader_.name()}; }

    /// How many elements a top-level array has; 0 where there is none.
    std::size_t count(const char* array) const;

    /// An element of a top-level array, which must have it.
    JsonValue element(const char* array, std::size_t index) const;

    /// The element that an index refers to.
    JsonValue follow(const JsonValue& index, const char* array, const char* what) const;

    /// The bytes of a buffer view, decompressed; valid as long as the document.
    std::span<const std::byte> bufferView(std::size_t index) const;

private:
    void parse(std::span<const std::byte> text);
    void checkVersion() const;
    void loadBuffers(std::span<const std::byte> binary);
    /// Whether a view takes bytes of a buffer as they are, without decompressing any.
    bool isRead(std::size_t buffer) const;
    void decompressViews();
    /// The bytes that `stretch` names by buffer, byteOffset and byteLength.
    std::span<const std::byte> bytesOf(const JsonValue& stretch) const;

    const AssetReader& reader_;
    std::vector<std::byte> file_;
    nlohmann::json json_;
    std::vector<std::vector<std::byte>> ownBuffers_;
    std::vector<std::span<const std::byte>> buffers_;
    std::vector<std::vector<std::byte>> decompressed_; ///< of the views that are compressed
};

} // namespace aureole::gltf
