// "film", "voxels" and "integrator"; "bloom" and "finish" have files of their own.

#include <fmt/format.h>

#include "image/colour/tonemap.h"
#include "scene/json/scene_draft.h"

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
    in.choice<PixelFilter>("filter", film.filter,
                           {{"box", PixelFilter::Box},
                            {"blackman-harris", PixelFilter::BlackmanHarris},
                            {"gaussian", PixelFilter::Gaussian},
                            {"triangle", PixelFilter::Triangle}});
    film.filterRadius = film.filter == PixelFilter::Box ? 0.5 : film.filter == PixelFilter::Triangle ? 1.0 : 1.5;
    in.number("filterRadius", film.filterRadius, {0.5, 16.0});
    in.number("exposure", film.exposure, {-kMaximumExposure, kMaximumExposure});
    if (const auto tonemap = in.find("tonemap")) {
        if (const auto index = tonemap->readChoice(toneMapNames())) {
            film.tonemap = toneMapNames()[*index];
        }
    }
    if (const auto aovs = in.find("aovs")) {
        aovs->readArray([&](const ValueReader& element) {
            if (const auto index = element.readChoice(aovNames())) {
                film.aovs.add(static_cast<Aov>(*index));
            }
        });
    }
    in.boolean("transparent", film.transparent);
}

} // namespace

void readSettings(ObjectReader& root, SceneDraft& draft) {
    root.object("film", [&](ObjectReader& in) { readFilm(in, draft.scene.film); });
    root.object("voxels", [&](ObjectReader& in) {
        in.integer("resolution", draft.scene.voxels.resolution, kMinimumResolution, kMaximumResolution);
        in.choice<VoxelNormals>("normals", draft.scene.voxels.normals,
                                {{"smooth", VoxelNormals::Smooth}, {"face", VoxelNormals::Face}});
        if (const auto surface = in.find("surface")) {
            if (const auto index = surface->readChoice(surfaceKindNames())) {
                draft.scene.voxels.surface = static_cast<SurfaceKind>(*index);
            }
        }
        for (const char* const key : {"resolution", "surface", "error"}) {
            if (in.has(key)) {
                draft.scene.voxels.given.emplace_back(key);
            }
        }
        in.number("error", draft.scene.voxels.error, {kMinimumSurfaceError, kMaximumSurfaceError});
    });
    root.object("integrator", [&](ObjectReader& in) {
        IntegratorSettings& integrator = draft.scene.integrator;
        in.integer("maxDepth", integrator.maxDepth, 0, kMaximumDepth);
        in.integer("seed", integrator.seed, 0, std::numeric_limits<std::uint32_t>::max());
        in.choice<LightSampling>(
            "lightSampling", integrator.lightSampling,
            {{"bsdf", LightSampling::Bsdf}, {"lights", LightSampling::Lights}, {"mis", LightSampling::Mis}});
        in.choice<DirectionSampling>("sampling", integrator.sampling,
                                     {{"bsdf", DirectionSampling::Bsdf},
                                      {"cosine", DirectionSampling::Cosine},
                                      {"uniform", DirectionSampling::Uniform}});
        in.choice<SamplerKind>("sampler", integrator.sampler,
                               {{"independent", SamplerKind::Independent}, {"sobol", SamplerKind::Sobol}});
        in.number("clamp", integrator.clamp, {0.0, kMaximumNumber});
        in.number("noise", integrator.noise, {0.0, kMaximumNoise});
        if (integrator.noise > 0.0) {
            integrator.samplesPerPixel = kDefaultAdaptiveSamples;
        }
        in.integer("samplesPerPixel", integrator.samplesPerPixel, 1, kMaximumSamplesPerPixel);
    });
    root.object("bloom", [&](ObjectReader& in) { readBloom(in, draft); });
    root.object("finish", [&](ObjectReader& in) { readFinish(in, draft); });
}

} // namespace aureole
