#include "matches.h"

#include <regex>

namespace aureole {

std::vector<std::vector<std::string>> matchesOf(const std::string& text, const std::string& expression) {
    const std::regex regex(expression);
    std::vector<std::vector<std::string>> matches;
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
        matches.emplace_back(at->begin(), at->end());
    }
    return matches;
}

} // namespace aureole
