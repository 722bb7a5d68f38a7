#pragma once

// What happens to a picture after its last sample, as one: the numbers of bloom and finish, by JSON pointers.

#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "settings/bloom.h"
#include "settings/finish.h"

namespace aureole {

struct Look {
    BloomSettings bloom;
    FinishSettings finish;
};

// Numbers that scenes have in lists.

inline constexpr std::array kBulgeCentreFields = {
    Field<Bulge>{{.key = "centre/0", .domain = Bulge::kCentre},
                 [](const Bulge& bulge) { return std::optional<SettingValue>(bulge.centre.x); },
                 [](Bulge& bulge, const SettingValue& value) { bulge.centre.x = std::get<double>(value); }},
    Field<Bulge>{{.key = "centre/1", .domain = Bulge::kCentre},
                 [](const Bulge& bulge) { return std::optional<SettingValue>(bulge.centre.y); },
                 [](Bulge& bulge, const SettingValue& value) { bulge.centre.y = std::get<double>(value); }},
};

inline constexpr std::array kBloomGaussianFields = {
    field<&BloomGaussian::weight>(
        {.key = "weight", .domain = NumberRange{std::numeric_limits<float>::min(), kMaximumNumber}}),
    field<&BloomGaussian::sigma>({.key = "sigma", .domain = NumberRange{kMinimumSigma, kMaximumSigma}}),
};

/// Calls visit(path, rows, struct) for the tables of bloom, and of the steps of finishing that the look has.
template <typename L, typename Visit>
void forEachLookTable(L& look, const Visit& visit) {
    visit("/bloom", kBloomFields, look.bloom);
    visit("/bloom/airy", kBloomLensFields, look.bloom.airy);
    visit("/bloom/aperture", kBloomLensFields, look.bloom.aperture.lens);
    visit("/bloom/aperture", kBloomApertureFields, look.bloom.aperture);
    visit("/bloom/eye", kBloomEyeFields, look.bloom.eye);
    for (std::size_t i = 0; i < look.bloom.gaussians.size(); ++i) {
        visit(fmt::format("/bloom/gaussians/{}", i), kBloomGaussianFields, look.bloom.gaussians[i]);
    }
    const auto step = [&](const char* path, const auto& fields, auto& settings) {
        if (settings) {
            visit(path, fields, *settings);
        }
    };
    visit("/finish", kFinishFields, look.finish);
    step("/finish/palette", kPaletteToneFields, look.finish.palette);
    step("/finish/relief", kReliefFields, look.finish.relief);
    step("/finish/thinFilm", kThinFilmFields, look.finish.thinFilm);
    step("/finish/bulge", kBulgeFields, look.finish.bulge);
    step("/finish/bulge", kBulgeCentreFields, look.finish.bulge);
    step("/finish/distortion", kDistortionFields, look.finish.distortion);
    step("/finish/grain", kGrainFields, look.finish.grain);
}

} // namespace aureole
