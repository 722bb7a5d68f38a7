#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "import/threemf/document.h"
#include "import/threemf/package.h"

namespace aureole::threemf {

/// Reads one of the document's parts into it, and notes the parts that this one refers to behind the others. Of another
/// part than the first nothing is built. Warns of elements and extensions that are not read, but for those that
/// `unread` names, and notes them there. Throws Error (BadInput).
void readModelPart(Package& package, std::uint32_t part, std::set<std::string>& unread, Document& document);

} // namespace aureole::threemf
