#include "scene/value_keys.h"

#include <algorithm>
#include <cmath>

#include "scene/scene.h"

namespace aureole {

namespace {

/// Calls visit(row, struct) for the row of a pointer, if there is one.
template <typename L, typename Visit>
void visitRow(L& look, const std::string& pointer, const Visit& visit) {
    forEachLookTable(look, [&](const std::string& path, const auto& fields, auto& settings) {
        for (const auto& field : fields) {
            if (path + "/" + std::string(field.key) == pointer) {
                visit(field, settings);
            }
        }
    });
}

/// Between whole numbers there are some that a row has not, such as two blades.
SettingValue settingOf(const Setting& number, double value) {
    if (const auto* const range = std::get_if<CountRange>(&number.domain)) {
        const auto count = static_cast<std::uint32_t>(std::lround(value));
        return count > 0 && count < range->leastButZero ? range->leastButZero : count;
    }
    return value;
}

} // namespace

const Setting* numberAt(const Look& look, const std::string& pointer) {
    const Setting* found = nullptr;
    visitRow(look, pointer, [&](const Setting& row, const auto& /*settings*/) {
        if (std::holds_alternative<NumberRange>(row.domain) || std::holds_alternative<CountRange>(row.domain)) {
            found = &row;
        }
    });
    return found;
}

std::optional<double> valueAt(const Look& look, const std::string& pointer) {
    std::optional<double> found;
    visitRow(look, pointer, [&](const auto& row, const auto& settings) {
        const std::optional<SettingValue> value = row.in(settings);
        if (value && !std::holds_alternative<bool>(*value)) {
            found = numberOf(*value);
        }
    });
    return found;
}

double numberOf(const SettingValue& value) {
    const auto* const count = std::get_if<std::uint32_t>(&value);
    return count != nullptr ? *count : std::get<double>(value);
}

double valueAtFrame(const ValueKeys& value, std::uint32_t frame) {
    const auto after = std::upper_bound(value.keys.begin(), value.keys.end(), frame,
                                        [](std::uint32_t f, const auto& key) { return f < key.first; });
    if (after == value.keys.begin()) {
        return value.keys.front().second;
    }
    const auto before = after - 1;
    if (after == value.keys.end()) {
        return before->second;
    }
    const double t = static_cast<double>(frame - before->first) / (after->first - before->first);
    return before->second + (after->second - before->second) * t;
}

Look lookOf(const Scene& scene) {
    return {scene.bloom, scene.finish};
}

Look lookAtFrame(const Scene& scene, std::uint32_t frame) {
    Look look = lookOf(scene);
    if (!scene.animation) {
        return look;
    }
    for (const ValueKeys& value : scene.animation->values) {
        visitRow(look, value.pointer, [&](const auto& row, auto& settings) {
            row.put(settings, settingOf(row, valueAtFrame(value, frame)));
        });
    }
    return look;
}

bool showsOthers(const Scene& scene, std::uint32_t frame, std::uint32_t other) {
    if (scene.animation && scene.animation->posesModels && frame != other) {
        return true;
    }
    return scene.animation &&
           std::any_of(scene.animation->values.begin(), scene.animation->values.end(), [&](const ValueKeys& value) {
               return value.pointer.starts_with("/instances/") &&
                      std::lround(valueAtFrame(value, frame)) != std::lround(valueAtFrame(value, other));
           });
}

bool changesWithin(const Scene& scene, std::string_view beginning, std::string_view but) {
    return scene.animation &&
           std::any_of(scene.animation->values.begin(), scene.animation->values.end(), [&](const ValueKeys& value) {
               return value.pointer.starts_with(beginning) && value.pointer != but;
           });
}

} // namespace aureole
