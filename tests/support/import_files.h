#pragma once

// What the import tests share: files in a folder of their own, pictures, and glTF documents put together by hand.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "import/import.h"

namespace aureole::test {

/// A folder that goes with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    TemporaryFolder(TemporaryFolder&&) = delete;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Writes a file, its folders included, and returns its path.
    std::filesystem::path write(const std::string& name, std::string_view content) const;

    /// Writes and imports a model.
    ImportedModel import(const std::string& name, std::string_view content, ImportOptions options = {}) const;

private:
    std::filesystem::path path_;
};

/// Runs `action`, which must throw an Error (BadInput); returns its message, "" where it does not.
std::string messageOf(const std::function<void()>& action);

/// Whether all of `parts` stand in `text`; where not, says so as a test failure.
bool containsAll(const std::string& text, const std::vector<std::string>& parts);

/// Gives each solid cell of a model's voxels: where its low corner, moved by `within` of its width, is in the world,
/// and its material.
void forEachCell(const ImportedModel& model, const glm::dvec3& within,
                 const std::function<void(const glm::dvec3& at, std::uint32_t material)>& visit);

/// Appends the bytes of plain values, little-endian as the host.
template <typename T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
std::string bytesOf(const std::vector<T>& values) {
    std::string bytes;
    for (const T& value : values) {
        append(bytes, value);
    }
    return bytes;
}

std::string encodeBase64(std::string_view bytes);

/// An 8-bit RGBA PNG file.
std::string makePng(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba);

/// A JPEG file of one colour.
std::string makeJpeg(std::uint32_t width, std::uint32_t height, std::uint8_t r, std::uint8_t g, std::uint8_t b);

/// A GLB file of one JSON and one BIN chunk.
std::string makeGlb(std::string json, std::string binary);

/// Collects binary data and the buffer views and accessors over it.
class GltfData {
public:
    /// Adds bytes as a buffer view; returns its index. `extra` are more members, such as ", \"byteStride\": 16".
    int view(const std::string& bytes, const std::string& extra = "");
    /// Adds an accessor over a new buffer view; returns its index.
    int accessor(const std::string& bytes, int componentType, int count, const std::string& type,
                 const std::string& extra = "");
    /// Adds an accessor as JSON text.
    int accessorJson(const std::string& json);

    int positions(const std::vector<float>& values) {
        return accessor(bytesOf(values), 5126, static_cast<int>(values.size() / 3), "VEC3");
    }

    const std::string& binary() const { return binary_; }
    /// The members "accessors", "bufferViews" and "buffers", the buffer as a data URI, or the GLB's BIN chunk.
    std::string members(bool embedded = true) const;

    /// A whole document: asset, the data's members and `rest`, which starts without a comma.
    std::string document(const std::string& rest, bool embedded = true) const;

private:
    std::string binary_;
    std::vector<std::string> views_;
    std::vector<std::string> accessors_;
};

/// The corners of a triangle in the plane z = 0, counter-clockwise seen from +Z.
inline const std::vector<float> kTriangle = {0, 0, 0, 1, 0, 0, 0, 1, 0};

} // namespace aureole::test
