// Read here, as assimp 5.2 crashes on blank lines, and takes the last vertex for one that is not there.

#include "import/off/off_import.h"

#include <algorithm>
#include <limits>

#include "import/off/off_lines.h"
#include "model/mesh_check.h"
#include "model/texture_sample.h"
#include "model/triangulate.h"

namespace aureole::off {

namespace {

/// What a vertex has besides its position, in the order of the file.
struct Form {
    bool normals = false;
    bool colours = false;
    bool uvs = false;
};

class OffReader {
public:
    explicit OffReader(const AssetReader& reader)
        : lines_(reader.openModel())
        , bytes_(reader.openModel().size()) {}

    Mesh read() {
        readHeader();
        const std::uint64_t vertices = readCounts();
        for (std::uint64_t i = 0; i < vertices; ++i) {
            readVertex(vertices);
        }
        for (std::uint64_t i = 0; i < faces_; ++i) {
            readFace(i);
        }
        makeColoursLinear();
        return std::move(mesh_);
    }

private:
    /// The keyword is optional, and may stand in the line of the counts, even without a space, as in ModelNet's files.
    void readHeader() {
        const std::string_view word = lines_.word();
        const std::size_t length = std::min(word.find_first_of("0123456789", 1), word.size());
        std::string_view keyword = word.substr(0, length);
        if (!keyword.ends_with("OFF")) {
            if (word.find_first_not_of("0123456789") != std::string_view::npos) {
                lines_.refuse("found '{}', expected 'OFF'", word);
            }
            lines_.putBack(0);
            return;
        }
        keyword.remove_suffix(3);
        const auto take = [&](std::string_view prefix) {
            const bool found = keyword.starts_with(prefix);
            keyword.remove_prefix(found ? prefix.size() : 0);
            return found;
        };
        form_.uvs = take("ST");
        form_.colours = take("C");
        form_.normals = take("N");
        if (!keyword.empty()) {
            lines_.refuse("found the form '{}', expected OFF with ST, C or N before it", word);
        }
        lines_.putBack(length);
    }

    /// Notes the number of faces, returns that of vertices.
    std::uint64_t readCounts() {
        const std::uint64_t vertices = lines_.count();
        faces_ = lines_.count();
        // Each takes at least a digit and what parts it from the next.
        constexpr std::uint64_t kLeastBytes = 2;
        if (vertices > bytes_ / kLeastBytes || faces_ > bytes_ / kLeastBytes ||
            vertices > std::numeric_limits<std::uint32_t>::max()) {
            lines_.refuse("found {} vertices and {} faces, expected at most as many as {} bytes can hold", vertices,
                          faces_, bytes_);
        }
        return vertices;
    }

    /// A vertex or a face starts a line, and may go on over several; what is left in the last one is none of ours.
    void startElement(const char* kind, std::uint64_t found, std::uint64_t expected) {
        if (!lines_.start()) {
            lines_.refuse("found the end of the file after {} {}, expected {}", found, kind, expected);
        }
    }

    glm::vec3 readVector() {
        const float x = lines_.number();
        const float y = lines_.number();
        return {x, y, lines_.number()};
    }

    void readVertex(std::uint64_t vertices) {
        startElement("vertices", mesh_.positions.size(), vertices);
        mesh_.positions.push_back(readVector());
        if (form_.normals) {
            mesh_.normals.push_back(readVector());
        }
        if (form_.colours) {
            const glm::vec3 rgb = readVector();
            const bool hasAlpha = lines_.left() > (form_.uvs ? 2U : 0U);
            mesh_.colours.emplace_back(rgb, hasAlpha ? lines_.number() : std::numeric_limits<float>::infinity());
        }
        if (form_.uvs) {
            const float u = lines_.number();
            mesh_.uvs[0].emplace_back(u, 1.0F - lines_.number());
        }
    }

    void readFace(std::uint64_t face) {
        startElement("faces", face, faces_);
        const std::uint64_t corners = lines_.count();
        corners_.clear();
        for (std::uint64_t i = 0; i < corners; ++i) {
            const std::uint64_t vertex = lines_.count();
            if (vertex >= mesh_.positions.size()) {
                lines_.refuse("found vertex {} in a face, expected less than {}", vertex, mesh_.positions.size());
            }
            corners_.push_back(static_cast<std::uint32_t>(vertex));
        }
        triangulatePolygon(corners_, mesh_.positions, mesh_.triangles);
    }

    /// Colours go to 1, or to 255 where one of the file is beyond 1. Alpha is infinite where there is none.
    void makeColoursLinear() {
        const bool bytes = std::any_of(mesh_.colours.begin(), mesh_.colours.end(), [](const glm::vec4& c) {
            return std::max({c.r, c.g, c.b}) > 1.0F;
        });
        const float scale = bytes ? 1.0F / 255.0F : 1.0F;
        for (glm::vec4& colour : mesh_.colours) {
            for (glm::length_t i = 0; i < 3; ++i) {
                const float value = colour[i] * scale;
                colour[i] = value >= 0.0F && value <= 1.0F ? srgbToLinear(value) : value;
            }
            colour.a = std::min(colour.a * scale, 1.0F);
        }
    }

    OffLines lines_;
    std::uint64_t bytes_;
    Form form_;
    std::uint64_t faces_ = 0;
    Mesh mesh_;
    std::vector<std::uint32_t> corners_; ///< of one face
};

} // namespace

ImportedModel importOff(const AssetReader& reader) {
    ImportedModel model;
    Mesh mesh = OffReader(reader).read();
    if (mesh.triangles.empty()) {
        return model;
    }
    checkMesh(mesh, reader.name());
    Material plain;
    plain.name = "default";
    if (!mesh.colours.empty()) {
        plain.albedo = glm::vec3(1.0F); // which the colours are not to darken
    }
    model.materials.push_back(plain);
    model.meshes.push_back(std::move(mesh));
    model.meshInstances.push_back({0, glm::dmat4(1.0), kNone});
    return model;
}

} // namespace aureole::off
