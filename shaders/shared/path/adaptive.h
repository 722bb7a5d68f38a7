// Adaptive sampling: the rule by which tiles of a film get no more samples. The host and devices decide by the same
// functions, to the same bits: only additions, multiplications and comparisons, none of them fused.
//
// A tile is done when each of its pixels has at most the relative error wanted, and so has the mean over its pixels and
// those of the tiles around it that still get samples. The tiles around it count because a tile where no path found a
// rare light looks clean, but hardly all nine do.
//
// The relative error of a pixel is the standard error of its luminance, over luminance + ADAPTIVE_DARK_SHARE * the
// picture's mean luminance, both averaged over the 3 x 3 pixels around it, 5 x 5 of Sobol points, of which two halves
// tell less: so a pixel whose samples missed a light that its neighbours found does not pass for a clean one. Pixels of
// other tiles are left out of the average: a noisy tile that gets no more samples would keep its neighbours from ever
// being done. The luminance's error is taken to be the weighted sum of the channels' errors, which is its upper bound.
#ifndef AUREOLE_SHARED_ADAPTIVE_H
#define AUREOLE_SHARED_ADAPTIVE_H

#include "shared/luminance.h"
#include "shared/path/path_work.h"

SHARED_BEGIN

#define ADAPTIVE_DARK_SHARE 0.05f
/// So many luminances are added up to one, until one is left: the order of the sum.
#define ADAPTIVE_SUM_ITEMS 64u

/// What the sums of a pixel tell. All pixels that are looked at together have as many samples n, so that nothing is
/// divided by that.
struct PixelEstimate {
    float light; ///< the luminance, n times
    float error; ///< its square is errorScale(n) times that of n times the luminance's error
};
SHARED_ARRAY(PixelEstimate, 4)

/// Means over the pixels of a tile, in units that all tiles share; 0 of one that gets no more samples.
struct TileEstimate {
    float variance;
    float allowed; ///< of the variance
    uint noisy;    ///< 1: the error of some pixel is too large
};
SHARED_ARRAY(TileEstimate, 4)

// The steps of a decision: one invocation for each item of a step, and a barrier between steps.
#define ADAPTIVE_PIXELS 0u ///< a pixel's estimate
#define ADAPTIVE_LIGHT 1u  ///< the sum of a tile's mean luminances
#define ADAPTIVE_SUM 2u    ///< ADAPTIVE_SUM_ITEMS sums to one; again until one is left
#define ADAPTIVE_TILES 3u  ///< a tile's estimate
#define ADAPTIVE_DECIDE 4u ///< whether a tile is done

/// One step.
struct AdaptivePush {
    uint64_t film;    ///< FilmPixel, row by row
    uint64_t pixels;  ///< PixelEstimate
    uint64_t tiles;   ///< TileEstimate
    uint64_t doneAt;  ///< uint for each tile: the samples of its pixels where it is done, else 0
    uint64_t lights;  ///< float: what ADAPTIVE_SUM adds up, and then the sum of the picture's luminances
    uint64_t sums;    ///< float: where it goes, and where ADAPTIVE_LIGHT puts its results
    uvec2 size;       ///< of the film, in pixels
    uint step;        ///< ADAPTIVE_
    uint count;       ///< items of the step; of ADAPTIVE_SUM, what is added up
    uint samples;     ///< of the pixels of tiles that are not done
    uint samplerKind; ///< SAMPLER_
    float noise;      ///< wanted
    uint padding;
};

// One rounding each, so that compilers fuse nothing. They stand alone because glslang's search for what is precise
// never ends in functions that also load from addresses.
SHARED_INLINE float plus(float a, float b) {
    PRECISE float sum = a + b;
    return sum;
}
SHARED_INLINE float minus(float a, float b) {
    PRECISE float difference = a - b;
    return difference;
}
SHARED_INLINE float times(float a, float b) {
    PRECISE float product = a * b;
    return product;
}

/// 1 / sqrt(x) to within some units in the last place, for x above 0, by Newton's method: devices do not agree on
/// roots and divisions.
SHARED_INLINE float inverseRoot(float x) {
    float y = uintBitsToFloat(0x5F375A86u - (floatBitsToUint(x) >> 1u));
    for (uint i = 0u; i < 4u; i++) {
        y = times(y, minus(1.5f, times(times(0.5f * x, y), y)));
    }
    return y;
}

SHARED_INLINE float inverseOf(float x) {
    float y = inverseRoot(x);
    return times(y, y);
}

/// The largest power of two up to x, as a factor: 1 over it. 1 of what is 0, or beyond the range.
SHARED_INLINE float inverseScale(float x) {
    uint exponent = floatBitsToUint(x) >> 23u;
    return exponent == 0u || exponent >= 254u ? 1.0f : uintBitsToFloat((254u - exponent) << 23u);
}

/// The upper half of a number's digits, such that products of halves are exact (Dekker 1971).
SHARED_INLINE float upperHalf(float x) {
    float p = times(4097.0f, x);
    return minus(p, minus(p, x));
}

