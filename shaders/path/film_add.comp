#version 460
#include "shared/lang.h"

// Adds the sums of whole batches to the film, in the order of the batches.

layout(local_size_x = 64) in;
#include "gpu/dispatch.glsl"

uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#include "shared/path/path_work.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer FilmRef {
    FilmPixel at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer LayerFilmRef {
    LayerPixel at[];
};

layout(push_constant, scalar) uniform Push {
    FilmPush push;
};

void addPicture(uint pixel, uint item, uint perBatch) {
    FilmPixel sums = FilmRef(push.film).at[pixel];
    for (uint batch = 0u; batch < push.batches; ++batch) {
        SampleSums part = AT(SampleSums, push.results, batch * perBatch + item);
        for (uint c = 0u; c < 3u; ++c) {
            addCompensated(sums.radiance[c], sums.radianceRest[c], part.radiance[c]);
            addCompensated(sums.spread[c], sums.spreadRest[c], part.spread[c]);
        }
    }
    FilmRef(push.film).at[pixel] = sums;
}

void addLayers(uint pixel, uint item, uint perBatch) {
    uint64_t film = push.layerFilm + uint64_t(pixel) * uint64_t(8u * push.layerCount);
    for (uint i = 0u; i < push.layerCount; ++i) {
        LayerPixel layer = LayerFilmRef(film).at[i];
        for (uint batch = 0u; batch < push.batches; ++batch) {
            uint64_t part = push.layerSums + uint64_t(batch * perBatch + item) * uint64_t(4u * push.layerCount);
            if (layerCounts(i, push.instanceLayer, push.fresh != 0u && batch == 0u)) {
                addCompensated(layer.sum, layer.rest, AT(float, part, i));
            }
        }
        LayerFilmRef(film).at[i] = layer;
    }
}

void main() {
    uint item = invocationIndex();
    uint perBatch = push.tileCount * PATH_TILE_PIXELS;
    if (item >= perBatch) {
        return;
    }
    uvec2 local = pathItemPixel(push.size, push.tiles, item);
    if (local.x >= push.size.x || local.y >= push.size.y) {
        return;
    }
    uint pixel = local.y * push.size.x + local.x;
    addPicture(pixel, item, perBatch);
    if (push.layerCount != 0u) {
        addLayers(pixel, item, perBatch);
    }
}
