#include "import/threemf/shades.h"

#include "core/error.h"

namespace aureole::threemf {

namespace {

using Kind = PropertyGroup::Kind;

class ShadeFinder {
public:
    ShadeFinder(const Document& document, const std::string& package, const Place& user)
        : document_(document)
        , package_(package)
        , user_(user) {}

    Shade find(ResourceId id, std::uint32_t entry) const {
        const PropertyGroup& group = entryOf(id, entry);
        return group.kind == Kind::Layers ? findLayers(group, entry) : findOne(id, group, entry);
    }

private:
    /// The group, which has the entry.
    const PropertyGroup& entryOf(ResourceId id, std::uint32_t entry) const {
        const auto group = document_.groups.find(id);
        if (group == document_.groups.end()) {
            refuse("found the properties {}, expected a resource that is there and has some", id.id);
        }
        if (entry >= group->second.size()) {
            refuse("found property {} of the resource {}, expected less than {}", entry, id.id, group->second.size());
        }
        return group->second;
    }

    Shade findOne(ResourceId id, const PropertyGroup& group, std::uint32_t entry) const {
        Shade shade;
        if (group.kind == Kind::Texture) {
            shade.surface.texture = {id.part, group.source};
            shade.uv = group.uvs[entry];
            if (!document_.textures.contains(shade.surface.texture)) {
                refuse("found the texture {}, expected a <texture2d> that is there", group.source);
            }
            return shade;
        }
        shade.colour = group.colours[entry];
        if (group.kind == Kind::Base) {
            shade.surface.base = id;
            shade.surface.entry = entry;
        }
        return shade;
    }

    Shade findLayers(const PropertyGroup& group, std::uint32_t entry) const {
        Shade shade;
        for (std::size_t i = 0; i < group.groups.size(); ++i) {
            const ResourceId id{group.place.part, group.groups[i]};
            const std::uint32_t below = group.layers[entry][i];
            const PropertyGroup& layer = entryOf(id, below);
            if (layer.kind == Kind::Layers) {
                refuse("found layers of the resource {}, which has layers itself, expected none", id.id);
            }
            Shade top = findOne(id, layer, below);
            top.surface.base = {kNone, kNone}; // it is a colour among others
            top.surface.entry = kNone;
            const bool multiplies =
                i > 0 && i - 1 < group.blends.size() && group.blends[i - 1] == PropertyGroup::Blend::Multiply;
            shade = i == 0 ? top : multiplies ? multiplied(shade, top) : mixed(shade, top);
        }
        return shade;
    }

    static Shade multiplied(Shade shade, const Shade& top) {
        shade.colour *= top.colour;
        if (top.surface.texture.id != kNone) {
            shade.surface = top.surface;
            shade.uv = top.uv;
        }
        return shade;
    }

    /// A picture hides what is below it, by which its alpha is not mixed; a colour hides a picture if it is opaque.
    static Shade mixed(const Shade& shade, const Shade& top) {
        const float alpha = top.colour.a;
        if (top.surface.texture.id != kNone || alpha >= 1.0F) {
            return top;
        }
        if (shade.surface.texture.id != kNone) {
            return shade;
        }
        Shade result = shade;
        result.colour = glm::vec4(glm::mix(glm::vec3(shade.colour), glm::vec3(top.colour), alpha),
                                  alpha + (1.0F - alpha) * shade.colour.a);
        return result;
    }

    template <typename... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: {}: {}", package_, document_.nameOf(user_),
             fmt::format(format, std::forward<Args>(args)...));
    }

    const Document& document_;
    const std::string& package_;
    const Place& user_;
};

} // namespace

Shade shadeOf(const Document& document, const std::string& package, ResourceId group, std::uint32_t entry,
              const Place& user) {
    return ShadeFinder(document, package, user).find(group, entry);
}

} // namespace aureole::threemf
