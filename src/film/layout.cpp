#include "film/layout.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace aureole {

namespace {

constexpr std::array kColour = {"R", "G", "B"};
constexpr std::array kVector = {"X", "Y", "Z"};

class LayoutMaker {
public:
    explicit LayoutMaker(FilmLayout& layout)
        : layout_(layout) {}

    void need() { layout_.layers.count = std::max(layout_.layers.count, LAYER_FIRST); }

    /// Adds a plane of a float that backends sum up whatever the layers.
    void plane(const std::string& channel, PlaneRule rule, std::uint32_t source) {
        need();
        layout_.planes.push_back({channel, rule, source});
    }

    /// Adds three planes with floats of their own. Returns the index of the first float.
    std::uint32_t three(const std::string& layer, std::span<const char* const> components, PlaneRule rule) {
        need();
        const std::uint32_t first = layout_.layers.count;
        for (const char* component : components) {
            layout_.planes.push_back({fmt::format("{}.{}", layer, component), rule, layout_.layers.count++});
        }
        return first;
    }

private:
    FilmLayout& layout_;
};

void addFeatures(FilmLayout& layout, LayoutMaker& maker, const AovSet& aovs, const Space& space) {
    shared::FilmLayers& layers = layout.layers;
    if (aovs.has(Aov::Albedo)) {
        layers.albedo = maker.three("albedo", kColour, PlaneRule::Mean);
    }
    if (aovs.has(Aov::Normal)) {
        layers.normal = maker.three("N", kVector, PlaneRule::Mean);
    }
    if (aovs.has(Aov::Position)) {
        layers.position = maker.three("P", kVector, PlaneRule::HitMean);
        for (int axis = 0; axis < 3; ++axis) {
            LayerPlane& plane = layout.planes[layout.planes.size() - 3 + static_cast<std::size_t>(axis)];
            plane.offset = space.offset[axis];
            plane.scale = 1.0 / space.scale;
        }
    }
    if (aovs.has(Aov::Depth)) {
        maker.need();
        layers.depth = layers.count++;
        layout.planes.push_back({"depth.Z", PlaneRule::HitMean, layers.depth, 0.0, 1.0 / space.scale});
    }
    if (aovs.has(Aov::Id)) {
        maker.plane("id.Y", PlaneRule::First, LAYER_ID);
    }
    if (aovs.has(Aov::Alpha)) {
        maker.plane("alpha.Y", PlaneRule::Mean, LAYER_HITS);
    }
}

void addLight(FilmLayout& layout, LayoutMaker& maker, const AovSet& aovs, const Scene& scene) {
    shared::FilmLayers& layers = layout.layers;
    if (aovs.has(Aov::Direct)) {
        layers.direct = maker.three("direct", kColour, PlaneRule::Mean);
    }
    if (aovs.has(Aov::Indirect)) {
        layers.indirect = maker.three("indirect", kColour, PlaneRule::Mean);
    }
    if (aovs.has(Aov::Emission)) {
        layers.emission = maker.three("emission", kColour, PlaneRule::Mean);
    }
    if (aovs.has(Aov::Groups)) {
        for (const std::string& layer : lightGroupLayers(scene.lightGroups)) {
            const std::uint32_t first = maker.three(layer, kColour, PlaneRule::Mean);
            layers.groups = layers.groups == 0 ? first : layers.groups;
        }
    }
}

} // namespace

FilmLayout makeFilmLayout(const Scene& scene, const Space& space) {
    FilmLayout layout;
    LayoutMaker maker(layout);
    const AovSet& aovs = scene.film.aovs;
    if (scene.film.transparent) {
        layout.layers.transparent = 1;
        maker.plane("A", PlaneRule::Mean, LAYER_HITS);
    }
    addFeatures(layout, maker, aovs, space);
    addLight(layout, maker, aovs, scene);
    if (scene.integrator.clamp > 0.0) {
        maker.need();
        layout.layers.clamp = static_cast<float>(scene.integrator.clamp);
    }
    layout.variance = aovs.has(Aov::Variance);
    layout.sampleCounts = aovs.has(Aov::Samples);
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
    film.planes.clear();
    film.hits.clear();
    for (const LayerPlane& source : layout.planes) {
        FilmPlane plane{source.channel, source.rule, std::vector<double>(pixels)};
        for (std::size_t i = 0; i < pixels; ++i) {
            const double hits = sums[i * count + LAYER_HITS];
            plane.values[i] = (sums[i * count + source.source] - hits * source.offset) * source.scale;
        }
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
