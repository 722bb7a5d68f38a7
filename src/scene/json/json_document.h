#pragma once

// The text of a scene file turned into a JSON document that can be trusted: bounded in size and depth, no key twice.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "scene/load.h"

namespace aureole {

using Json = nlohmann::json;

/// Caps on untrusted text, checked before a document is built from it.
struct JsonLimits {
    std::size_t bytes = std::size_t{32} << 20;
    std::size_t values = std::size_t{4} << 20; ///< a document takes some 50 bytes for each
    std::size_t depth = 64;
    std::size_t keyBytes = 1024; ///< each problem below a key repeats it
    std::size_t problems = 1000; ///< that are worth reading
};

/// Parses `text`. What is wrong with it goes to `problems`, with lines: broken syntax, a key that stands twice, text
/// past the limits. Returns null where there was a problem.
Json parseJson(std::string_view text, const JsonLimits& limits, std::vector<SceneProblem>& problems);

/// Sets the line of every problem that has none, from where its pointer stands in `text`: the line of the key for a
/// member of an object, of the value for an element of an array. Pointers that the text lacks keep line 0.
void locateProblems(std::string_view text, std::vector<SceneProblem>& problems);

/// The pointer of a member or element, escaped as RFC 6901 asks.
std::string childPointer(std::string_view pointer, std::string_view key);

/// The parts of a JSON pointer, unescaped. False where it does not begin with a slash or holds a bad escape.
bool splitPointer(std::string_view pointer, std::vector<std::string>& parts);

} // namespace aureole
