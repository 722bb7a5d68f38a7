#pragma once

// Scenes and pictures that several tests need.

#include "film/film.h"
#include "gpu/device.h"
#include "scene/scene.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// A ball of radius 1 about the origin, with smooth normals; `rings` from pole to pole.
Mesh ballMesh(int rings);
/// A ring about the Y axis, of radius 0.7, 0.3 thick to either side, with smooth normals.
Mesh ringMesh();
/// A box, its triangles facing outwards.
Mesh boxMesh(const glm::vec3& low, const glm::vec3& high);

/// Has the scene seen in 16x16 pixels along -direction, from `distance` before the target, under a white sky that
/// surfaces show once: no path bounces twice.
void lookUnderSky(Scene& scene, const glm::dvec3& target, double distance, const glm::dvec3& direction, double fov);

/// As many samples where all sweeps run, else a third: for furnaces, whose means have little noise or none.
std::uint32_t furnaceSamples(std::uint32_t full);
/// The scene's default view, on the device.
FilmSums renderOnDevice(const gpu::Device& device, const Scene& scene, const Octree& octree, std::uint32_t samples);
/// The same bytes, in the picture and in all layers.
void expectSameSums(const FilmSums& a, const FilmSums& b);
/// Of all pixels and channels.
double meanRadiance(const FilmSums& film);

/// The mean of all pixels and channels of a film of independent samples, and its standard error.
struct PictureMean {
    double value;
    double error;
};
PictureMean pictureMean(const FilmSums& film);

} // namespace aureole
