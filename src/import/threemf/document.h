#pragma once

// What a 3MF package says, as its parts say it.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <glm/glm.hpp>

#include "import/threemf/package.h"
#include "model/texture.h"

namespace aureole::threemf {

/// A resource: the number of its part, which is its place in Document::parts, and its own in there.
struct ResourceId {
    std::uint32_t part = 0;
    std::uint32_t id = 0;

    auto operator<=>(const ResourceId&) const = default; // NOLINT(modernize-use-nullptr): no pointer is compared
};

/// Where something stands, for messages.
struct Place {
    std::uint32_t part = 0;
    std::uint64_t line = 0;
};

/// A triangle; properties are entries of its group, kNone where the object's own count.
struct Triangle {
    glm::uvec3 vertices{0};
    std::uint32_t group = kNone; ///< an id in the same part
    glm::uvec3 properties{kNone};
};

/// An object, or one that is built, where it stands.
struct Component {
    ResourceId object;
    glm::dmat4 transform{1.0};
    Place place;
};

/// A mesh, or what is composed of others.
struct Object {
    std::string name;
    Place place;
    std::uint32_t group = kNone;    ///< of triangles that name none; an id in the same part
    std::uint32_t property = kNone; ///< an entry of it
    std::vector<glm::vec3> vertices;
    std::vector<Triangle> triangles;
    std::vector<Component> components;
};

/// What triangles or their corners may look like.
struct PropertyGroup {
    enum class Kind { Base, Colours, Texture, Layers };
    enum class Blend { Mix, Multiply };

    Kind kind = Kind::Colours;
    Place place;
    std::vector<glm::vec4> colours;                 ///< of Base and Colours, linear RGBA
    std::vector<std::string> names;                 ///< of Base
    std::uint32_t source = kNone;                   ///< of Texture, and of mixtures of materials: an id in that part
    std::vector<glm::vec2> uvs;                     ///< of Texture, v downwards
    std::vector<std::uint32_t> groups;              ///< of Layers, the lowest first: ids in that part
    std::vector<Blend> blends;                      ///< of Layers from the second on; Mix where there is none
    std::vector<std::vector<std::uint32_t>> layers; ///< of Layers, for each entry one of each group

    std::size_t size() const {
        return kind == Kind::Texture ? uvs.size() : kind == Kind::Layers ? layers.size() : colours.size();
    }
};

struct PackagedTexture {
    std::string path; ///< of the part that is the picture
    std::array<Wrap, 2> wrap = {Wrap::Repeat, Wrap::Repeat};
    bool nearest = false;
};

struct Document {
    double metresOfUnit = 0.001;
    std::vector<std::string> parts;                      ///< the model, and what it refers to
    std::map<std::string, std::uint32_t> numbersOfParts; ///< by Package::keyOf
    std::map<ResourceId, Object> objects;
    std::map<ResourceId, PropertyGroup> groups;
    std::map<ResourceId, PackagedTexture> textures;
    std::vector<Component> items; ///< what is built

    /// The number of a part, which is noted behind the others where it is a new one.
    std::uint32_t numberOf(std::string_view part);

    /// For messages.
    std::string nameOf(const Place& place) const { return fmt::format("{}: line {}", parts[place.part], place.line); }
};

/// Reads the model of a package, and what other parts it refers to. Warns, once for each kind, of elements and
/// extensions that are not shown. Throws Error (BadInput).
Document readDocument(Package& package);

} // namespace aureole::threemf
