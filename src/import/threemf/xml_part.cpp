#include "import/threemf/xml_part.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>

#include <expat.h>

#include "core/printable.h"
#include "core/to_number.h"
#include "import/words.h"
#include "model/texture_sample.h"

namespace aureole::threemf {

namespace {

constexpr char kSeparator = '|'; ///< expat's between a namespace and a name

/// A whole word as a number; nothing where it is none, or not finite.
template <typename T>
std::optional<T> numberOf(std::string_view word) {
    if (word.starts_with('+')) {
        word.remove_prefix(1);
    }
    const std::optional<T> value = toNumber<T>(word);
    if constexpr (std::is_floating_point_v<T>) {
        return value && std::isfinite(*value) ? value : std::nullopt;
    }
    return value;
}

/// The words of a text as numbers; nothing where one is none.
template <typename T>
std::optional<std::vector<T>> numbersOf(std::string_view text) {
    std::vector<T> values;
    for (const std::string_view word : wordsOf(text)) {
        const std::optional<T> value = numberOf<T>(word);
        if (!value) {
            return std::nullopt;
        }
        values.push_back(*value);
    }
    return values;
}

template <typename T>
std::optional<T> onlyNumberOf(std::string_view text) {
    const std::string_view word = nextWord(text);
    return nextWord(text).empty() ? numberOf<T>(word) : std::nullopt;
}

/// One part under way. expat is C, so that what is thrown within its calls waits until they have returned.
class Parse {
public:
    Parse(Package& package, std::string_view part, ElementReader& reader)
        : place_(fmt::format("{}: {}", package.name(), part))
        , reader_(reader)
        , parser_(XML_ParserCreateNS(nullptr, kSeparator), XML_ParserFree) {
        if (!parser_) {
            throw std::bad_alloc();
        }
        XML_SetUserData(parser_.get(), this);
        XML_SetElementHandler(parser_.get(), onStart, onEnd);
        XML_SetStartNamespaceDeclHandler(parser_.get(), onNamespace);
        XML_SetStartDoctypeDeclHandler(parser_.get(), onDoctype);
        package.read(part, [this](std::span<const char> piece) { take(piece, false); });
        take({}, true);
    }

private:
    void take(std::span<const char> piece, bool last) {
        const XML_Status status = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
        if (status == XML_STATUS_ERROR) {
            const XML_Error error = XML_GetErrorCode(parser_.get());
            if (error == XML_ERROR_NO_MEMORY) {
                throw std::bad_alloc();
            }
            fail(ExitCode::BadInput, "{}: line {}: found XML that is not well formed ({}), expected a part of 3MF",
                 place_, line(), XML_ErrorString(error));
        }
        given_ += piece.size();
        refuseLongTokens();
    }

    /// expat 2.5 begins a token that is not whole anew with each piece, which takes the square of its length.
    void refuseLongTokens() const {
        constexpr std::uint64_t kLongest = std::uint64_t{1} << 22U;
        const XML_Index start = std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())); // -1 before any
        if (given_ - static_cast<std::uint64_t>(start) > kLongest) {
            fail(ExitCode::BadInput,
                 "{}: line {}: found a tag or a comment of more than {} bytes, expected at most that", place_, line(),
                 kLongest);
        }
    }

    std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }

    template <typename Call>
    void guarded(const Call& call) {
        if (thrown_) {
            return; // expat tells what it has found already
        }
        try {
            call();
        } catch (...) {
            thrown_ = std::current_exception();
            XML_StopParser(parser_.get(), XML_FALSE);
        }
    }

    static void onStart(void* self, const char* name, const char** attributes) {
        auto& parse = *static_cast<Parse*>(self);
        parse.guarded([&] {
            parse.isInRoot_ = true;
            parse.reader_.start(Element(name, attributes, parse.namespaces_, parse.place_, parse.line()));
        });
    }
    static void onEnd(void* self, const char* /*name*/) {
        auto& parse = *static_cast<Parse*>(self);
        parse.guarded([&] { parse.reader_.end(); });
    }
    /// Comes before the start of the element that declares it.
    static void onNamespace(void* self, const char* prefix, const char* address) {
        auto& parse = *static_cast<Parse*>(self);
        parse.guarded([&] {
            if (!parse.isInRoot_ && prefix != nullptr && address != nullptr) {
                parse.namespaces_.emplace(prefix, address);
            }
        });
    }
    static void onDoctype(void* self, const char* name, const char* /*system*/, const char* /*open*/, int /*subset*/) {
        auto& parse = *static_cast<Parse*>(self);
        parse.guarded([&] {
            fail(ExitCode::BadInput, "{}: line {}: found the document type '{}', expected none, as 3MF has it",
                 parse.place_, parse.line(), name);
        });
    }

    std::string place_;
    ElementReader& reader_;
    std::uint64_t given_ = 0; ///< bytes that expat was given
    Namespaces namespaces_;   ///< of the root
    bool isInRoot_ = false;   ///< whether the root has started
    std::exception_ptr thrown_;
    std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser_;
};

} // namespace

