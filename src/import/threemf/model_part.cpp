#include "import/threemf/model_part.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "core/error.h"
#include "core/log.h"
#include "core/printable.h"
#include "import/threemf/extensions.h"
#include "import/threemf/xml_part.h"

namespace aureole::threemf {

namespace {

/// Whether an element is of the format itself or of an extension that is read, by its namespace.
bool isOurs(const Element& element) {
    return element.space().empty() || isRead(element.space()); // some write none
}

class ModelPart : public ElementReader {
public:
    ModelPart(Package& package, std::uint32_t part, std::set<std::string>& unread, Document& document)
        : package_(package)
        , part_(part)
        , unread_(unread)
        , document_(document) {
        readXmlPart(package, std::string(document.parts[part]), *this);
        if (!found_) {
            fail(ExitCode::BadInput, "{}: {}: found no <model>, expected one", package.name(), document.parts[part]);
        }
    }

    void start(const Element& element) override { within_.push_back(enter(element)); }
    void end() override { within_.pop_back(); }

private:
    /// What an element is within, as far as it matters.
    enum class Within { Nothing, Model, Resources, Group, Object, Mesh, Vertices, Triangles, Components, Build };

    /// Takes an element, and says what its children are within.
    Within enter(const Element& element) {
        const Within around = within_.empty() ? Within::Model : within_.back();
        const std::string_view name = element.name();
        if (within_.empty()) {
            return name == "model" ? startModel(element) : Within::Nothing;
        }
        if (!isOurs(element)) {
            return leaveOut(around, element);
        }
        switch (around) {
        case Within::Nothing:
            return Within::Nothing;
        case Within::Model:
            return name == "resources" ? Within::Resources : name == "build" ? Within::Build : Within::Nothing;
        case Within::Resources:
            return startResource(element);
        case Within::Object:
            return name == "mesh"         ? Within::Mesh
                   : name == "components" ? Within::Components
                                          : leaveOut(around, element);
        case Within::Mesh:
            return name == "vertices"    ? Within::Vertices
                   : name == "triangles" ? Within::Triangles
                                         : leaveOut(around, element);
        default:
            takeEntry(around, element);
            return Within::Nothing;
        }
    }

    /// Tells of what is not read, unless it changes nothing of what is shown.
    Within leaveOut(Within around, const Element& element) {
        constexpr std::array<std::string_view, 3> kHarmless = {"metadatagroup", "slicestack", "trianglesets"};
        const bool matters = around == Within::Resources || around == Within::Object || around == Within::Mesh;
        const bool harmless = std::find(kHarmless.begin(), kHarmless.end(), element.name()) != kHarmless.end();
        if (matters && !harmless && unread_.insert(std::string(element.name())).second) {
            logWarning("{}: found <{}>, which is not read: models are shown without", element.place(), element.name());
        }
        return Within::Nothing;
    }

    Within startModel(const Element& element) {
        constexpr std::array<std::string_view, 6> kUnits = {"millimeter", "micron", "centimeter",
                                                            "meter",      "inch",   "foot"};
        constexpr std::array<double, 6> kMetres = {1e-3, 1e-6, 1e-2, 1.0, 0.0254, 0.3048};
        found_ = true;
        checkExtensions(element, unread_);
        const double metres = kMetres[element.choice("unit", kUnits)];
        if (part_ == 0) {
            document_.metresOfUnit = metres;
        }
        return Within::Model;
    }

    Within startResource(const Element& element) {
        const std::string_view name = element.name();
        if (name == "object") {
            object_ = &add(document_.objects, element);
            object_->name = element.textOr("name", "");
            object_->place = placeOf(element);
            object_->group = element.indexOr("pid", kNone);
            object_->property = element.indexOr("pindex", kNone);
            return Within::Object;
        }
        if (name == "texture2d") {
            readTexture(element, add(document_.textures, element));
            return Within::Nothing;
        }
        return startGroup(element);
    }

    static void readTexture(const Element& element, PackagedTexture& texture) {
        constexpr std::array<std::string_view, 4> kStyles = {"wrap", "mirror", "clamp", "none"};
        constexpr std::array<Wrap, 4> kWraps = {Wrap::Repeat, Wrap::Mirror, Wrap::Clamp, Wrap::Clamp};
        texture.path = element.text("path");
        texture.wrap = {kWraps[element.choice("tilestyleu", kStyles)], kWraps[element.choice("tilestylev", kStyles)]};
        texture.nearest = element.textOr("filter", "") == "nearest";
    }

    Within startGroup(const Element& element) {
        using Kind = PropertyGroup::Kind;
        const std::string_view name = element.name();
        PropertyGroup group;
        group.place = placeOf(element);
        if (name == "basematerials" || name == "colorgroup") {
            group.kind = name == "basematerials" ? Kind::Base : Kind::Colours;
        } else if (name == "texture2dgroup") {
            group.kind = Kind::Texture;
            group.source = element.index("texid");
        } else if (name == "compositematerials") {
            group.source = element.index("matid");
            mixed_ = element.indices("matindices");
        } else if (name == "multiproperties") {
            group.kind = Kind::Layers;
            group.groups = element.indices("pids");
            constexpr std::size_t kMostLayers = 64; // each entry of the group has one of each, which few bytes tell
            if (group.groups.size() > kMostLayers) {
                fail(ExitCode::BadInput, "{}: <{}>: found {} pids, expected at most {}", element.place(), name,
                     group.groups.size(), kMostLayers);
            }
            for (const std::string_view method : element.words("blendmethods")) {
                group.blends.push_back(method == "multiply" ? PropertyGroup::Blend::Multiply
                                                            : PropertyGroup::Blend::Mix);
            }
        } else {
            return leaveOut(Within::Resources, element);
        }
        group_ = &(add(document_.groups, element) = std::move(group));
        return Within::Group;
    }

