#pragma once

// Scenes of glass in front of a camera, and how they are voxelised.

#include <vector>

#include "film/film.h"
#include "scene/scene.h"
#include "settings/surface_kind.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// How solids of glass are voxelised.
struct GlassKind {
    const char* name;
    SurfaceKind surface;
    VoxelNormals normals;
};

/// The first is of cubes with the normals of their faces. Smooth cubes are among them in full sweeps only.
const std::vector<GlassKind>& glassKinds();
const GlassKind& smoothCubes();

/// Smooth, colourless, of index 1.5.
Material clearGlass();
/// A mesh about the origin in white light from everywhere, paths without a limit.
Scene glassScene(const Mesh& mesh, const Material& material);
/// A mesh of clear glass that absorbs blue most, under a sky of several colours.
Scene colouredGlassScene(const Mesh& mesh);
/// Sets the scene's normals too.
Octree voxelizeAs(Scene& scene, const GlassKind& kind, std::uint32_t resolution);
/// The default view by the reference backend.
FilmSums renderReference(const Scene& scene, std::uint32_t samples);

} // namespace aureole
