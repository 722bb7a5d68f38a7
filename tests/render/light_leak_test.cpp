#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

class LightLeak : public gpu::GpuTest {};

/// A convex body around the origin.
struct Body {
    std::vector<glm::dvec3> corners;
    std::vector<std::vector<std::size_t>> faces;
};

/// The image of the cube [-1, 1]^3.
Body boxBody(const glm::dmat3& shape) {
    Body body;
    for (unsigned i = 0; i < 8; ++i) {
        const auto side = [i](unsigned axis) { return ((i >> axis) & 1U) != 0 ? 1.0 : -1.0; };
        body.corners.push_back(shape * glm::dvec3(side(0), side(1), side(2)));
    }
    body.faces = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
    return body;
}

Body makeTetrahedron() {
    return {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
}

/// A globe of `rings` rings of flat faces, whose voxels hold bends of every kind.
Body makeGlobe(std::size_t rings) {
    Body body;
    const std::size_t columns = 2 * rings;
    for (std::size_t ring = 0; ring <= rings; ++ring) {
        for (std::size_t column = 0; column < columns; ++column) {
            const double theta = kPi * static_cast<double>(ring) / static_cast<double>(rings);
            const double phi = kPi * static_cast<double>(column) / static_cast<double>(rings);
            body.corners.emplace_back(std::sin(theta) * std::cos(phi), std::cos(theta),
                                      std::sin(theta) * std::sin(phi));
        }
    }
    for (std::size_t first = 0; first < rings * columns; first += columns) {
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t i = first + column;
            const std::size_t next = column + 1 < columns ? i + 1 : first;
            body.faces.push_back({i, next, next + columns, i + columns});
        }
    }
    return body;
}

/// Adds the faces of a body. `bend` tilts the vertex normals from the faces' own towards those of the corners: 0 none,
/// 1 wholly. They point inwards for `facing` 1, outwards for -1.
void addBody(Scene& scene, const Body& body, const glm::dmat4& transform, double bend, double facing) {
    Mesh mesh;
    for (const std::vector<std::size_t>& face : body.faces) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        // Of four corners the diagonals span the face even where two of them coincide.
        const glm::dvec3 a = body.corners[face[2]] - body.corners[face[0]];
        const glm::dvec3 b = body.corners[face.back()] - body.corners[face[1]];
        glm::dvec3 normal = glm::normalize(glm::cross(a, b));
        normal = glm::dot(normal, body.corners[face[0]]) > 0.0 ? -normal : normal;
        for (const std::size_t corner : face) {
            const glm::dvec3 inwards = -glm::normalize(body.corners[corner]);
            mesh.positions.emplace_back(body.corners[corner]);
            mesh.normals.emplace_back(facing * glm::normalize(glm::mix(normal, inwards, bend)));
        }
        for (std::uint32_t i = 2; i < face.size(); ++i) {
            mesh.triangles.emplace_back(first, first + i - 1, first + i);
        }
    }
    MeshInstance instance;
    instance.mesh = static_cast<std::uint32_t>(scene.meshes.size());
    instance.worldFromMesh = transform;
    scene.meshes.push_back(mesh);
    scene.meshInstances.push_back(instance);
}

/// Seen from near the origin, under a white sky outside.
Scene emptyScene() {
    Scene scene;
    scene.materials.resize(1);
    scene.materials[0].albedo = glm::vec3(0.5F);
    Camera camera;
    camera.position = {0.05, 0.02, 0.03};
    camera.target = {-0.4, -0.5, -0.2};
    camera.verticalFov = 110.0;
    scene.cameras = {camera};
    scene.environment.radiance = glm::vec3(1.0F);
    scene.film.width = 12;
    scene.film.height = 8;
    return scene;
}

glm::dmat4 rotation(const glm::dvec3& degrees) {
    return glm::mat4_cast(glm::dquat(glm::radians(degrees)));
}

std::vector<glm::dmat4> someRotations() {
    std::vector<glm::dmat4> rotations = {rotation(glm::dvec3(0.0)), rotation({45, 0, 0}), rotation({30, 40, 10})};
    std::mt19937 random(11);
    std::uniform_real_distribution<double> angle(-180.0, 180.0);
    for (int i = 0; i < 3; ++i) {
        const double x = angle(random);
        const double y = angle(random);
        rotations.push_back(rotation({x, y, angle(random)}));
    }
    return rotations;
}

/// The mean radiance that comes in: 0 in a sealed room.
double leakedRadiance(const gpu::Device& device, const Scene& scene, std::uint32_t resolution,
                      SurfaceKind surface = SurfaceKind::Cubes, double error = kDefaultSurfaceError) {
    const std::uint32_t samples = quickOrFull(24U, 64U);
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = surface;
    options.error = error;
    const Octree octree = voxelizeScene(scene, options);
    const DeviceScene onDevice(device, scene, octree);
    PathTracer tracer(device, onDevice, defaultView(scene));
    tracer.render(0, samples, [](double) { return true; });
    const FilmSums film = tracer.film();
    double sum = 0.0;
    for (const double value : film.radiance) {
        sum += value;
    }
    return sum / static_cast<double>(film.radiance.size() * samples);
}

