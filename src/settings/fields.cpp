#include "settings/fields.h"

namespace aureole {

std::vector<std::string> notedSettings() {
    std::vector<std::string> names;
    const auto addNoted = [&](const auto& fields) {
        for (const auto& field : fields) {
            if (field.noted != Noted::Nowhere) {
                names.emplace_back(field.attribute);
            }
        }
    };
    addNoted(kFilmFields);
    addNoted(kIntegratorFields);
    addNoted(kVoxelFields);
    return names;
}

} // namespace aureole
