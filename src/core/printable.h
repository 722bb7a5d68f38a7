#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace aureole {

/// A text for a terminal: control characters (C0, DEL, and C1 in UTF-8) other than line breaks and tabs become "\\x1b".
/// Names of files and strings in scenes may hold them, and would move the cursor or change colours.
std::string printable(std::string_view text);

/// A name for a line of a terminal: line breaks and tabs become "\\x0a" and "\\x09" as well.
std::string onOneLine(std::string_view text);

/// The beginning of a text as onOneLine has it, "..." behind it where that is not all: for what a file says, in a
/// message.
std::string excerpt(std::string_view text, std::size_t mostBytes = 60);

} // namespace aureole
