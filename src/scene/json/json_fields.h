#pragma once

// Reading objects of settings by their tables (settings/fields.h).

#include <functional>

#include "scene/json/json_reader.h"
#include "settings/field.h"

namespace aureole {

/// Reads the key of a setting and calls `put` with its value, where that is there and right.
void readSetting(ObjectReader& in, const Setting& setting, const std::function<void(const SettingValue&)>& put);

/// Calls `put` with a value of a setting that stands elsewhere, where it is right.
void readSetting(const ValueReader& value, const Setting& setting, const std::function<void(const SettingValue&)>& put);

/// Reads all settings of a table.
template <typename Fields, typename S>
void readFields(ObjectReader& in, const Fields& fields, S& settings) {
    for (const auto& field : fields) {
        readSetting(in, field, [&](const SettingValue& value) { field.put(settings, value); });
    }
}

/// The value as JSON, as a scene file has it.
Json toJson(const Setting& setting, const SettingValue& value);

} // namespace aureole
