#include "core/lines.h"

#include <algorithm>

namespace aureole {

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (end > 0) {
            lines.emplace_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string> splitList(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t end = std::min(text.find(separator, first), text.size());
        parts.emplace_back(text.substr(first, end - first));
        first = end + 1;
    }
    return parts;
}

std::string wrapped(const std::string& text, std::size_t columns) {
    std::string lines = text;
    for (std::size_t start = 0; lines.size() - start > columns;) {
        const std::size_t space = lines.rfind(' ', start + columns);
        if (space == std::string::npos || space < start) {
            return lines;
        }
        lines[space] = '\n';
        start = space + 1;
    }
    return lines;
}

} // namespace aureole
