#include "settings/fields.h"

namespace aureole {

namespace {

struct AllSettings {
    FilmSettings film;
    IntegratorSettings integrator;
    VoxelSettings voxels;
};

/// The attributes of the settings that are noted in a way which `wanted` takes.
template <typename Wanted>
std::vector<std::string> attributesNoted(const Wanted& wanted) {
    std::vector<std::string> names;
    forEachTable(AllSettings{}, [&](const std::string& /*path*/, const auto& fields, const auto& /*settings*/) {
        for (const auto& field : fields) {
            if (wanted(field.noted)) {
                names.emplace_back(field.attribute);
            }
        }
    });
    return names;
}

} // namespace

std::string pointerOf(const Setting& setting) {
    std::string pointer;
    forEachTable(AllSettings{}, [&](const std::string& path, const auto& fields, const auto& /*settings*/) {
        for (const Setting& field : fields) {
            if (&field == &setting) {
                pointer = path + "/" + std::string(field.key);
            }
        }
    });
    return pointer;
}

std::vector<std::string> notedSettings() {
    return attributesNoted([](Noted noted) { return noted != Noted::Nowhere; });
}

std::vector<std::string> settingsInPictures() {
    return attributesNoted([](Noted noted) { return noted == Noted::Picture || noted == Noted::PictureUnlessZero; });
}

} // namespace aureole
