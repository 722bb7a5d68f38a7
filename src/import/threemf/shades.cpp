#include "import/threemf/shades.h"

#include <optional>

#include <fmt/format.h>

namespace aureole::threemf {

namespace {

using Kind = PropertyGroup::Kind;

/// A picture hides what is below it, as its alpha is not known here; a colour hides a picture where it is opaque.
Shade mixed(const Shade& below, const Shade& top) {
    const float alpha = top.colour.a;
    if (top.surface.texture.id != kNone || alpha >= 1.0F) {
        return top;
    }
    Shade shade = below;
    if (below.surface.texture.id == kNone) {
        shade.colour = glm::vec4(glm::mix(glm::vec3(below.colour), glm::vec3(top.colour), alpha),
                                 alpha + (1.0F - alpha) * below.colour.a);
    }
    return shade;
}

Shade multiplied(const Shade& below, const Shade& top) {
    Shade shade = top.surface.texture.id != kNone ? top : below;
    shade.colour = below.colour * top.colour;
    return shade;
}

class ShadeFinder {
public:
    ShadeFinder(const Document& document, const std::function<void(const std::string&)>& tell)
        : document_(document)
        , tell_(tell) {}

    std::optional<Shade> find(ResourceId id, std::uint32_t entry) const {
        const PropertyGroup* const group = groupWith(id, entry);
        if (group == nullptr) {
            return std::nullopt;
        }
        return group->kind == Kind::Layers ? findLayers(*group, entry) : findOne(id, *group, entry);
    }

private:
    /// The group, if it has the entry; else null.
    const PropertyGroup* groupWith(ResourceId id, std::uint32_t entry) const {
        const auto group = document_.groups.find(id);
        if (group == document_.groups.end()) {
            tell_(fmt::format("found pid=\"{}\", expected a resource that has properties", id.id));
            return nullptr;
        }
        if (entry >= group->second.size()) {
            tell_(fmt::format("found property {} of the resource {}, expected less than {}", entry, id.id,
                              group->second.size()));
            return nullptr;
        }
        return &group->second;
    }

    std::optional<Shade> findOne(ResourceId id, const PropertyGroup& group, std::uint32_t entry) const {
        Shade shade;
        if (group.kind == Kind::Texture) {
            shade.surface.texture = {id.part, group.source};
            shade.uv = group.uvs[entry];
            if (!document_.textures.contains(shade.surface.texture)) {
                tell_(fmt::format("found texid=\"{}\", expected a <texture2d> that is there", group.source));
                return std::nullopt;
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

    std::optional<Shade> findLayers(const PropertyGroup& group, std::uint32_t entry) const {
        std::optional<Shade> shade;
        for (std::size_t i = 0; i < group.groups.size(); ++i) {
            const ResourceId id{group.place.part, group.groups[i]};
            const std::uint32_t entryOfLayer = group.layers[entry][i];
            const PropertyGroup* const layer = groupWith(id, entryOfLayer);
            if (layer != nullptr && layer->kind == Kind::Layers) {
                tell_(fmt::format("found layers in pids=\"{}\" of layers, expected none", id.id));
            }
            if (layer == nullptr || layer->kind == Kind::Layers) {
                continue;
            }
            std::optional<Shade> top = findOne(id, *layer, entryOfLayer);
            if (!top) {
                continue;
            }
            top->surface.base = {kNone, kNone}; // a colour among others
            top->surface.entry = kNone;
            const bool multiplies =
                i > 0 && i <= group.blends.size() && group.blends[i - 1] == PropertyGroup::Blend::Multiply;
            shade = !shade ? *top : multiplies ? multiplied(*shade, *top) : mixed(*shade, *top);
        }
        return shade;
    }

    const Document& document_;
    const std::function<void(const std::string&)>& tell_;
};

} // namespace

Shade shadeOf(const Document& document, ResourceId group, std::uint32_t entry,
              const std::function<void(const std::string& problem)>& tell) {
    Shade plain;
    plain.colour = kPlainColour;
    return ShadeFinder(document, tell).find(group, entry).value_or(plain);
}

} // namespace aureole::threemf
