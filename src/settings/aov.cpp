#include "settings/aov.h"

namespace aureole {

const std::vector<std::string>& aovNames() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        names.reserve(kAovs.size());
        for (const AovRow& row : kAovs) {
            names.emplace_back(row.key);
        }
        return names;
    }();
    return kNames;
}

AovSet AovSet::all() {
    AovSet set;
    for (std::size_t i = 0; i < aovNames().size(); ++i) {
        set.add(static_cast<Aov>(i));
    }
    return set;
}

std::string AovSet::text() const {
    std::string names;
    for (std::size_t i = 0; i < aovNames().size(); ++i) {
        if (has(static_cast<Aov>(i))) {
            names += (names.empty() ? "" : ",") + aovNames()[i];
        }
    }
    return names;
}

} // namespace aureole
