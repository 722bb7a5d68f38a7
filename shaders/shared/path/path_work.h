// How the samples of a pass are cut into work items, and the film that they are added to.
#ifndef AUREOLE_SHARED_PATH_WORK_H
#define AUREOLE_SHARED_PATH_WORK_H

#include "shared/path/pixel_tiles.h"
#include "shared/surface/voxel_state.h"

SHARED_BEGIN

/// Sums over the samples of one item.
struct SampleSums {
    vec3 radiance;
    vec3 spread;
};
SHARED_ARRAY(SampleSums, 4)

/// What sample `index` adds to the sums that tell the error of the mean: independent samples their squares; Sobol
/// points, whose scatter tells nothing, the radiance of their first half.
SHARED_INLINE vec3 spreadOfSample(uint kind, uint index, vec3 radiance) {
    if (kind == SAMPLER_SOBOL) {
        return sobolHalf(index) == 0u ? radiance : vec3(0.0f);
    }
    return radiance * radiance;
}

struct PathItem {
    uvec2 pixel;
    uint firstSample;
    uint endSample; ///< firstSample of an item outside the picture
};

/// What item `item` of the pass is. Batch b covers the samples that stand in the b-th block of batchSize absolute
/// indices from the block of firstSample, so that batches fall alike however a range is split.
SHARED_INLINE PathItem pathItem(uint64_t params, uint item) {
    uvec2 size = AT(VoxelParams, params, 0).path.camera.cropSize;
    uint perBatch = AT(VoxelParams, params, 0).tileCount * PATH_TILE_PIXELS;
    uint batch = item / perBatch;
    uvec2 local = pathItemPixel(size, AT(VoxelParams, params, 0).tiles, item % perBatch);
    uint first = AT(VoxelParams, params, 0).firstSample;
    uint end = AT(VoxelParams, params, 0).endSample;
    uint batchSize = AT(VoxelParams, params, 0).batchSize;
    uint block = first / batchSize + batch;
    PathItem work;
    work.pixel = AT(VoxelParams, params, 0).path.camera.cropOrigin + local;
    work.firstSample = max(first, block * batchSize);
    work.endSample = block * batchSize + min(batchSize, end - block * batchSize); // no overflow at the last sample
    if (local.x >= size.x || local.y >= size.y) {
        work.endSample = work.firstSample;
    }
    return work;
}

/// One pixel of the film: sums with their compensation (Neumaier), so that a million samples lose nothing.
struct FilmPixel {
    vec3 radiance;
    vec3 radianceRest;
    vec3 spread;
    vec3 spreadRest;
};
SHARED_ARRAY(FilmPixel, 4)

/// A float of the film's layers, likewise.
struct LayerPixel {
    float sum;
    float rest;
};
SHARED_ARRAY(LayerPixel, 4)

struct FilmPush {
    uint64_t film;      ///< FilmPixel, row by row over the crop
    uint64_t results;   ///< SampleSums of whole batches
    uint64_t layerFilm; ///< LayerPixel for each float of the layers of each pixel
    uint64_t layerSums; ///< the layers' floats of whole batches
    uint64_t tiles;     ///< VoxelParams::tiles
    uvec2 size;
    uint tileCount;
    uint batches;
    uint layerCount;    ///< floats; 0: no layers
    uint fresh;         ///< 1: the film is empty
    uint instanceLayer; ///< FilmLayers::first of AOV_INSTANCE
    uint padding;
};

/// One dispatch of film_means.comp.
struct FilmMeansPush {
    uint64_t film;    ///< FilmPixel, row by row
    uint64_t means;   ///< floats: a plane of R, then one of G, then one of B
    uint64_t unusual; ///< a uint, which becomes 1 where a mean is not finite, or beyond `most`
    uint pixels;
    uint samples; ///< of each pixel
    float most;
    uint padding;
};

/// Adds a value to a sum that is kept as sum + rest, where rest is at most half a unit in the sum's last place: left to
/// grow, as in Neumaier (1974), it would be rounded itself after some thousand values of a kind. Dekker (1971).
SHARED_INLINE void addCompensated(INOUT(float, sum), INOUT(float, rest), float value) {
    PRECISE float total = sum + value;
    PRECISE float lost = abs(sum) >= abs(value) ? (sum - total) + value : (value - total) + sum;
    PRECISE float newRest = rest + lost;
    PRECISE float whole = total + newRest;
    PRECISE float wholeRest = newRest - (whole - total);
    sum = whole;
    rest = wholeRest;
}

SHARED_END
#endif
