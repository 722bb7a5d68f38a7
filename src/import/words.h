#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace aureole {

/// Takes the next word of a text off its front, with the blanks before it; an empty one at the end.
inline std::string_view nextWord(std::string_view& text) {
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

inline std::vector<std::string_view> wordsOf(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::string_view word = nextWord(text); !word.empty(); word = nextWord(text)) {
        words.push_back(word);
    }
    return words;
}

} // namespace aureole
