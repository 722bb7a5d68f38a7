// What a rough surface reflects in all, by direction: tables for what models of single scattering lose.
//
// A table has a row for each roughness and an entry for each cosine of the outgoing direction, and at the end of the
// row the cosine-weighted average. The nodes are equally spaced in roughness, whose square is GGX's alpha, and in
// albedoColumn(). The row of roughness 0 is that of GGX_SMOOTH.
//
// Tables rather than fitted functions: the published fits are good to about 1 %, which a white furnace shows after a
// few bounces. The host integrates them when a scene needs them (integrator/bsdf_tables.h).
#ifndef AUREOLE_SHARED_BSDF_TABLES_H
#define AUREOLE_SHARED_BSDF_TABLES_H

#include "shared/bsdf/bsdf_ggx.h"

SHARED_BEGIN

#define ALBEDO_COSINES 142u
#define ALBEDO_ROUGHNESSES 94u
#define ALBEDO_ROW (ALBEDO_COSINES + 1u)
#define ALBEDO_TABLE (ALBEDO_ROW * ALBEDO_ROUGHNESSES) ///< entries of a table

/// Table 0 is GGX's reflection: x where all of it is reflected (F = 1), y with F = (1 - cos)^5, less x times
/// (1 - cos)^5 of the outgoing direction itself, so that the row of roughness 0 is exact. The others are of
/// dielectrics: what is reflected and refracted, x from outside and y from inside, less ggxMasking(), which is all that
/// is left of light that an index of 1 does not turn.
#define ALBEDO_COAT 0u

/// Where between 0 and 1 the columns have a cosine. Half of them follow cos / (cos + alpha): near grazing angles
/// reflection changes over cosines of alpha's size, however small alpha is. Half follow the sine of half the angle:
/// from inside of a dielectric there is an edge alpha wide at the angle of total reflection, which is near the normal
/// where the index is high.
SHARED_INLINE float albedoColumn(float cosine, float alpha) {
    float grazing = cosine * (1.0f + alpha) / (cosine + alpha);
    return clamp(0.5f * (sqrt(grazing) + 1.0f - sqrt(max(0.0f, 1.0f - cosine))), 0.0f, 1.0f);
}

SHARED_INLINE vec2 albedoEntry(uint64_t tables, uint first, float x, uint row) {
    uint column = min(uint(x), ALBEDO_COSINES - 2u);
    uint entry = first + row * ALBEDO_ROW + column;
    return mix(AT(vec2, tables, entry), AT(vec2, tables, entry + 1u), x - float(column));
}

/// Entry of a table for a cosine and a roughness in [0, 1].
SHARED_INLINE vec2 lookUpAlbedo(uint64_t tables, uint table, float cosine, float roughness) {
    float alpha = max(roughness * roughness, GGX_SMOOTH);
    float x = albedoColumn(cosine, alpha) * float(ALBEDO_COSINES - 1u);
    float y = clamp(roughness, 0.0f, 1.0f) * float(ALBEDO_ROUGHNESSES - 1u);
    uint row = min(uint(y), ALBEDO_ROUGHNESSES - 2u);
    uint first = table * ALBEDO_TABLE;
    return mix(albedoEntry(tables, first, x, row), albedoEntry(tables, first, x, row + 1u), y - float(row));
}

/// The average over the hemisphere, weighted by the cosine.
SHARED_INLINE vec2 lookUpAverageAlbedo(uint64_t tables, uint table, float roughness) {
    float y = clamp(roughness, 0.0f, 1.0f) * float(ALBEDO_ROUGHNESSES - 1u);
    uint row = min(uint(y), ALBEDO_ROUGHNESSES - 2u);
    uint entry = table * ALBEDO_TABLE + row * ALBEDO_ROW + ALBEDO_COSINES;
    return mix(AT(vec2, tables, entry), AT(vec2, tables, entry + ALBEDO_ROW), y - float(row));
}

SHARED_END
#endif
