#include "scene/json/json_document.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace aureole {

namespace {

/// Reads the text one character at a time and counts lines on the way, so that the parser's callbacks know theirs.
class LineCounter {
public:
    struct State {
        std::size_t line = 1;
        char last = '\0';
    };

    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineCounter(const char* position, State& state)
        : position_(position)
        , state_(&state) {}

    const char& operator*() const { return *position_; }
    LineCounter& operator++() {
        state_->last = *position_;
        state_->line += *position_ == '\n' ? 1U : 0U;
        ++position_;
        return *this;
    }
    bool operator==(const LineCounter& other) const { return position_ == other.position_; }
    bool operator!=(const LineCounter& other) const { return position_ != other.position_; }

private:
    const char* position_;
    State* state_;
};

std::size_t lineOfOffset(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

std::size_t columnOfOffset(std::string_view text, std::size_t offset) {
    const std::size_t newline = text.substr(0, offset).rfind('\n');
    return newline == std::string_view::npos ? offset + 1 : offset - newline;
}

/// The parser's own words without its exception id and its position, which is given our way.
std::string plainMessage(std::string message) {
    if (const std::size_t id = message.find("] "); message.starts_with("[json.exception") && id != std::string::npos) {
        message.erase(0, id + 2);
    }
    if (const std::size_t place = message.find(": ");
        message.starts_with("parse error at") && place != std::string::npos) {
        message.erase(0, place + 2);
    }
    return message;
}

/// How many characters before the parser's position the token begins that it could not use. Control characters are
/// written out in the parser's copy of the token, whose length says nothing then.
std::size_t tokenLength(std::size_t position, const std::string& token) {
    const bool isExact = token.find("<U+") == std::string::npos && !token.empty();
    return std::min(position, isExact ? token.size() : std::size_t{1});
}

/// Follows a parse and knows the JSON pointer and the line of every value.
class PointerTracker : public nlohmann::json_sax<Json> {
public:
    PointerTracker(std::string_view text, const LineCounter::State& lexer)
        : text_(text)
        , lexer_(lexer) {}

    bool null() override { return scalar(false); }
    bool boolean(bool /*value*/) override { return scalar(false); }
    bool number_integer(number_integer_t /*value*/) override { return scalar(true); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return scalar(true); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return scalar(true); }
    bool string(string_t& /*value*/) override { return scalar(false); }
    bool binary(binary_t& /*value*/) override { return scalar(false); }
    bool start_object(std::size_t /*elements*/) override { return open(false); }
    bool start_array(std::size_t /*elements*/) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        frames_.back().key = name;
        frames_.back().keyLine = lexer_.line;
        return onKey(name);
    }
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override {
        const std::size_t offset = std::min(text_.size(), position - tokenLength(position, token));
        onSyntaxError(lineOfOffset(text_, offset), columnOfOffset(text_, offset), plainMessage(error.what()));
        return false;
    }

protected:
    virtual bool onKey(const std::string& /*name*/) { return true; }
    virtual bool onValue() { return true; }
    virtual bool onOpen() { return true; }
    virtual void onClose() {}
    virtual void onSyntaxError(std::size_t /*line*/, std::size_t /*column*/, const std::string& /*message*/) {}

    std::size_t depth() const { return frames_.size(); }
    std::size_t line() const { return line_; }
    std::string pointer() const {
        std::string result;
        for (const Frame& frame : frames_) {
            result = childPointer(result, frame.isArray ? std::to_string(frame.index) : frame.key);
        }
        return result;
    }

private:
    struct Frame {
        bool isArray = false;
        std::string key;
        std::size_t keyLine = 1;
        std::size_t index = 0;
    };

    bool begin(bool isNumber) {
        // The lexer only knows that a number is over once it has read the character behind it.
        const std::size_t here = lexer_.line - (isNumber && lexer_.last == '\n' ? 1U : 0U);
        line_ = frames_.empty() || frames_.back().isArray ? here : frames_.back().keyLine;
        return onValue();
    }
    void end() {
        if (!frames_.empty() && frames_.back().isArray) {
            ++frames_.back().index;
        }
    }
    bool scalar(bool isNumber) {
        const bool goOn = begin(isNumber);
        end();
        return goOn;
    }
    bool open(bool isArray) {
        if (!begin(false)) {
            return false;
        }
        frames_.push_back({isArray, {}, 1, 0});
        return onOpen();
    }
    bool close() {
        frames_.pop_back();
        onClose();
        end();
        return true;
    }

    std::string_view text_;
    const LineCounter::State& lexer_;
    std::vector<Frame> frames_;
    std::size_t line_ = 1;
};

constexpr std::size_t kShownOfKey = 40;

/// Finds what makes a text unfit before a document is built from it.
class Checker : public PointerTracker {
public:
    Checker(std::string_view text, const LineCounter::State& lexer, const JsonLimits& limits,
            std::vector<SceneProblem>& problems)
        : PointerTracker(text, lexer)
        , lexer_(lexer)
        , limits_(limits)
        , problems_(problems) {}

private:
    bool onKey(const std::string& name) override {
        if (name.size() > limits_.keyBytes) {
            problems_.push_back({{},
                                 lexer_.line,
                                 fmt::format("found a key of {} bytes, which starts with '{}', expected at most {}",
                                             name.size(), name.substr(0, kShownOfKey), limits_.keyBytes)});
            return false;
        }
        if (!keys_.back().insert(name).second) {
            problems_.push_back({pointer(), lexer_.line,
                                 fmt::format("found the key '{}' twice in one object, expected it once", name)});
        }
        return problems_.size() < limits_.problems;
    }
    bool onValue() override {
        if (++values_ <= limits_.values) {
            return true;
        }
        problems_.push_back({{}, line(), fmt::format("found more than {} JSON values", limits_.values)});
        return false;
    }
    bool onOpen() override {
        keys_.emplace_back();
        if (depth() <= limits_.depth) {
            return true;
        }
        problems_.push_back({{}, line(), fmt::format("found more than {} levels of nesting", limits_.depth)});
        return false;
    }
    void onClose() override { keys_.pop_back(); }
    void onSyntaxError(std::size_t line, std::size_t column, const std::string& message) override {
        problems_.push_back({{}, line, fmt::format("broken JSON in column {}: {}", column, message)});
    }

