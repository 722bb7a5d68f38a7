#pragma once

#include <string>
#include <vector>

namespace aureole {

/// The matches of a regular expression in a text, one after another, each with its groups: the first is the whole
/// match, and a group that has no part in it is empty. Tests do not take std::regex themselves: each would compile it
/// for seconds.
std::vector<std::vector<std::string>> matchesOf(const std::string& text, const std::string& expression);

} // namespace aureole
