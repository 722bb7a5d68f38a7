// "film", "voxels" and "integrator"; "bloom" and "finish" have files of their own.

#include <array>

#include <fmt/format.h>

#include "scene/json/json_fields.h"
#include "scene/json/scene_draft.h"
#include "settings/fields.h"

namespace aureole {

namespace {

void readFilmSize(const ValueReader& value, FilmSettings& film) {
    if (!value.json().is_array() || value.json().size() != 2) {
        value.expected("an array of two: width and height in pixels");
        return;
    }
    std::array<std::uint64_t, 2> size{};
    std::size_t axis = 0;
    bool good = true;
    value.readArray(
        [&](const ValueReader& element) { good = element.readInteger(size[axis++], 1, kMaximumFilmSide) && good; });
    if (!good) {
        return;
    }
    if (size[0] * size[1] > kMaximumFilmPixels) {
        value.log().add(value.pointer(),
                        fmt::format("found {} pixels, expected at most {}", size[0] * size[1], kMaximumFilmPixels));
        return;
    }
    film.width = static_cast<std::uint32_t>(size[0]);
    film.height = static_cast<std::uint32_t>(size[1]);
}

void readFilm(ObjectReader& in, FilmSettings& film) {
    if (const auto size = in.find("size")) {
        readFilmSize(*size, film);
    }
    readFields(in, kFilmFields, film);
    if (!in.has("filterRadius")) {
        film.filterRadius = film.filter == PixelFilter::Box ? 0.5 : film.filter == PixelFilter::Triangle ? 1.0 : 1.5;
    }
    if (film.shutterClose < film.shutterOpen) {
        in.problem(in.has("shutterClose") ? "shutterClose" : "shutterOpen",
                   fmt::format("found a shutter that opens at {:g} and closes at {:g}, expected it to close no earlier",
                               film.shutterOpen, film.shutterClose));
    }
    if (const auto aovs = in.find("aovs")) {
        aovs->readArray([&](const ValueReader& element) {
            if (const auto index = element.readChoice(aovNames())) {
                film.aovs.add(static_cast<Aov>(*index));
            }
        });
    }
}

void readVoxels(ObjectReader& in, VoxelSettings& voxels) {
    readFields(in, kVoxelFields, voxels);
    for (const auto& field : kVoxelFields) {
        if (isOfOctrees(field.key) && in.has(field.key)) {
            voxels.given.emplace_back(field.key);
        }
    }
}

void readIntegrator(ObjectReader& in, IntegratorSettings& integrator) {
    readFields(in, kIntegratorFields, integrator);
    if (integrator.noise > 0.0 && !in.has("samplesPerPixel")) {
        integrator.samplesPerPixel = kDefaultAdaptiveSamples;
    }
}

} // namespace

void readSettings(ObjectReader& root, SceneDraft& draft) {
    root.object("film", [&](ObjectReader& in) { readFilm(in, draft.scene.film); });
    root.object("voxels", [&](ObjectReader& in) { readVoxels(in, draft.scene.voxels); });
    root.object("integrator", [&](ObjectReader& in) { readIntegrator(in, draft.scene.integrator); });
    root.object("bloom", [&](ObjectReader& in) { readBloom(in, draft); });
    root.object("finish", [&](ObjectReader& in) { readFinish(in, draft); });
}

} // namespace aureole
