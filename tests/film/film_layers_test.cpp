// Planes of the film, their way through EXR files and merging, and alpha.

#include <gtest/gtest.h>

#include "core/error.h"
#include "film/film.h"
#include "film/layout.h"
#include "film/picture.h"
#include "image/alpha.h"
#include "image/exr/exr.h"
#include "merged_parts.h"
#include "settings/aov.h"
#include "shared/path/film_layers.h"

namespace aureole {
namespace {

/// A film of two by one pixels: the second was hit by a quarter of its samples.
FilmSums layeredFilm(std::uint32_t first, std::uint32_t end) {
    const double n = end - first;
    FilmSums film;
    film.width = 2;
    film.height = 1;
    film.samples = {{first, end}};
    film.radiance = {n, 2 * n, 3 * n, 0.5 * n, 0.25 * n, 0.125 * n};
    film.squared = {2 * n, 5 * n, 10 * n, n, n, n};
    film.planes = {{"albedo.R", PlaneRule::Mean, {0.5 * n, 0.25 * n}},
                   {"depth.Z", PlaneRule::HitMean, {7.0 * n, 3.0 * n / 4}},
                   {"id.Y", PlaneRule::First, {first + 1.0, 9.0}}};
    film.hits = {n, n / 4};
    film.variance = true;
    film.sampleCounts = true;
    return film;
}

TEST(FilmLayers, AreMeansByTheirRules) {
    const Image image = filmImage(layeredFilm(0, 16), false);
    EXPECT_EQ(image.find("albedo.R")->values, (std::vector<float>{0.5F, 0.25F}));
    EXPECT_EQ(image.find("depth.Z")->values, (std::vector<float>{7.0F, 3.0F}));
    EXPECT_EQ(image.find("id.Y")->values, (std::vector<float>{1.0F, 9.0F}));
    EXPECT_EQ(image.find("samples.Y")->values, (std::vector<float>{16.0F, 16.0F}));
    // Sums of 16 and 32: (32 - 16^2 / 16) / (16 * 15).
    EXPECT_FLOAT_EQ(image.find("variance.R")->values[0], 16.0F / 240.0F);
    EXPECT_EQ(image.find("hits.Y"), nullptr);
    EXPECT_EQ(image.find("moment.R"), nullptr);
    FilmSums nothing = layeredFilm(0, 16);
    nothing.hits[1] = 0.0;
    nothing.planes[1].values[1] = 0.0;
    EXPECT_EQ(filmImage(nothing, false).find("depth.Z")->values[1], 0.0F);
}

/// Kernels leave out what nobody wants, and nothing else. Features stand before what is added to at every surface.
TEST(FilmLayers, AreFilledWhereTheyAreWanted) {
    EXPECT_EQ(makeFilmLayout(Scene{}, Space{}).filled(), 0U);
    const std::uint32_t always = 1U << AOV_ID;
    Scene transparent;
    transparent.film.transparent = true;
    EXPECT_EQ(makeFilmLayout(transparent, Space{}).filled(), always);
    Scene clamped;
    clamped.integrator.clamp = 1.0;
    EXPECT_EQ(makeFilmLayout(clamped, Space{}).filled(), always | 1U << LAYERS_CLAMP);
    for (const auto& [aov, number] : {std::pair(Aov::Albedo, AOV_ALBEDO), std::pair(Aov::Normal, AOV_NORMAL),
                                      std::pair(Aov::Depth, AOV_DEPTH), std::pair(Aov::Position, AOV_POSITION),
                                      std::pair(Aov::Direct, AOV_DIRECT), std::pair(Aov::Indirect, AOV_INDIRECT),
                                      std::pair(Aov::Emission, AOV_EMISSION), std::pair(Aov::Groups, AOV_GROUPS),
                                      std::pair(Aov::Instance, AOV_INSTANCE), std::pair(Aov::Asset, AOV_INSTANCE)}) {
        Scene scene;
        scene.film.aovs.add(aov);
        const FilmLayout layout = makeFilmLayout(scene, Space{});
        EXPECT_EQ(layout.filled(), always | 1U << number);
        EXPECT_EQ(layout.layers.first[number], LAYER_FIRST);
        EXPECT_EQ(layout.layers.light, number >= AOV_DIRECT ? LAYER_FIRST : layout.layers.count) << number;
    }
    Scene all;
    all.film.aovs = AovSet::all();
    const shared::FilmLayers layers = makeFilmLayout(all, Space{}).layers;
    for (const std::uint32_t feature : {AOV_ALBEDO, AOV_NORMAL, AOV_POSITION, AOV_DEPTH}) {
        EXPECT_LT(layers.first[feature], layers.light);
    }
    EXPECT_EQ(layers.first[AOV_DIRECT], layers.light);
}

/// Paths tell the instance that they hit; which asset it is of the scene knows. Both layers have one float, and the
/// first sample alone fills it, whichever order parts come in.
TEST(FilmLayers, AssetsAreToldByInstances) {
    Scene scene;
    scene.film.aovs.add(Aov::Instance);
    scene.film.aovs.add(Aov::Asset);
    scene.grids.resize(3);
    scene.grids[0].name = "vase";
    scene.grids[1].name = "vase"; // of another material
    scene.gridPlacements = {{1, glm::dmat4(1.0), "a"}, {0, glm::dmat4(1.0), "b"}, {2, glm::dmat4(1.0), ""}};
    const FilmLayout layout = makeFilmLayout(scene, Space{});
    ASSERT_EQ(layout.layers.count, LAYER_FIRST + 1);
    const std::uint32_t instance = layout.layers.first[AOV_INSTANCE];
    EXPECT_TRUE(shared::layerCounts(instance, instance, true));
    EXPECT_FALSE(shared::layerCounts(instance, instance, false));
    EXPECT_TRUE(shared::layerCounts(LAYER_HITS, 0, false));
    FilmSums film;
    film.width = 4;
    film.height = 1;
    addPlanes(film, layout, std::vector<double>{8, 1, 1, 8, 1, 2, 8, 1, 3, 0, 0, 0});
    ASSERT_EQ(film.planes.size(), 2U);
    EXPECT_EQ(film.planes[0].channel, "instance.Y");
    EXPECT_EQ(film.planes[0].values, (std::vector<double>{1, 2, 3, 0}));
    EXPECT_EQ(film.planes[1].channel, "asset.Y");
    EXPECT_EQ(film.planes[1].values, (std::vector<double>{1, 1, 2, 0}));
    EXPECT_EQ(film.planes[1].rule, PlaneRule::First);
}

TEST(FilmLayers, OfPartsSurviveAFileAndMerge) {
    std::vector<Image> parts;
    for (const auto& [first, end] : {std::pair(16U, 20U), std::pair(0U, 16U)}) {
        const Image part = filmImage(layeredFilm(first, end), true);
        const std::vector<std::byte> bytes = encodeExr(part, {}, "part.exr");
        parts.push_back(decodeExr(bytes, "part.exr"));
    }
    std::vector<std::string> names;
    for (const Channel& channel : parts[0].channels) {
        names.push_back(channel.name);
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"B", "G", "R", "albedo.R", "depth.Z", "hits.Y", "id.Y", "moment.B", "moment.G",
                                        "moment.R", "samples.Y", "variance.B", "variance.G", "variance.R"}));
    const Image merged = mergeImages(parts, {"b", "a"});
    const Image whole = filmImage(layeredFilm(0, 20), true);
    ASSERT_EQ(merged.channels.size(), whole.channels.size());
    expectMergedIsWhole(merged, whole);
}