constexpr double kDark = 1e-5;

/// Cubes at every resolution, planes at one, for time's sake.
std::vector<SurfaceKind> surfacesAt(std::uint32_t resolution) {
    return resolution == 64 ? std::vector{SurfaceKind::Cubes, SurfaceKind::Planes} : std::vector{SurfaceKind::Cubes};
}

void expectDark(const gpu::Device& device, const Scene& scene) {
    for (const std::uint32_t resolution : {32U, 64U, 128U}) {
        for (const SurfaceKind surface : surfacesAt(resolution)) {
            EXPECT_LT(leakedRadiance(device, scene, resolution, surface), kDark)
                << resolution << " voxels, " << surfaceKindNames()[static_cast<std::size_t>(surface)];
        }
    }
}

/// Each rotation and each bend meet each resolution.
TEST_F(LightLeak, NoLightEntersASealedRoomHoweverItStands) {
    constexpr std::array<double, 3> kBends = {0.0, 0.5, 1.0};
    constexpr std::array<std::uint32_t, 3> kResolutions = {32, 64, 128};
    const std::vector<glm::dmat4> rotations = someRotations();
    for (std::size_t i = 0; i < 3 * rotations.size(); ++i) {
        const double bend = kBends[i % 3];
        const std::uint32_t resolution = kResolutions[(i + i / 3) % 3];
        Scene scene = emptyScene();
        addBody(scene, boxBody(glm::dmat3(1.0)), rotations[i / 3], bend, 1.0);
        for (const SurfaceKind surface : surfacesAt(resolution)) {
            EXPECT_LT(leakedRadiance(device(), scene, resolution, surface), kDark)
                << "rotation " << i / 3 << ", bend " << bend << ", " << resolution << " voxels, "
                << surfaceKindNames()[static_cast<std::size_t>(surface)];
        }
    }
}

TEST_F(LightLeak, NorThroughAcuteAndObtuseCorners) {
    glm::dmat3 sheared(1.0);
    sheared[1] = {0.7, 0.6, 0.0};
    sheared[2] = {0.0, 0.4, 0.8};
    glm::dmat3 wedge(1.0);
    wedge[1] = {1.8, 0.6, 0.0};
    const std::vector<Body> bodies = {makeTetrahedron(), boxBody(sheared), boxBody(wedge)};
    for (const Body& body : bodies) {
        for (const double facing : {1.0, -1.0}) {
            SCOPED_TRACE(::testing::Message() << body.corners.size() << " corners, the last at x = "
                                              << body.corners.back().x << ", facing " << facing);
            Scene scene = emptyScene();
            addBody(scene, body, rotation({-62, 25, 131}), 0.5, facing);
            expectDark(device(), scene);
        }
    }
}

TEST_F(LightLeak, NorThroughCurvedWalls) {
    for (const std::size_t rings : {5U, 9U, 24U}) {
        SCOPED_TRACE(rings);
        Scene scene = emptyScene();
        addBody(scene, makeGlobe(rings), rotation({20, 70, -35}), 1.0, 1.0);
        expectDark(device(), scene);
    }
}

/// The inside of a tube that is bent to a ring: hollow along it on one side, and bulging on the other.
TEST_F(LightLeak, NorThroughABentTube) {
    for (const glm::dvec3 degrees : {glm::dvec3(0.0), glm::dvec3(30, 40, 10), glm::dvec3(-62, 25, 131)}) {
        SCOPED_TRACE(degrees.x);
        Scene scene = emptyScene();
        scene.meshes = {ringMesh()};
        scene.meshInstances.emplace_back();
        scene.meshInstances[0].worldFromMesh = rotation(degrees);
        const auto inTube = [&](double around) {
            const glm::dvec3 middle(0.7 * std::cos(around), 0.0, 0.7 * std::sin(around));
            return glm::dvec3(rotation(degrees) * glm::dvec4(middle, 1.0));
        };
        scene.cameras[0].position = inTube(0.3);
        scene.cameras[0].target = inTube(1.1);
        expectDark(device(), scene);
    }
}