Element::Element(std::string_view name, const char* const* attributes, const Namespaces& namespaces,
                 const std::string& place, std::uint64_t line)
    : name_(name)
    , attributes_(attributes)
    , namespaces_(namespaces)
    , place_(place)
    , line_(line) {
    if (const std::size_t end = name.rfind(kSeparator); end != std::string_view::npos) {
        space_ = name.substr(0, end);
        name_ = name.substr(end + 1);
    }
}

std::string_view Element::namespaceOf(std::string_view prefix) const {
    const auto found = namespaces_.find(prefix);
    return found != namespaces_.end() ? std::string_view(found->second) : std::string_view();
}

const char* Element::find(std::string_view attribute) const {
    for (const char* const* next = attributes_; *next != nullptr; next += 2) {
        const std::string_view name = *next;
        const std::size_t separator = name.rfind(kSeparator);
        const bool isOurs = separator == std::string_view::npos || name.starts_with(kSpacesOfFormat);
        if (isOurs && name.substr(separator + 1) == attribute) { // behind npos all of it
            return next[1];
        }
    }
    return nullptr;
}

void Element::refuse(std::string_view attribute, std::string_view found, std::string_view expected) const {
    fail(ExitCode::BadInput, "{}: <{}>: found {}=\"{}\", expected {}", place(), name_, attribute, excerpt(found),
         expected);
}

std::string_view Element::textOr(std::string_view attribute, std::string_view otherwise) const {
    const char* const found = find(attribute);
    return found != nullptr ? found : otherwise;
}

std::string_view Element::text(std::string_view attribute) const {
    const char* const found = find(attribute);
    if (found == nullptr) {
        fail(ExitCode::BadInput, "{}: <{}>: found no attribute '{}', expected one", place(), name_, attribute);
    }
    return found;
}

std::vector<std::string_view> Element::words(std::string_view attribute) const {
    return wordsOf(textOr(attribute, ""));
}

std::uint32_t Element::index(std::string_view attribute) const {
    const std::string_view found = text(attribute);
    const std::optional<std::uint32_t> value = onlyNumberOf<std::uint32_t>(found);
    if (!value || *value >= std::numeric_limits<std::int32_t>::max()) {
        refuse(attribute, found, "a whole number from 0 to 2147483646");
    }
    return *value;
}

std::uint32_t Element::indexOr(std::string_view attribute, std::uint32_t otherwise) const {
    return has(attribute) ? index(attribute) : otherwise;
}

std::vector<std::uint32_t> Element::indices(std::string_view attribute) const {
    const std::string_view found = text(attribute);
    std::optional<std::vector<std::uint32_t>> values = numbersOf<std::uint32_t>(found);
    if (!values) {
        refuse(attribute, found, "whole numbers");
    }
    return std::move(*values);
}

float Element::number(std::string_view attribute) const {
    const std::string_view found = text(attribute);
    const std::optional<double> value = onlyNumberOf<double>(found); // small ones are no floats to from_chars
    if (!value || std::abs(*value) > std::numeric_limits<float>::max()) {
        refuse(attribute, found, "a finite number");
    }
    return static_cast<float>(*value);
}

std::vector<double> Element::numbers(std::string_view attribute) const {
    const std::string_view found = text(attribute);
    std::optional<std::vector<double>> values = numbersOf<double>(found);
    if (!values) {
        refuse(attribute, found, "finite numbers");
    }
    return std::move(*values);
}

glm::vec4 Element::colour(std::string_view attribute) const {
    const std::string_view found = text(attribute);
    const std::string_view digits = found.starts_with('#') ? found.substr(1) : std::string_view();
    std::uint32_t bits = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    if ((digits.size() != 6 && digits.size() != 8) || error != std::errc() || end != digits.data() + digits.size()) {
        refuse(attribute, found, "a colour as #RRGGBB or #RRGGBBAA");
    }
    if (digits.size() == 6) {
        bits = (bits << 8U) | 0xffU;
    }
    const auto byte = [bits](unsigned shift) { return static_cast<std::uint8_t>(bits >> shift); };
    return {srgbToLinear(byte(24)), srgbToLinear(byte(16)), srgbToLinear(byte(8)),
            static_cast<float>(byte(0)) / 255.0F};
}

glm::dmat4 Element::transform() const {
    constexpr std::string_view kAttribute = "transform";
    glm::dmat4 matrix(1.0);
    if (!has(kAttribute)) {
        return matrix;
    }
    const std::string_view found = text(kAttribute);
    const std::optional<std::vector<double>> values = numbersOf<double>(found);
    if (!values || values->size() != 12) {
        refuse(kAttribute, found, "twelve finite numbers");
    }
    for (std::size_t i = 0; i < values->size(); ++i) { // the format has vectors in front of matrices
        matrix[static_cast<glm::length_t>(i / 3)][static_cast<glm::length_t>(i % 3)] = (*values)[i];
    }
    return matrix;
}

std::size_t Element::choice(std::string_view attribute, std::span<const std::string_view> words) const {
    const std::string_view found = textOr(attribute, words[0]);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == found) {
            return i;
        }
    }
    refuse(attribute, found, fmt::format("one of {}", fmt::join(words, ", ")));
}

void readXmlPart(Package& package, std::string_view part, ElementReader& reader) {
    const Parse parse(package, part, reader);
}

} // namespace aureole::threemf