TEST(FilmLayers, PartsMustHaveTheSame) {
    const Image part = filmImage(layeredFilm(0, 4), true);
    FilmSums fewer = layeredFilm(4, 8);
    fewer.planes.pop_back();
    EXPECT_EQ(mergeRefusal({part, filmImage(fewer, true)}),
              "1.exr: found no channel id.Y, expected the layers of 0.exr, which has it");
    EXPECT_EQ(mergeRefusal({filmImage(fewer, true), filmImage(layeredFilm(0, 4), true)}),
              "0.exr: found no channel id.Y, expected the layers of 1.exr, which has it");
    fewer = layeredFilm(4, 8);
    fewer.hits.clear();
    fewer.planes.erase(fewer.planes.begin() + 1);
    Image noHits = filmImage(fewer, true);
    noHits.add("depth.Z");
    Image others = noHits;
    others.attributes["aureole.samples"] = "8:12";
    EXPECT_NE(mergeRefusal({noHits, others}).find("hits.Y"), std::string::npos);
}

TEST(FilmLayers, PixelsMayHaveCountsOfTheirOwn) {
    FilmSums film = layeredFilm(0, 16);
    film.counts = {16, 4};
    for (std::size_t c = 3; c < 6; ++c) {
        film.radiance[c] /= 4;
    }
    const Image image = filmImage(film, false);
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{1.0F, 0.5F}));
    EXPECT_EQ(image.find("samples.Y")->values, (std::vector<float>{16.0F, 4.0F}));
    EXPECT_EQ(image.attributes.at("aureole.sample_counts"), "4 to 16, mean 10");
    EXPECT_FALSE(image.attributes.contains("aureole.samples"));
    EXPECT_NE(mergeRefusal({image, image}).find("as render --noise makes them"), std::string::npos);
}