    const LineCounter::State& lexer_;
    const JsonLimits& limits_;
    std::vector<SceneProblem>& problems_;
    std::vector<std::set<std::string>> keys_;
    std::size_t values_ = 0;
};

/// Notes the lines of the pointers asked for.
class Locator : public PointerTracker {
public:
    Locator(std::string_view text, const LineCounter::State& lexer, std::unordered_map<std::string, std::size_t>& lines)
        : PointerTracker(text, lexer)
        , lines_(lines) {
        for (const auto& [pointer, unused] : lines) {
            depths_.insert(static_cast<std::size_t>(std::count(pointer.begin(), pointer.end(), '/')));
        }
    }

private:
    bool onValue() override {
        if (depths_.contains(depth())) { // pointers take time to put together
            if (const auto found = lines_.find(pointer()); found != lines_.end()) {
                found->second = line();
            }
        }
        return true;
    }

    std::unordered_map<std::string, std::size_t>& lines_;
    std::set<std::size_t> depths_; ///< of the pointers asked for
};

bool runParser(std::string_view text, LineCounter::State& state, PointerTracker& handler) {
    return Json::sax_parse(LineCounter(text.data(), state), LineCounter(text.data() + text.size(), state), &handler);
}

} // namespace

Json parseJson(std::string_view text, const JsonLimits& limits, std::vector<SceneProblem>& problems) {
    if (text.size() > limits.bytes) {
        problems.push_back({{}, 0, fmt::format("found {} bytes, expected at most {}", text.size(), limits.bytes)});
        return nullptr;
    }
    const std::size_t before = problems.size();
    LineCounter::State state;
    Checker checker(text, state, limits, problems);
    const bool parsed = runParser(text, state, checker);
    return parsed && problems.size() == before ? Json::parse(text) : Json(nullptr);
}

void locateProblems(std::string_view text, std::vector<SceneProblem>& problems) {
    std::unordered_map<std::string, std::size_t> lines;
    for (const SceneProblem& problem : problems) {
        if (problem.line == 0) {
            lines.emplace(problem.pointer, 0);
        }
    }
    if (lines.empty()) {
        return;
    }
    LineCounter::State state;
    Locator locator(text, state, lines);
    runParser(text, state, locator);
    for (SceneProblem& problem : problems) {
        if (problem.line == 0) {
            problem.line = lines.at(problem.pointer);
        }
    }
}

std::string childPointer(std::string_view pointer, std::string_view key) {
    std::string result(pointer);
    result += '/';
    for (const char c : key) {
        if (c == '~') {
            result += "~0";
        } else if (c == '/') {
            result += "~1";
        } else {
            result += c;
        }
    }
    return result;
}

bool splitPointer(std::string_view pointer, std::vector<std::string>& parts) {
    if (!pointer.starts_with('/')) {
        return false;
    }
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            parts.emplace_back();
        } else if (pointer[i] != '~') {
            parts.back() += pointer[i];
        } else {
            const char code = i + 1 < pointer.size() ? pointer[++i] : '\0';
            if (code != '0' && code != '1') {
                return false;
            }
            parts.back() += code == '0' ? '~' : '/';
        }
    }
    return true;
}

} // namespace aureole
