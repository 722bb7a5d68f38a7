#include "import/threemf/object_meshes.h"

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/log.h"
#include "model/mesh_check.h"

namespace aureole::threemf {

namespace {

class MeshMaker {
public:
    MeshMaker(const Document& document, const std::string& package, ResourceId id, Object& object)
        : document_(document)
        , package_(package)
        , id_(id)
        , object_(object)
        , copies_(object.vertices.size()) {}

    std::vector<SurfaceMesh> make() {
        sortTriangles();
        std::vector<SurfaceMesh> meshes;
        for (const auto& [surface, triangles] : bySurface_) {
            meshes.push_back({surface, meshOf(surface, triangles)});
            ++round_;
        }
        object_.vertices = {};
        object_.triangles = {};
        return meshes;
    }

private:
    /// The copy of a vertex that was made last: for which surface, of which shade, and where.
    struct Copy {
        std::uint32_t round = kNone;
        std::uint32_t shade = kNone;
        std::uint32_t index = 0;
    };

    void sortTriangles() {
        for (std::size_t i = 0; i < object_.triangles.size(); ++i) {
            bySurface_[shades_[shadesOf(object_.triangles[i])[0]].surface].push_back(i);
        }
    }

    /// The shades of a triangle's corners, by their place in `shades_`.
    std::array<std::uint32_t, 3> shadesOf(const Triangle& triangle) {
        const bool own = triangle.properties.x != kNone;
        const std::uint32_t group = own ? triangle.group : object_.group;
        std::array<std::uint32_t, 3> shades{};
        for (std::size_t i = 0; i < shades.size(); ++i) {
            const std::uint32_t entry = own                         ? triangle.properties[static_cast<glm::length_t>(i)]
                                        : object_.property == kNone ? 0
                                                                    : object_.property;
            shades[i] = shadeNumber(group, group == kNone ? 0 : entry);
        }
        return shades;
    }

    std::uint32_t shadeNumber(std::uint32_t group, std::uint32_t entry) {
        const std::uint64_t key = (std::uint64_t{group} << 32U) | entry;
        const auto [found, isNew] = numbers_.try_emplace(key, static_cast<std::uint32_t>(shades_.size()));
        if (isNew) {
            Shade shade;
            shade.colour = kPlainColour;
            if (group != kNone) {
                shade =
                    shadeOf(document_, {id_.part, group}, entry, [this](const std::string& problem) { tell(problem); });
            }
            shades_.push_back(shade);
        }
        return found->second;
    }

    void tell(const std::string& problem) {
        if (!std::exchange(told_, true)) {
            logWarning("{}: {}: {}; what has it is shown plain", package_, document_.nameOf(object_.place), problem);
        }
    }

    Mesh meshOf(const Surface& surface, const std::vector<std::size_t>& triangles) {
        Mesh mesh;
        mesh.name = object_.name.empty() ? fmt::format("object {}", id_.id) : object_.name;
        const bool isBase = surface.base.id != kNone;
        const bool isTextured = surface.texture.id != kNone;
        bool isColoured = false;
        mesh.triangles.reserve(triangles.size());
        for (const std::size_t i : triangles) {
            const Triangle& triangle = object_.triangles[i];
            const std::array<std::uint32_t, 3> shades = shadesOf(triangle);
            glm::uvec3& corners = mesh.triangles.emplace_back();
            for (glm::length_t c = 0; c < 3; ++c) {
                const std::uint32_t number = isBase ? 0 : shades[static_cast<std::size_t>(c)];
                const Shade& shade = shades_[number];
                isColoured = isColoured || (!isBase && shade.colour != (isTextured ? glm::vec4(1.0F) : kPlainColour));
                corners[c] = vertexOf(mesh, triangle.vertices[c], number, shade, isTextured);
            }
        }
        if (!isColoured) {
            mesh.colours = {};
        }
        further_.clear();
        checkMesh(mesh, package_);
        return mesh;
    }

    /// The mesh's copy of a vertex that has a shade.
    std::uint32_t vertexOf(Mesh& mesh, std::uint32_t vertex, std::uint32_t number, const Shade& shade, bool hasUvs) {
        Copy& copy = copies_[vertex];
        if (copy.round == round_ && copy.shade == number) {
            return copy.index;
        }
        const auto next = static_cast<std::uint32_t>(mesh.positions.size());
        if (copy.round == round_) { // one of another shade
            const std::uint64_t key = (std::uint64_t{vertex} << 32U) | number;
            const auto [found, isNew] = further_.try_emplace(key, next);
            if (!isNew) {
                return found->second;
            }
        } else {
            copy = {round_, number, next};
        }
        mesh.positions.push_back(object_.vertices[vertex]);
        mesh.colours.push_back(shade.colour);
        if (hasUvs) {
            mesh.uvs[0].push_back(shade.uv);
        }
        return next;
    }

    const Document& document_;
    const std::string& package_;
    ResourceId id_;
    Object& object_;
    bool told_ = false; ///< of properties that are not there
    std::vector<Shade> shades_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_; ///< of shades, by group and entry
    std::map<Surface, std::vector<std::size_t>> bySurface_;    ///< triangles
    std::uint32_t round_ = 0;                                  ///< the surface under way
    std::vector<Copy> copies_;                                 ///< of vertices
    std::unordered_map<std::uint64_t, std::uint32_t> further_; ///< copies of other shades, by vertex and shade
};

} // namespace

std::vector<SurfaceMesh> meshesOf(const Document& document, const std::string& package, ResourceId id, Object& object) {
    return MeshMaker(document, package, id, object).make();
}

} // namespace aureole::threemf