    void takeEntry(Within around, const Element& element) {
        const std::string_view name = element.name();
        if (around == Within::Vertices && name == "vertex") {
            object_->vertices.emplace_back(element.number("x"), element.number("y"), element.number("z"));
        } else if (around == Within::Triangles && name == "triangle") {
            takeTriangle(element);
        } else if (around == Within::Components && name == "component") {
            object_->components.push_back(componentOf(element));
        } else if (around == Within::Build && name == "item" && part_ == 0) {
            document_.items.push_back(componentOf(element));
        } else if (around == Within::Group) {
            takeProperty(element);
        }
    }

    void takeTriangle(const Element& element) {
        Triangle triangle;
        constexpr std::array<std::string_view, 3> kVertices = {"v1", "v2", "v3"};
        for (std::size_t i = 0; i < kVertices.size(); ++i) {
            const std::uint32_t vertex = element.index(kVertices[i]);
            if (vertex >= object_->vertices.size()) {
                fail(ExitCode::BadInput,
                     "{}: <triangle>: found {}=\"{}\", expected less than {}, as many as there are vertices",
                     element.place(), kVertices[i], vertex, object_->vertices.size());
            }
            triangle.vertices[static_cast<glm::length_t>(i)] = vertex;
        }
        triangle.group = element.indexOr("pid", object_->group);
        if (element.has("p1")) {
            if (triangle.group == kNone) {
                fail(ExitCode::BadInput,
                     "{}: <triangle>: found p1=\"{}\" without a pid, expected one here or of the object",
                     element.place(), excerpt(element.text("p1")));
            }
            const std::uint32_t first = element.index("p1");
            triangle.properties = {first, element.indexOr("p2", first), element.indexOr("p3", first)};
        }
        object_->triangles.push_back(triangle);
    }

    void takeProperty(const Element& element) {
        using Kind = PropertyGroup::Kind;
        const std::string_view name = element.name();
        if (group_->kind == Kind::Base && name == "base") {
            group_->names.emplace_back(element.textOr("name", ""));
            group_->colours.push_back(element.colour("displaycolor"));
        } else if (group_->kind == Kind::Colours && group_->source == kNone && name == "color") {
            group_->colours.push_back(element.colour("color"));
        } else if (group_->kind == Kind::Texture && name == "tex2coord") {
            group_->uvs.emplace_back(element.number("u"), 1.0F - element.number("v"));
        } else if (group_->kind == Kind::Colours && group_->source != kNone && name == "composite") {
            group_->colours.push_back(mixtureOf(element));
        } else if (group_->kind == Kind::Layers && name == "multi") {
            std::vector<std::uint32_t> entries = element.indices("pindices");
            entries.resize(group_->groups.size(), 0); // what is not told is the first
            group_->layers.push_back(std::move(entries));
        }
    }

    /// The mean of the colours of base materials, by the shares of an element.
    glm::vec4 mixtureOf(const Element& element) const {
        const std::vector<double> shares = element.numbers("values");
        const auto base = document_.groups.find({part_, group_->source});
        const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        if (base == document_.groups.end() || base->second.kind != PropertyGroup::Kind::Base) {
            fail(ExitCode::BadInput, "{}: found a mixture of the resource {}, expected <basematerials> before it",
                 element.place(), group_->source);
        }
        glm::vec4 colour(0.0F);
        for (std::size_t i = 0; i < std::min(shares.size(), mixed_.size()); ++i) {
            if (mixed_[i] >= base->second.size()) {
                fail(ExitCode::BadInput, "{}: found a mixture of material {}, expected less than {}", element.place(),
                     mixed_[i], base->second.size());
            }
            colour += (sum > 0.0 ? static_cast<float>(shares[i] / sum) : 0.0F) * base->second.colours[mixed_[i]];
        }
        return glm::clamp(colour, 0.0F, 1.0F);
    }

    /// What an element places; of another part, if it says so.
    Component componentOf(const Element& element) {
        const std::string_view path = element.textOr("path", "");
        if (!path.empty() && !package_.has(path)) {
            fail(ExitCode::BadInput, "{}: <{}>: found path=\"{}\", expected a part of the package", element.place(),
                 element.name(), excerpt(path));
        }
        const std::uint32_t part = path.empty() ? part_ : document_.numberOf(path);
        return {{part, element.index("objectid")}, element.transform(), placeOf(element)};
    }

    Place placeOf(const Element& element) const { return {part_, element.line()}; }

    /// A resource under the id that its element gives.
    template <typename Resource>
    Resource& add(std::map<ResourceId, Resource>& resources, const Element& element) {
        const std::uint32_t id = element.index("id");
        const auto [found, isNew] = resources.try_emplace({part_, id});
        if (!isNew) {
            fail(ExitCode::BadInput, "{}: <{}>: found id=\"{}\" a second time, expected another for each resource",
                 element.place(), element.name(), id);
        }
        return found->second;
    }

    Package& package_;
    std::uint32_t part_;
    std::set<std::string>& unread_;
    Document& document_;
    std::vector<Within> within_;
    bool found_ = false;
    Object* object_ = nullptr;         ///< under way
    PropertyGroup* group_ = nullptr;   ///< under way
    std::vector<std::uint32_t> mixed_; ///< materials of which it is a mixture
};

} // namespace

void readModelPart(Package& package, std::uint32_t part, std::set<std::string>& unread, Document& document) {
    ModelPart(package, part, unread, document);
}

} // namespace aureole::threemf
