#pragma once

#include "film/film.h"
#include "scene/scene.h"

namespace aureole {

/// A box with these half sides, its triangles facing outwards.
Mesh boxMesh(const glm::vec3& half);
/// A sphere of `rings` x 2 `rings` quadrangles with their own flat normals, facing outwards.
Mesh sphereMesh(float radius, unsigned rings);

/// One mesh of one material, in black space; a camera inside of boxes of half side 1, of 8 x 6 pixels.
Scene sceneOf(const Mesh& mesh, float albedo, float emission);
/// A camera at `position` that looks at the origin with a field of view of `degrees`.
void lookAtOrigin(Scene& scene, const glm::dvec3& position, double degrees);

FilmSums render(const Scene& scene, std::uint32_t samples);
/// Of all pixels and channels.
double meanOf(const FilmSums& film);
/// Of one channel.
double meanOf(const FilmSums& film, std::size_t channel);

} // namespace aureole
