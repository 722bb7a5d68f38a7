#include "settings/fields.h"

namespace aureole {

using Names = std::vector<std::string>;

const Names& pixelFilterNames() {
    static const Names kNames = {"box", "blackman-harris", "gaussian", "triangle"};
    return kNames;
}

const Names& toneMapNames() {
    static const Names kNames = {"linear", "reinhard", "filmic", "aces", "agx"};
    return kNames;
}

const Names& lightSamplingNames() {
    static const Names kNames = {"bsdf", "lights", "mis"};
    return kNames;
}

const Names& directionSamplingNames() {
    static const Names kNames = {"bsdf", "cosine", "uniform"};
    return kNames;
}

const Names& samplerNames() {
    static const Names kNames = {"independent", "sobol"};
    return kNames;
}

const Names& voxelNormalsNames() {
    static const Names kNames = {"smooth", "face"};
    return kNames;
}

const Names& bloomPaddingNames() {
    static const Names kNames = {"zero", "mirror"};
    return kNames;
}

const Names& bloomModeNames() {
    static const Names kNames = {"exact", "resampled"};
    return kNames;
}

const Names& bloomResamplingNames() {
    static const Names kNames = {"bilinear", "kaiser"};
    return kNames;
}

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
