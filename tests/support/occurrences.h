#pragma once

#include <string>

namespace aureole {

/// How often `what`, not empty, stands in a text; overlapping ones count.
inline std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        ++found;
    }
    return found;
}

} // namespace aureole