/// What rounding took away from the product of a and b (likewise).
SHARED_INLINE float productRest(float a, float b) {
    float aHigh = upperHalf(a);
    float aLow = minus(a, aHigh);
    float bHigh = upperHalf(b);
    float bLow = minus(b, bHigh);
    float rest = minus(times(aHigh, bHigh), times(a, b));
    rest = plus(plus(rest, times(aHigh, bLow)), times(aLow, bHigh));
    return plus(rest, times(aLow, bLow));
}

/// luminanceOf, rounded alike everywhere.
SHARED_INLINE float roundedLuminance(vec3 c) {
    return plus(plus(times(LUMINANCE_RED, c.x), times(LUMINANCE_GREEN, c.y)), times(LUMINANCE_BLUE, c.z));
}

/// A sum as the film keeps it.
struct FilmSum {
    float sum;
    float rest;
};

/// Of Sobol points, how far the means of their halves differ, times the numbers of samples of both, over n and the
/// largest power of two up to n.
SHARED_INLINE float differenceOfHalves(FilmSum all, FilmSum even, uint samples) {
    // The halves are equal, but that an odd n leaves one sample more of even index.
    float apart = plus(minus(2.0f * even.sum, all.sum), minus(2.0f * even.rest, all.rest));
    float n = float(samples);
    float scale = inverseScale(n);
    float odd = float(samples & 1u) * scale;
    return abs(0.5f * minus(times(n * scale, apart), times(odd, all.sum)));
}

/// Of independent samples, the root of n times the sum of their squares less the square of their sum.
SHARED_INLINE float scatterOfSamples(FilmSum all, FilmSum squares, uint samples) {
    float n = float(samples);
    float rest = minus(productRest(n, squares.sum), productRest(all.sum, all.sum));
    rest = plus(rest, minus(times(n, squares.rest), times(2.0f * all.sum, all.rest)));
    float scatter = plus(minus(times(n, squares.sum), times(all.sum, all.sum)), rest);
    return scatter > 0.0f ? times(scatter, inverseRoot(scatter)) : minus(scatter, scatter); // 0, or no number
}

SHARED_INLINE float errorOfChannel(FilmSum all, FilmSum spread, uint samples, uint kind) {
    if (samples < 2u) {
        return 0.0f;
    }
    return kind == SAMPLER_SOBOL ? differenceOfHalves(all, spread, samples) : scatterOfSamples(all, spread, samples);
}

SHARED_INLINE FilmSum filmSum(float sum, float rest) {
    FilmSum result;
    result.sum = sum;
    result.rest = rest;
    return result;
}

SHARED_INLINE PixelEstimate estimateOfPixel(FilmPixel sums, uint samples, uint kind) {
    vec3 r = sums.radiance;
    vec3 rRest = sums.radianceRest;
    vec3 s = sums.spread;
    vec3 sRest = sums.spreadRest;
    PixelEstimate estimate;
    estimate.light = roundedLuminance(r);
    estimate.error =
        roundedLuminance(vec3(errorOfChannel(filmSum(r.x, rRest.x), filmSum(s.x, sRest.x), samples, kind),
                              errorOfChannel(filmSum(r.y, rRest.y), filmSum(s.y, sRest.y), samples, kind),
                              errorOfChannel(filmSum(r.z, rRest.z), filmSum(s.z, sRest.z), samples, kind)));
    return estimate;
}

/// Of PixelEstimate::error.
SHARED_INLINE float errorScale(uint samples, uint kind) {
    float n = float(samples);
    if (kind != SAMPLER_SOBOL) {
        return n - 1.0f;
    }
    float halved = 0.5f * inverseScale(n);
    float odd = float(samples & 1u);
    return times(plus(n, odd) * halved, minus(n, odd) * halved);
}

/// The pixels of a tile: from tileLow on, up to tileHigh, which is excluded.
SHARED_INLINE uvec2 tileLow(uvec2 size, uint tile) {
    uint across = pathTiles(size).x;
    return uvec2((tile % across) * PATH_TILE_WIDTH, (tile / across) * PATH_TILE_HEIGHT);
}

SHARED_INLINE uvec2 tileHigh(uvec2 size, uint tile) {
    uvec2 low = tileLow(size, tile);
    return uvec2(min(low.x + PATH_TILE_WIDTH, size.x), min(low.y + PATH_TILE_HEIGHT, size.y));
}

SHARED_INLINE uint samplesOfTile(AdaptivePush push, uint tile) {
    uint done = AT(uint, push.doneAt, tile);
    return done != 0u ? done : push.samples;
}

/// ADAPTIVE_PIXELS.
SHARED_INLINE PixelEstimate adaptivePixel(AdaptivePush push, uint pixel) {
    uint x = pixel % push.size.x;
    uint y = pixel / push.size.x;
    uint tile = (y / PATH_TILE_HEIGHT) * pathTiles(push.size).x + x / PATH_TILE_WIDTH;
    return estimateOfPixel(AT(FilmPixel, push.film, pixel), samplesOfTile(push, tile), push.samplerKind);
}

