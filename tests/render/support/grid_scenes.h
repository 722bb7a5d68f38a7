#pragma once

// Scenes of several octrees, made by hand.

#include <vector>

#include "film/film.h"
#include "gpu/device.h"
#include "scene/scene.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// A scene of one material, under an even sky, of 8x6 pixels, without a camera.
Scene mattScene(float albedo, float emission, float sky);
/// With a field of view in degrees.
Camera cameraAt(const glm::dvec3& position, const glm::dvec3& target, double fov);

/// Adds a mesh with an octree of its own, of a material, without placing it. Returns its grid.
std::uint32_t addGrid(Scene& scene, Mesh mesh, std::uint32_t material, std::uint32_t resolution,
                      SurfaceKind surface = SurfaceKind::Cubes);
/// Places it, for the reference renderer too.
void placeGrid(Scene& scene, std::uint32_t grid, const glm::dmat4& transform);
/// Places it where it moves by keys; `still` is where it is in a picture that is no frame.
void placeMoving(Scene& scene, std::uint32_t grid, const PoseKey& still, const std::vector<PoseKey>& keys);
/// Translation, rotation by an angle in degrees, and scale, in the order of scene files.
glm::dmat4 poseOf(const glm::dvec3& translation, double degrees, const glm::dvec3& axis, const glm::dvec3& scale);

/// Of each grid, by itself.
std::vector<Octree> octreesOf(const Scene& scene);
/// The scene's default view, on the device; of these octrees, or of those of octreesOf.
FilmSums renderGrids(const gpu::Device& device, const Scene& scene, const std::vector<Octree>& octrees,
                     std::uint32_t samples);
FilmSums renderGrids(const gpu::Device& device, const Scene& scene, std::uint32_t samples);
/// A frame of an animation, likewise.
FilmSums renderFrame(const gpu::Device& device, const Scene& scene, const std::vector<Octree>& octrees, double moment,
                     std::uint32_t samples);

} // namespace aureole
