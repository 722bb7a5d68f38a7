// Where media scatter (MEDIA_SCATTER): how far a path gets along its ray, and what is left of light on its way.
#ifndef AUREOLE_SHARED_PATH_TRAVEL_H
#define AUREOLE_SHARED_PATH_TRAVEL_H

#include "shared/media/tracking.h"
#include "shared/path/path.h"

SHARED_BEGIN

/// The part of a ray that lies in the medium that it is in, of its first `distance`; the origin is in the backend's
/// space.
SHARED_INLINE MediumStretch mediumStretch(uint64_t params, uint medium, vec3 origin, vec3 direction, float distance) {
    MediumStretch stretch;
    stretch.from = 0.0f;
    stretch.to = 0.0f;
    stretch.extinction = vec3(0.0f);
    stretch.scattering = vec3(0.0f);
    uint solid = mediumOver(medium, distance);
    uint own = solid == MEDIUM_NONE ? AT(PathParams, params, 0).fog : solid;
    if (own == MEDIUM_NONE) {
        return stretch;
    }
    stretch.to = distance;
    if (solid == MEDIUM_NONE) {
        vec2 part = stretchBelow(AT(PathParams, params, 0).fogTop, origin.y, direction.y, distance);
        stretch.from = part.x;
        stretch.to = part.y;
    }
    uint64_t materials = AT(PathParams, params, 0).materials;
    stretch.scattering = AT(MaterialTraits, materials, own - 1u).scattering;
    stretch.extinction = stretch.scattering + AT(MaterialTraits, materials, own - 1u).absorption;
    return stretch;
}

/// A ray's first `distance`, with the stretch of it that is in the medium and fog.
SHARED_INLINE MediaSegment mediaSegment(uint64_t params, MediumStretch stretch, uint medium, vec3 origin,
                                        vec3 direction, float distance) {
    MediaSegment segment;
    segment.volumes = AT(PathParams, params, 0).volumes;
    segment.volumeCount = AT(PathParams, params, 0).volumeCount;
    segment.materials = AT(PathParams, params, 0).materials;
    segment.origin = origin;
    segment.direction = direction;
    segment.distance = distance;
    segment.stretch = stretch;
    segment.medium = (medium == MEDIUM_NONE ? AT(PathParams, params, 0).fog : medium) - 1u; // of none, NO_TRAITS
    return segment;
}

/// What media leave of light that goes such a way, `rng` being the numbers of its path: where there are volumes, an
/// estimate whose mean it is.
SHARED_INLINE vec3 segmentTransmittance(uint64_t params, Rng rng, uint medium, vec3 origin, vec3 direction,
                                        float distance) {
    MediumStretch stretch = mediumStretch(params, medium, origin, direction, distance);
    vec3 left = transmittanceOver(stretch.extinction, stretch.to - stretch.from);
    if (HAS_VOLUMES(params)) {
        MediaNumbers numbers = mediaNumbers(rng, origin, NUMBERS_OF_LIGHT);
        left = left * volumeTransmittance(mediaSegment(params, stretch, medium, origin, direction, distance), numbers);
    }
    return left;
}

/// Draws how far a path gets on its way, in which something scatters or glows.
SHARED_INLINE MediaDraw drawAlong(uint64_t params, INOUT(PathState, path), MediaSegment segment) {
    vec4 u = rngNext(path.rng);
    if (HAS_VOLUMES(params)) {
        MediaNumbers numbers = mediaNumbers(path.rng, segment.origin, NUMBERS_OF_PATHS);
        return drawInMedia(segment, path.throughput, u, numbers);
    }
    MediumDraw own = drawInMedium(segment.stretch, path.throughput, vec2(u.x, u.y));
    MediaDraw draw;
    draw.distance = segment.stretch.from + own.distance;
    draw.scatters = own.scatters;
    draw.weight = own.weight;
    draw.emitted = vec3(0.0f);
    draw.medium = segment.medium;
    return draw;
}

/// Takes a path along its ray, from `origin` in the backend's space, to what that has come to, or to the sky (noHit).
/// Where the media in between scatter it on the way, `hit` and `arrival` become those of that point, and 1 is
/// returned. Where media scatter (MEDIA_SCATTER) this comes before pathArrive and pathMiss, which else see to
/// absorption.
SHARED_INLINE uint pathTravel(uint64_t params, INOUT(PathState, path), vec3 origin, vec3 direction,
                              INOUT(SurfaceHit, hit), INOUT(Arrival, arrival)) {
    path.medium = mediumOver(mediumOfArrival(path.medium, hit), arrival.distance);
    MediumStretch stretch = mediumStretch(params, path.medium, origin, direction, arrival.distance);
    bool acts = largestOf(stretch.scattering) > 0.0f;
    if (HAS_VOLUMES(params)) {
        acts = acts || AT(PathParams, params, 0).volumesAct != 0u;
    }
    if (!acts) {
        path.throughput =
            path.throughput * segmentTransmittance(params, path.rng, path.medium, origin, direction, arrival.distance);
        return 0u;
    }
    MediaDraw draw =
        drawAlong(params, path, mediaSegment(params, stretch, path.medium, origin, direction, arrival.distance));
    if (HAS_VOLUMES(params) && largestOf(draw.emitted) > 0.0f) {
        float outside = path.medium == MEDIUM_NONE ? spaceCompression(path.compression) : 1.0f;
        vec3 emitted = path.throughput * draw.emitted * outside;
        if (path.depth == 0u) {
            path.radiance = path.radiance + emitted; // pathGatherGlow notes it
        } else {
            pathGather(path, emitted, 0u);
        }
    }
    path.throughput = path.throughput * draw.weight;
    if (draw.scatters == 0u) {
        return 0u;
    }
    hit.surface = mattScatterer(-direction, vec3(1.0f)); // the throughput has the albedo
    hit.surface.model = MODEL_MEDIUM;
    hit.surface.anisotropy = AT(MaterialTraits, AT(PathParams, params, 0).materials, draw.medium).anisotropy;
    hit.outgoing = -direction;
    hit.material = draw.medium;
    hit.entering = 1u;
    hit.pane = 0u;
    arrival.distance = draw.distance;
    arrival.position = origin + direction * arrival.distance;
    arrival.emission = vec3(0.0f);
    arrival.lightPdf = 0.0f;
    return 1u;
}

SHARED_END
#endif
