#include "import/off/off_lines.h"

#include <charconv>
#include <utility>

#include "import/words.h"

namespace aureole::off {

OffLines::OffLines(InputFile file)
    : stream_(std::move(file)) {}

bool OffLines::start() {
    words_.clear();
    at_ = 0;
    while (words_.empty() && std::getline(stream_, text_)) {
        ++line_;
        words_ = wordsOf(std::string_view(text_).substr(0, text_.find('#')));
    }
    return !words_.empty();
}

std::string_view OffLines::word() {
    if (left() == 0 && !start()) {
        refuse("found the end of the file, expected more");
    }
    return words_[at_++];
}

void OffLines::putBack(std::size_t characters) {
    std::string_view& last = words_.at(at_ - 1);
    last.remove_prefix(characters);
    at_ -= last.empty() ? 0 : 1;
}

float OffLines::number() {
    std::string_view text = word();
    text.remove_prefix(text.starts_with('+') ? 1 : 0);
    double value = 0.0; // what a float has no room for becomes infinite, or zero
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        refuse("found '{}', expected a number", text);
    }
    return static_cast<float>(value);
}

std::uint64_t OffLines::count() {
    const std::string_view text = word();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        refuse("found '{}', expected a whole number from 0", text);
    }
    return value;
}

} // namespace aureole::off
