#include "settings/fields.h"

namespace aureole {

namespace {

/// The attributes of the settings that are noted in a way which `wanted` takes.
template <typename Wanted>
std::vector<std::string> attributesNoted(const Wanted& wanted) {
    std::vector<std::string> names;
    const auto addNoted = [&](const auto& fields) {
        for (const auto& field : fields) {
            if (wanted(field.noted)) {
                names.emplace_back(field.attribute);
            }
        }
    };
    addNoted(kFilmFields);
    addNoted(kIntegratorFields);
    addNoted(kVoxelFields);
    return names;
}

} // namespace

std::vector<std::string> notedSettings() {
    return attributesNoted([](Noted noted) { return noted != Noted::Nowhere; });
}

std::vector<std::string> settingsInPictures() {
    return attributesNoted([](Noted noted) { return noted == Noted::Picture || noted == Noted::PictureUnlessZero; });
}

} // namespace aureole
