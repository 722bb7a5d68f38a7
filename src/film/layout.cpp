#include "film/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/threads/parallel.h"
#include "scene/instance_numbers.h"

namespace aureole {

namespace {

static_assert(kAovs.size() == AOV_COUNT);

/// Room for the floats that every item's sums start with.
void needSums(FilmLayout& layout) {
    layout.layers.count = std::max(layout.layers.count, LAYER_FIRST);
}

/// Adds planes with floats of their own, which are summed up in the backend's space. Returns the index of the first.
std::uint32_t addSums(FilmLayout& layout, std::string_view layer, const AovRow& row, const Space& space) {
    const std::uint32_t first = layout.layers.count;
    for (std::size_t i = 0; i < row.components.size(); ++i) {
        LayerPlane& plane = layout.planes.emplace_back();
        plane.channel = fmt::format("{}.{}", layer, row.components[i]);
        plane.rule = row.rule;
        plane.source = layout.layers.count++;
        plane.offset = row.unit == AovUnit::Point ? space.offset[static_cast<int>(i)] : 0.0;
        plane.scale = row.unit == AovUnit::None ? 1.0 : 1.0 / space.scale;
    }
    return first;
}

/// Adds the plane of a layer that is told by the instance which the first sample hit.
void addInstances(FilmLayout& layout, const AovRow& row, const Scene& scene) {
    std::uint32_t& first = layout.layers.first[AOV_INSTANCE];
    first = first == 0 ? layout.layers.count++ : first;
    LayerPlane& plane = layout.planes.emplace_back();
    plane.channel = fmt::format("{}.{}", row.layer, row.components);
    plane.rule = row.rule;
    plane.source = first;
    if (row.source == AovSource::Asset) {
        plane.numbers = instanceNumbers(scene).assetOf;
    }
}

void addLayer(FilmLayout& layout, std::size_t number, const Scene& scene, const Space& space) {
    const AovRow& row = kAovs[number];
    if (row.source == AovSource::Samples) {
        return;
    }
    needSums(layout);
    if (row.source == AovSource::Sums) {
        layout.layers.first[number] = addSums(layout, row.layer, row, space);
    } else if (row.source == AovSource::Groups) {
        for (const std::string& layer : lightGroupLayers(scene.lightGroups)) {
            const std::uint32_t first = addSums(layout, layer, row, space);
            std::uint32_t& firstOfAll = layout.layers.first[number];
            firstOfAll = firstOfAll == 0 ? first : firstOfAll;
        }
    } else if (row.source == AovSource::Instance || row.source == AovSource::Asset) {
        addInstances(layout, row, scene);
    } else {
        layout.planes.push_back({fmt::format("{}.{}", row.layer, row.components),
                                 row.rule,
                                 row.source == AovSource::Id ? LAYER_ID : LAYER_HITS,
                                 0.0,
                                 1.0,
                                 {}});
    }
}

} // namespace

std::uint32_t FilmLayout::filled() const {
    if (!inPaths()) {
        return 0;
    }
    std::uint32_t set = 1U << AOV_ID; // which every record has
    for (std::uint32_t number = 0; number < AOV_COUNT; ++number) {
        set |= layers.first[number] != 0 ? 1U << number : 0U;
    }
    return layers.clamp > 0.0F ? set | 1U << LAYERS_CLAMP : set;
}

AovSet heldLayers(const Scene& scene) {
    AovSet held = scene.film.aovs;
    if (scene.film.denoise != DenoiserKind::None) {
        held.add(Aov::Albedo);
        held.add(Aov::Normal);
        held.add(Aov::Depth);
        held.add(Aov::Emission);
        if (scene.integrator.sampler == SamplerKind::Sobol) {
            held.add(Aov::Halves);
        }
    }
    return held;
}

FilmLayout makeFilmLayout(const Scene& scene, const Space& space) {
    FilmLayout layout;
    const AovSet aovs = heldLayers(scene);
    if (scene.film.transparent) {
        layout.layers.transparent = 1;
        needSums(layout);
        layout.planes.push_back({"A", PlaneRule::Mean, LAYER_HITS, 0.0, 1.0, {}});
    }
    for (std::size_t number = 0; number < kAovs.size(); ++number) {
        if (number == AOV_DIRECT) {
            layout.layers.light = std::max(layout.layers.count, LAYER_FIRST);
        }
        if (aovs.has(static_cast<Aov>(number))) {
            addLayer(layout, number, scene, space);
        }
    }
    if (scene.integrator.clamp > 0.0) {
        needSums(layout);
        layout.layers.clamp = static_cast<float>(scene.integrator.clamp);
    }
    layout.variance = aovs.has(Aov::Variance);
    layout.sampleCounts = aovs.has(Aov::Samples);
    layout.sampler = scene.integrator.sampler;
    layout.halves = aovs.has(Aov::Halves) && layout.sampler == SamplerKind::Sobol; // a conflict otherwise
    return layout;
}

std::vector<std::string> lightGroupLayers(std::span<const std::string> names) {
    std::vector<std::string> layers;
    for (const std::string& name : names) {
        std::string layer = "group." + (name.empty() ? "default" : name);
        std::replace(layer.begin() + 6, layer.end(), '.', '_');
        // Two names may have become one, as 'a.b' and 'a_b' do.
        std::string apart = layer;
        for (int i = 2; std::find(layers.begin(), layers.end(), apart) != layers.end(); ++i) {
            apart = fmt::format("{}_{}", layer, i);
        }
        layers.push_back(apart);
    }
    return layers;
}

void addPlanes(FilmSums& film, const FilmLayout& layout, std::span<const double> sums) {
    const std::size_t pixels = film.pixelCount();
    const std::size_t count = layout.layers.count;
    film.variance = layout.variance;
    film.sampleCounts = layout.sampleCounts;
    film.halves = layout.halves;
    film.planes.clear();
    film.hits.clear();
    for (const LayerPlane& source : layout.planes) {
        FilmPlane plane{source.channel, source.rule, std::vector<double>(pixels)};
        forEachIndex(pixels, [&](std::size_t i) {
            const double hits = sums[i * count + LAYER_HITS];
            plane.values[i] = (sums[i * count + source.source] - hits * source.offset) * source.scale;
            if (!source.numbers.empty() && plane.values[i] > 0.0) {
                plane.values[i] = source.numbers.at(static_cast<std::size_t>(plane.values[i]) - 1);
            }
        });
        film.planes.push_back(std::move(plane));
    }
    const auto isOfHits = [](const LayerPlane& plane) { return plane.rule == PlaneRule::HitMean; };
    if (std::any_of(layout.planes.begin(), layout.planes.end(), isOfHits)) {
        film.hits.resize(pixels);
        for (std::size_t i = 0; i < pixels; ++i) {
            film.hits[i] = sums[i * count + LAYER_HITS];
        }
    }
}

} // namespace aureole