/// Boxes stand in the walls and in each other, within the room and out of it.
TEST_F(LightLeak, NorWhereBodiesStandInTheWalls) {
    std::mt19937 random(23);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const auto angles = [&] {
        const double x = 360.0 * unit(random);
        const double y = 360.0 * unit(random);
        return glm::dvec3(x, y, 360.0 * unit(random));
    };
    for (int i = 0; i < 24; ++i) {
        Scene scene = emptyScene();
        const glm::dmat4 room = rotation(angles());
        addBody(scene, boxBody(glm::dmat3(1.0)), room, 0.0, 1.0);
        for (int k = 0; k < 1 + i % 3; ++k) {
            glm::dmat3 shape(0.0);
            glm::dvec3 at(0.0);
            for (int axis = 0; axis < 3; ++axis) {
                shape[axis][axis] = axis == 1 ? 0.3 + 0.9 * unit(random) : 0.05 + 0.25 * unit(random);
                at[axis] = 1.6 * unit(random) - 0.8;
            }
            at[static_cast<int>(3.0 * unit(random))] = unit(random) < 0.5 ? -1.0 : 1.0;
            const glm::dmat4 turn = i % 2 == 0 ? rotation(angles()) : rotation({0.0, angles().y, 0.0});
            addBody(scene, boxBody(shape), room * glm::translate(glm::dmat4(1.0), at) * turn, 0.0, -1.0);
        }
        const std::uint32_t resolution = i % 2 == 0 ? 32 : 64;
        EXPECT_LT(leakedRadiance(device(), scene, resolution), kDark) << "scene " << i << ", " << resolution;
    }
}

/// A slab of two faces divides a room that is open on its other side: from much thinner than a voxel to some voxels.
TEST_F(LightLeak, NorThroughAThinWallOfTwoFaces) {
    const glm::dmat4 transform = rotation({30, 40, 10});
    Body open = boxBody(glm::dmat3(1.0));
    open.faces.erase(open.faces.begin() + 2); // y = -1
    for (const double half : {0.001, 0.01, 0.03}) {
        SCOPED_TRACE(half);
        glm::dmat3 shape(1.0);
        shape[1].y = half;
        Scene scene = emptyScene();
        addBody(scene, open, transform, 0.0, 1.0);
        addBody(scene, boxBody(shape), transform, 0.0, -1.0);
        scene.cameras[0].position = glm::dvec3(transform * glm::dvec4(0.05, 0.4, 0.03, 1.0));
        scene.cameras[0].target = glm::dvec3(transform * glm::dvec4(0.3, -0.5, 0.1, 1.0));
        expectDark(device(), scene);
    }
}

/// The underside of a ball, opaque or of glass, faces as that of the floor does, which is thinner than a voxel. They
/// share no voxel here: in one of both, nothing tells the side.
TEST_F(LightLeak, NorByWhatStandsOnAThinFloorOfPlanes) {
    Body open = boxBody(glm::dmat3(1.0));
    open.faces.erase(open.faces.begin() + 2); // y = -1
    glm::dmat3 floor(1.0);
    floor[1].y = 0.005;
    for (const auto& [voxels, model] : {std::pair(0.8, MaterialModel::Lambert), std::pair(1.5, MaterialModel::Lambert),
                                        std::pair(0.8, MaterialModel::Dielectric)}) {
        Scene scene = emptyScene();
        addBody(scene, open, glm::dmat4(1.0), 0.0, 1.0);
        addBody(scene, boxBody(floor), glm::translate(glm::dmat4(1.0), glm::dvec3(0.0, -1.0, 0.0)), 0.0, -1.0);
        const glm::dvec3 middle(-0.3, -0.495 + voxels * 2.0 / 64.0, -0.2);
        addBody(scene, makeGlobe(12),
                glm::translate(glm::dmat4(1.0), middle) * glm::scale(glm::dmat4(1.0), glm::dvec3(0.5)), 0.0, -1.0);
        scene.meshInstances.back().material = 1;
        scene.materials.emplace_back().model = model;
        scene.cameras[0].position = {0.5, -0.2, 0.6};
        scene.cameras[0].target = {-0.2, -0.95, -0.1};
        EXPECT_LT(leakedRadiance(device(), scene, 64, SurfaceKind::Planes), kDark)
            << voxels << " voxels above it, " << (model == MaterialModel::Lambert ? "opaque" : "of glass");
    }
}

/// Planes that may lie voxels away from the walls still close them: a box, a globe, and two globes with half a voxel
/// between them.
TEST_F(LightLeak, NorThroughPlanesHoweverCoarse) {
    const glm::dmat4 transform = rotation({20, 70, -35});
    for (const double error : {1.0, 16.0}) {
        for (const int shells : {0, 1, 2}) {
            Scene scene = emptyScene();
            addBody(scene, shells == 0 ? boxBody(glm::dmat3(1.0)) : makeGlobe(9), transform, 1.0, 1.0);
            if (shells == 2) {
                addBody(scene, makeGlobe(9), transform * glm::scale(glm::dmat4(1.0), glm::dvec3(1.015)), 1.0, -1.0);
            }
            EXPECT_LT(leakedRadiance(device(), scene, 64, SurfaceKind::Planes, error), kDark)
                << shells << " shells, error " << error;
        }
    }
}

/// The tests above would see a missing wall.
TEST_F(LightLeak, AnOpenRoomIsNotDark) {
    Scene scene = emptyScene();
    Body open = boxBody(glm::dmat3(1.0));
    open.faces.erase(open.faces.begin() + 3);
    addBody(scene, open, rotation({30, 40, 10}), 0.0, 1.0);
    EXPECT_GT(leakedRadiance(device(), scene, 32), 1000.0 * kDark);
}

} // namespace
} // namespace aureole