TEST(Alpha, AssociatesAndBack) {
    Image image = makeImage(3, 1, {"R", "G", "B", "A", "depth.Z"});
    image.find("R")->values = {0.5F, 0.25F, 3.0F};
    image.find("A")->values = {1.0F, 0.5F, 0.0F};
    image.find("depth.Z")->values = {5.0F, 6.0F, 7.0F};
    unassociateAlpha(image);
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{0.5F, 0.5F, 3.0F}));
    EXPECT_EQ(image.find("depth.Z")->values, (std::vector<float>{5.0F, 6.0F, 7.0F}));
    associateAlpha(image);
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{0.5F, 0.25F, 0.0F}));
    Image plain = makeImage(1, 1, {"R"});
    plain.channels[0].values = {2.0F};
    unassociateAlpha(plain);
    EXPECT_EQ(plain.channels[0].values[0], 2.0F);
}

TEST(Aovs, HaveNamesInTheirOrder) {
    AovSet set;
    EXPECT_TRUE(set.empty());
    set.add(Aov::Alpha);
    set.add(Aov::Albedo);
    EXPECT_TRUE(set.has(Aov::Alpha));
    EXPECT_FALSE(set.has(Aov::Id));
    EXPECT_EQ(set.text(), "albedo,alpha");
    std::string all;
    for (const AovRow& row : kAovs) {
        all += (all.empty() ? "" : ",") + std::string(row.key);
    }
    EXPECT_EQ(AovSet::all().text(), all);
}

TEST(Aovs, HaveTheNumbersThatPathsKnow) {
    for (const auto& [number, key] :
         {std::pair(AOV_ALBEDO, "albedo"), std::pair(AOV_NORMAL, "normal"), std::pair(AOV_POSITION, "position"),
          std::pair(AOV_DEPTH, "depth"), std::pair(AOV_DIRECT, "direct"), std::pair(AOV_INDIRECT, "indirect"),
          std::pair(AOV_EMISSION, "emission"), std::pair(AOV_GROUPS, "groups"), std::pair(AOV_INSTANCE, "instance")}) {
        EXPECT_EQ(kAovs[number].key, key);
    }
}

} // namespace
} // namespace aureole
