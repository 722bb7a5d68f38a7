#pragma once

#include <set>
#include <string>
#include <string_view>

#include "import/threemf/xml_part.h"

namespace aureole::threemf {

/// Whether a namespace is the format's own or one of its extensions that are read, by its address.
bool isRead(std::string_view space);

/// Looks at the extensions that a <model> requires and recommends. Throws Error (BadInput) for one that is required and
/// without which models would be others, as the format asks for. Warns of what else is not read, but for those whose
/// addresses are among `unread`, and notes them there.
void checkExtensions(const Element& model, std::set<std::string>& unread);

} // namespace aureole::threemf
