#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "core/error.h"
#include "import/threemf/package.h"

namespace aureole::threemf {

/// How the addresses of namespaces of the format and its extensions begin.
inline constexpr std::string_view kSpacesOfFormat = "http://schemas.microsoft.com/3dmanufacturing/";

/// Addresses of namespaces by their prefixes.
using Namespaces = std::map<std::string, std::string, std::less<>>;

/// An element of a part, as it starts. What its attributes hold is read here; functions throw Error (BadInput) that
/// names the package, the part, the line, what was found and what was expected.
class Element {
public:
    /// `attributes` as expat has them: names and values in turn, a null at the end; `namespaces` those that the root
    /// of its part declares. `name`, `namespaces` and `place` outlive it.
    Element(std::string_view name, const char* const* attributes, const Namespaces& namespaces,
            const std::string& place, std::uint64_t line);

    std::string_view space() const { return space_; } ///< the address of its namespace; "" for none
    std::string_view name() const { return name_; }   ///< without a prefix

    /// The address that the root of the part has for a prefix; "" for none.
    std::string_view namespaceOf(std::string_view prefix) const;

    bool has(std::string_view attribute) const { return find(attribute) != nullptr; }

    /// The text of an attribute of no namespace or of one of the format's, by its name without a prefix; or
    /// `otherwise`. Attributes of others are what other programs keep for themselves.
    std::string_view textOr(std::string_view attribute, std::string_view otherwise) const;
    std::string_view text(std::string_view attribute) const;
    /// The words of an attribute; none without it.
    std::vector<std::string_view> words(std::string_view attribute) const;

    std::uint32_t index(std::string_view attribute) const;
    std::uint32_t indexOr(std::string_view attribute, std::uint32_t otherwise) const;
    std::vector<std::uint32_t> indices(std::string_view attribute) const;
    float number(std::string_view attribute) const;
    std::vector<double> numbers(std::string_view attribute) const;
    glm::vec4 colour(std::string_view attribute) const; ///< "#RRGGBB" or "#RRGGBBAA", as linear RGBA
    glm::dmat4 transform() const; ///< the attribute of that name: three columns of four rows; without it the identity

    /// Which of some words the attribute is, or the first of them without it.
    std::size_t choice(std::string_view attribute, std::span<const std::string_view> words) const;

    /// The package, the part and the line, for messages.
    std::string place() const { return fmt::format("{}: line {}", place_, line_); }
    std::uint64_t line() const { return line_; }

private:
    const char* find(std::string_view attribute) const;
    [[noreturn]] void refuse(std::string_view attribute, std::string_view found, std::string_view expected) const;

    std::string_view space_;
    std::string_view name_;
    const char* const* attributes_;
    const Namespaces& namespaces_;
    const std::string& place_;
    std::uint64_t line_;
};

/// What the elements of a part are told to, from first to last.
class ElementReader {
public:
    virtual ~ElementReader() = default;
    virtual void start(const Element& element) = 0;
    virtual void end() = 0;
};

/// Reads a part that is there, which is XML, by expat. Throws Error (BadInput) with the line where it is none, or has a
/// document type, which packages are not to have; and what the reader throws.
void readXmlPart(Package& package, std::string_view part, ElementReader& reader);

} // namespace aureole::threemf
