#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aureole {

/// The lines of a text, without the empty ones. A message of several problems has a line for each.
std::vector<std::string> linesOf(std::string_view text);

} // namespace aureole
