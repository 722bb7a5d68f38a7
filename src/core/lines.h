#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace aureole {

/// The lines of a text, without the empty ones. A message of several problems has a line for each.
std::vector<std::string> linesOf(std::string_view text);

/// The parts of a list; an empty text is one empty part.
std::vector<std::string> splitList(std::string_view text, char separator = ',');

/// The text with a line break in place of the last space of each `columns` characters, where it has one.
std::string wrapped(const std::string& text, std::size_t columns);

} // namespace aureole
