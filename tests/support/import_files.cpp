#include "import_files.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <png.h>

// After <cstdio>, which it needs.
#include <jpeglib.h>

namespace aureole::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "aureole_import_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(const std::string& name, std::string_view content) const {
    fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
}

ImportedModel TemporaryFolder::import(const std::string& name, std::string_view content, ImportOptions options) const {
    if (options.sceneFolder.empty()) {
        options.sceneFolder = path_;
    }
    return importModel(write(name, content), options);
}

std::string messageOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return "";
}

void forEachCell(const ImportedModel& model, const glm::dvec3& within,
                 const std::function<void(const glm::dvec3& at, std::uint32_t material)>& visit) {
    for (const VoxelInstance& instance : model.voxelInstances) {
        const VoxelModel& voxels = model.voxelModels.at(instance.model);
        for (std::size_t i = 0; i < voxels.cells.size(); ++i) {
            if (voxels.cells[i] != 0) {
                const std::size_t row = i / voxels.size.x;
                const glm::dvec3 low(i % voxels.size.x, row % voxels.size.y, row / voxels.size.y);
                visit(glm::dvec3(instance.worldFromModel * glm::dvec4(low + within, 1.0)),
                      voxels.materials.at(voxels.cells[i]));
            }
        }
    }
}

bool containsAll(const std::string& text, const std::vector<std::string>& parts) {
    bool all = true;
    for (const std::string& part : parts) {
        if (text.find(part) == std::string::npos) {
            ADD_FAILURE() << "expected \"" << part << "\" in: " << text;
            all = false;
        }
    }
    return all;
}

std::string encodeBase64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::array<unsigned, 3> group{};
        for (std::size_t k = 0; k < 3 && i + k < bytes.size(); ++k) {
            group.at(k) = static_cast<unsigned char>(bytes[i + k]);
        }
        text += kDigits[group[0] >> 2U];
        text += kDigits[((group[0] & 3U) << 4U) | (group[1] >> 4U)];
        text += i + 1 < bytes.size() ? kDigits[((group[1] & 15U) << 2U) | (group[2] >> 6U)] : '=';
        text += i + 2 < bytes.size() ? kDigits[group[2] & 63U] : '=';
    }
    return text;
}

std::string makePng(std::uint32_t width, std::uint32_t height, const std::vector<std::uint8_t>& rgba) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t size = 0;
    png_image_write_to_memory(&image, nullptr, &size, 0, rgba.data(), 0, nullptr);
    std::string file(size, '\0');
    png_image_write_to_memory(&image, file.data(), &size, 0, rgba.data(), 0, nullptr);
    file.resize(size);
    return file;
}

std::string makeJpeg(std::uint32_t width, std::uint32_t height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    jpeg_error_mgr errors{};
    jpeg_compress_struct info{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* buffer = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &buffer, &size);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 100, TRUE);
    jpeg_start_compress(&info, TRUE);
    std::vector<std::uint8_t> row;
    for (std::uint32_t x = 0; x < width; ++x) {
        row.insert(row.end(), {r, g, b});
    }
    for (std::uint32_t y = 0; y < height; ++y) {
        JSAMPROW pointer = row.data();
        jpeg_write_scanlines(&info, &pointer, 1);
    }
    jpeg_finish_compress(&info);
    std::string file(reinterpret_cast<const char*>(buffer), size);
    jpeg_destroy_compress(&info);
    std::free(buffer); // NOLINT(cppcoreguidelines-no-malloc): libjpeg's
    return file;
}

std::string makeGlb(std::string json, std::string binary) {
    json.resize((json.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    std::string file = "glTF";
    append(file, std::uint32_t{2});
    append(file, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
    append(file, static_cast<std::uint32_t>(json.size()));
    file += "JSON" + json;
    append(file, static_cast<std::uint32_t>(binary.size()));
    file += std::string("BIN\0", 4) + binary;
    return file;
}

namespace {

std::string join(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        text += (text.empty() ? "" : ",\n") + part;
    }
    return text;
}

} // namespace

int GltfData::view(const std::string& bytes, const std::string& extra) {
    binary_.resize((binary_.size() + 3) / 4 * 4, '\0');
    views_.push_back(R"({"buffer": 0, "byteOffset": )" + std::to_string(binary_.size()) +
                     ", \"byteLength\": " + std::to_string(bytes.size()) + extra + "}");
    binary_ += bytes;
    return static_cast<int>(views_.size()) - 1;
}

int GltfData::accessor(const std::string& bytes, int componentType, int count, const std::string& type,
                       const std::string& extra) {
    return accessorJson("{\"bufferView\": " + std::to_string(view(bytes)) +
                        ", \"componentType\": " + std::to_string(componentType) +
                        ", \"count\": " + std::to_string(count) + R"(, "type": ")" + type + "\"" + extra + "}");
}

int GltfData::accessorJson(const std::string& json) {
    accessors_.push_back(json);
    return static_cast<int>(accessors_.size()) - 1;
}

std::string GltfData::members(bool embedded) const {
    const std::string uri =
        embedded ? R"(, "uri": "data:application/octet-stream;base64,)" + encodeBase64(binary_) + "\"" : "";
    return "\"accessors\": [" + join(accessors_) + "],\n\"bufferViews\": [" + join(views_) +
           "],\n\"buffers\": [{\"byteLength\": " + std::to_string(binary_.size()) + uri + "}]";
}

std::string GltfData::document(const std::string& rest, bool embedded) const {
    return "{\"asset\": {\"version\": \"2.0\"},\n" + members(embedded) + (rest.empty() ? "" : ",\n" + rest) + "}";
}

} // namespace aureole::test