/// ADAPTIVE_LIGHT.
SHARED_INLINE float adaptiveLight(AdaptivePush push, uint tile) {
    uvec2 low = tileLow(push.size, tile);
    uvec2 high = tileHigh(push.size, tile);
    float sum = 0.0f;
    for (uint y = low.y; y < high.y; ++y) {
        for (uint x = low.x; x < high.x; ++x) {
            sum = plus(sum, AT(PixelEstimate, push.pixels, y * push.size.x + x).light);
        }
    }
    return times(sum, inverseOf(float(max(samplesOfTile(push, tile), 1u))));
}

/// ADAPTIVE_SUM.
SHARED_INLINE float adaptiveSum(AdaptivePush push, uint item) {
    uint first = item * ADAPTIVE_SUM_ITEMS;
    uint end = first + min(push.count - first, ADAPTIVE_SUM_ITEMS);
    float sum = 0.0f;
    for (uint i = first; i < end; ++i) {
        sum = plus(sum, AT(float, push.lights, i));
    }
    return sum;
}

/// The squared errors and the luminances of some pixels, from `low` up to `high`, summed, each scaled before.
SHARED_INLINE vec2 adaptiveSums(AdaptivePush push, uvec2 low, uvec2 high, float scale) {
    float error = 0.0f;
    float light = 0.0f;
    for (uint y = low.y; y < high.y; ++y) {
        for (uint x = low.x; x < high.x; ++x) {
            PixelEstimate pixel = AT(PixelEstimate, push.pixels, y * push.size.x + x);
            float scaled = pixel.error * scale;
            error = plus(error, times(scaled, scaled));
            light = plus(light, pixel.light * scale);
        }
    }
    return vec2(error, light);
}

/// Whether an error is small enough; one that is no number, or beyond the range, is not.
SHARED_INLINE uint isWithin(float variance, float allowed) {
    return variance <= allowed && allowed < 3.0e38f ? 1u : 0u;
}

/// The luminance that is added to those of the picture, n times.
SHARED_INLINE float adaptiveDark(AdaptivePush push) {
    float mean = times(AT(float, push.lights, 0), inverseOf(float(push.size.x) * float(push.size.y)));
    return times(times(ADAPTIVE_DARK_SHARE, mean), float(push.samples));
}

/// ADAPTIVE_TILES.
SHARED_INLINE TileEstimate adaptiveTile(AdaptivePush push, uint tile) {
    TileEstimate result;
    result.variance = 0.0f;
    result.allowed = 0.0f;
    result.noisy = 0u;
    if (AT(uint, push.doneAt, tile) != 0u) {
        return result;
    }
    uvec2 low = tileLow(push.size, tile);
    uvec2 high = tileHigh(push.size, tile);
    float dark = adaptiveDark(push);
    float scale = inverseScale(dark); // a power of two, which keeps squares within the range
    dark = dark * scale;
    float wanted = times(times(push.noise, push.noise), errorScale(push.samples, push.samplerKind));
    uint reach = push.samplerKind == SAMPLER_SOBOL ? 2u : 1u;
    for (uint y = low.y; y < high.y; ++y) {
        for (uint x = low.x; x < high.x; ++x) {
            uvec2 from = uvec2(max(x, low.x + reach) - reach, max(y, low.y + reach) - reach);
            uvec2 to = uvec2(min(x + reach + 1u, high.x), min(y + reach + 1u, high.y));
            vec2 sums = adaptiveSums(push, from, to, scale);
            float count = float((to.x - from.x) * (to.y - from.y));
            float light = plus(sums.y, times(count, dark));
            uint within = isWithin(times(sums.x, count), times(wanted, times(light, light)));
            result.noisy = within == 0u ? 1u : result.noisy;
        }
    }
    vec2 all = adaptiveSums(push, low, high, scale);
    float share = inverseOf(float((high.x - low.x) * (high.y - low.y)));
    float light = plus(times(all.y, share), dark);
    result.variance = times(all.x, share);
    result.allowed = times(wanted, times(light, light));
    return result;
}

/// ADAPTIVE_DECIDE: what doneAt becomes.
SHARED_INLINE uint adaptiveDecide(AdaptivePush push, uint tile) {
    uint done = AT(uint, push.doneAt, tile);
    if (done != 0u || AT(TileEstimate, push.tiles, tile).noisy != 0u) {
        return done;
    }
    uvec2 tiles = pathTiles(push.size);
    uint x = tile % tiles.x;
    uint y = tile / tiles.x;
    float variance = 0.0f;
    float allowed = 0.0f;
    for (uint v = max(y, 1u) - 1u; v <= min(y + 1u, tiles.y - 1u); ++v) {
        for (uint u = max(x, 1u) - 1u; u <= min(x + 1u, tiles.x - 1u); ++u) {
            TileEstimate near = AT(TileEstimate, push.tiles, v * tiles.x + u);
            variance = plus(variance, near.variance);
            allowed = plus(allowed, near.allowed);
        }
    }
    return isWithin(variance, allowed) != 0u ? max(push.samples, 1u) : 0u;
}

SHARED_END
#endif
