#pragma once

// The long texts of manual pages. They are kept in src/cli/manual/pages as Markdown, which is read in the repository
// too, and become roff here.

#include <string>
#include <vector>

namespace aureole::cli {

/// Text for roff: what would be a request, an escape or a typographic character otherwise stands for itself.
std::string escapedForRoff(const std::string& text);

/// Words one after the other, in short lines, since pages are read and compared in editors too. The last line has no
/// end.
std::string filledLines(const std::vector<std::string>& words);

/// A text in Markdown as roff with the macros of man(7), to stand in a page after its options. It knows headings (the
/// first, of one #, is the page's own and left out), paragraphs, items after "- ", code in fences, tables (of each row
/// the last cell tells of those before it), `code`, *emphasis* and links, of which the words stay.
std::string manualSections(const std::string& markdown);

} // namespace aureole::cli
