#pragma once

// Typed access to a JSON document that notes everything that is wrong instead of stopping at the first problem.
//
// A reader asks for every key its object may have; what the object has beyond those is an unknown key. So the readers
// themselves are the list of the format's keys, and ReadLog keeps it for the test that compares it with the schema.

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/json/json_document.h"
#include "scene/json/names.h"
#include "scene/scene.h"

namespace aureole {

/// What reading a document gathers.
struct ReadLog {
    std::vector<SceneProblem> problems;
    /// The keys asked for, by the pointer of the object; objects keyed by name are not in it.
    std::map<std::string, std::vector<std::string>> keys;

    bool ended = false; ///< by `end`

    /// Ends the reading once there are more than are worth it (JsonLimits).
    void add(std::string pointer, std::string message);
    /// Notes a problem that leaves nothing more to read. Throws Error (BadInput), for readNoting.
    [[noreturn]] void end(std::string pointer, const std::string& message);
};

/// Calls `read`, which notes problems, and comes back where one of them ended it.
void readNoting(ReadLog& log, const std::function<void()>& read);

/// Allowed numbers, ends included. The default bounds what a length or a radiance can sensibly be.
struct Range {
    double min = -kMaximumNumber;
    double max = kMaximumNumber;
};

inline constexpr Range kNotNegative{0.0, kMaximumNumber};
inline constexpr Range kPositive{std::numeric_limits<float>::min(), kMaximumNumber};
inline constexpr Range kUnit{0.0, 1.0};

/// What a value is, for messages: "1.5", "'abc'", "an array of 2", "an object", "null".
std::string describeJson(const Json& value);

class ObjectReader;

/// One value and where it stands. Readers return whether the value was right; a wrong one is noted and leaves `out`
/// alone.
class ValueReader {
public:
    ValueReader(const Json& value, std::string pointer, ReadLog& log);

    const Json& json() const { return *value_; }
    const std::string& pointer() const { return pointer_; }
    ReadLog& log() const { return *log_; }

    /// `word`: what else the caller takes instead of a number, for messages.
    bool read(double& out, Range range, std::string_view word = {}) const;
    bool read(float& out, Range range) const;
    bool read(bool& out) const;
    bool read(std::string& out) const;
    /// A whole number from min to max.
    bool readInteger(std::uint64_t& out, std::uint64_t min, std::uint64_t max, std::string_view word = {}) const;
    /// An array of exactly `count` numbers.
    bool readNumbers(double* out, std::size_t count, Range range) const;
    bool read(glm::dvec3& out, Range range = {}) const;
    /// A linear colour: a number for grey, [r, g, b], or "#rrggbb" in sRGB.
    bool readColour(glm::vec3& out, Range range) const;
    /// One of `choices`; returns its index.
    std::optional<std::size_t> readChoice(const std::vector<std::string>& choices) const;
    /// Calls body with an ObjectReader and then reports unknown keys.
    bool readObject(const std::function<void(ObjectReader&)>& body) const;
    /// Calls body for each element of an array.
    bool readArray(const std::function<void(const ValueReader&)>& body) const;
    /// An array of at least one [place, value], where `place` names whole numbers from 0 to `last` that ascend, such as
    /// "frame". Calls body with each place that is right, and its value.
    void readKeys(std::string_view place, std::uint32_t last,
                  const std::function<void(std::uint32_t, const ValueReader&)>& body) const;

    /// Notes a problem here: "found ..., expected <expected>".
    void expected(std::string_view expected) const;

private:
    const Json* value_;
    std::string pointer_;
    ReadLog* log_;
};

/// An object of known keys.
class ObjectReader {
public:
    ObjectReader(ValueReader object);

    const std::string& pointer() const { return object_.pointer(); }
    ReadLog& log() const { return object_.log(); }
    const ValueReader& value() const { return object_; }

    /// The value of an optional key.
    std::optional<ValueReader> find(std::string_view key);
    /// The value of a mandatory key; notes a problem where it is missing.
    std::optional<ValueReader> require(std::string_view key);
    /// Whether the key is there; does not count as asking for it.
    bool has(std::string_view key) const;

    /// Optional values: `out` keeps its default where the key is missing. True where it was read.
    bool number(std::string_view key, double& out, Range range = {});
    bool number(std::string_view key, float& out, Range range = {});
    bool boolean(std::string_view key, bool& out);
    bool vector(std::string_view key, glm::dvec3& out, Range range = {});
    bool colour(std::string_view key, glm::vec3& out, Range range = kNotNegative);
    bool integer(std::string_view key, std::uint32_t& out, std::uint32_t min, std::uint32_t max);
    template <typename Enum>
    bool choice(std::string_view key, Enum& out, const std::vector<std::pair<std::string, Enum>>& choices);
    bool object(std::string_view key, const std::function<void(ObjectReader&)>& body);
    /// An object keyed by name, each value an object: body(name, reader).
    bool named(std::string_view key, const std::function<void(const std::string&, ObjectReader&)>& body);

    /// Notes a problem with the whole object.
    void problem(std::string message) const;
    /// Notes a problem with a key of it.
    void problem(std::string_view key, std::string message) const;
    /// Notes every key that nobody asked for, with the nearest one somebody did.
    void finish() const;

private:
    ValueReader object_;
    std::vector<std::string> asked_;
};

template <typename Enum>
bool ObjectReader::choice(std::string_view key, Enum& out, const std::vector<std::pair<std::string, Enum>>& choices) {
    const std::optional<ValueReader> value = find(key);
    if (!value) {
        return false;
    }
    std::vector<std::string> names;
    names.reserve(choices.size());
    for (const auto& [name, unused] : choices) {
        names.push_back(name);
    }
    const std::optional<std::size_t> index = value->readChoice(names);
    if (index) {
        out = choices[*index].second;
    }
    return index.has_value();
}

/// Reads a string that must be one of `names`; `what` is the kind of thing, such as "material". Returns its index.
std::optional<std::size_t> readReference(const ValueReader& value, std::string_view what, const Names& names);

} // namespace aureole
