#include "import/off/off_lines.h"

#include <optional>
#include <utility>

#include "core/to_number.h"
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
    const std::optional<double> value = toNumber<double>(text);
    if (!value) {
        refuse("found '{}', expected a number", text);
    }
    return static_cast<float>(*value); // what a float has no room for becomes infinite, or zero
}

std::uint64_t OffLines::count() {
    const std::string_view text = word();
    const std::optional<std::uint64_t> value = toNumber<std::uint64_t>(text);
    if (!value) {
        refuse("found '{}', expected a whole number from 0", text);
    }
    return *value;
}

} // namespace aureole::off
