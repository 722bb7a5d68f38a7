#pragma once

// What there is to know of a setting, in one row: the scene's reader and schema, the options, their help and
// completion, the attributes of pictures and the identity of checkpoints are made from rows like these.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace aureole {

/// true or false.
struct Switch {};

/// A whole number, ends included.
struct CountRange {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    std::uint32_t leastButZero = 0; ///< 0 is allowed, and then numbers from here on; 0: all from `least` on
    std::uint32_t leastOption = 0;  ///< that the option takes; 0: as the scene
    std::string_view word = {};     ///< that may stand in place of a number above 0; it reads as kCountWord
};

/// What stands for the word of a range of counts.
inline constexpr std::uint32_t kCountWord = 0;

/// A finite number, ends included.
struct NumberRange {
    double least = 0.0;
    double most = 0.0;
    double leastOption = 0.0;   ///< that the option takes beside 0; 0: as the scene
    std::string_view zero = {}; ///< what 0 stands for there, as in " for no limit"
    std::string_view word = {}; ///< that may stand in place of a number; it reads as kWordInstead
};

/// What stands for the word of a range of numbers.
inline constexpr double kWordInstead = std::numeric_limits<double>::infinity();

inline constexpr CountRange kSeedRange{0, std::numeric_limits<std::uint32_t>::max()};
inline constexpr NumberRange kUnitRange{0.0, 1.0};

/// A setting that is one of some words.
struct Words {
    const std::vector<std::string>& (*names)();
};

/// The value of a setting; of one of some words, their place.
using SettingValue = std::variant<bool, std::uint32_t, double>;

/// Where the value of a setting is noted as an attribute.
enum class Noted {
    Nowhere,
    Picture,           ///< in pictures and checkpoints
    PictureUnlessZero, ///< there, but for 0
    CheckpointOnly,
};

/// A row, but for the place of the value.
struct Setting {
    std::string_view key; ///< in the object of the scene
    std::variant<Switch, CountRange, NumberRange, Words> domain;
    std::string_view option = {};      ///< with its dashes; none: there is no option of its own
    std::string_view unit = {};        ///< what stands for the value in the help; of a switch, nothing
    std::string_view optionAlone = {}; ///< the word that the option without a value stands for; none: it needs one
    std::string_view help = {};        ///< of the option; {default} and {names} stand for those
    std::string_view description = {}; ///< of the key, in the scene's schema; none: the help
    bool changesSamples = true;        ///< so that it is in the scene's hash, by an option too
    bool forDisplay = false; ///< tells how a picture is shown, so that only a tone-mapped one has a use for it
    Noted noted = Noted::Nowhere;
    std::string_view attribute = {}; ///< its name
    bool required = false;           ///< in the object of the scene
    bool defaultDepends = false;     ///< on other settings, or on the object being there
};

/// A setting of the struct S.
template <typename S>
struct Field : Setting {
    /// None where the struct has no value for it.
    std::optional<SettingValue> (*in)(const S& settings);
    void (*put)(S& settings, const SettingValue& value);
};

namespace detail {

template <typename S, typename Member>
S structOf(Member S::*);
template <typename S, typename Member>
Member memberOf(Member S::*);

template <auto kMember, typename S>
std::optional<SettingValue> getMember(const S& settings) {
    using Member = decltype(memberOf(kMember));
    if constexpr (std::is_enum_v<Member>) {
        return static_cast<std::uint32_t>(settings.*kMember);
    } else if constexpr (std::is_same_v<Member, std::optional<double>>) {
        return settings.*kMember ? std::optional<SettingValue>(*(settings.*kMember)) : std::nullopt;
    } else {
        return settings.*kMember;
    }
}

template <auto kMember, typename S>
void setMember(S& settings, const SettingValue& value) {
    using Member = decltype(memberOf(kMember));
    if constexpr (std::is_enum_v<Member>) {
        settings.*kMember = static_cast<Member>(std::get<std::uint32_t>(value));
    } else if constexpr (std::is_same_v<Member, std::optional<double>>) {
        settings.*kMember = std::get<double>(value);
    } else {
        settings.*kMember = std::get<Member>(value);
    }
}

} // namespace detail

/// The row of a member: a bool, std::uint32_t, double, an optional double, or for Words an enumeration in their order.
template <auto kMember>
constexpr auto field(const Setting& setting) {
    using S = decltype(detail::structOf(kMember));
    return Field<S>{setting, &detail::getMember<kMember, S>, &detail::setMember<kMember, S>};
}

/// The row of a key. Does not compile where there is none.
template <typename Fields>
consteval const auto& fieldOf(const Fields& fields, std::string_view key) {
    for (const auto& row : fields) {
        if (row.key == key) {
            return row;
        }
    }
    throw "no such setting";
}

/// The value that an option's text stands for. Throws Error (Usage) that names the option, what was found and what was
/// expected.
SettingValue parseSetting(const Setting& setting, const std::string& text);

/// The value as attributes of pictures have it: numbers with nine digits.
std::string settingText(const Setting& setting, const SettingValue& value);

/// Whether the value is the word of its range.
bool isWord(const Setting& setting, const SettingValue& value);

/// The help of its option, where `value` is the default.
std::string settingHelp(const Setting& setting, const std::optional<SettingValue>& value);

} // namespace aureole
