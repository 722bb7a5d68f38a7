#include <cmath>

#include <gtest/gtest.h>

#include "core/threads/parallel.h"
#include "field_samples.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

/// Chains of rays through a closed field: the quick count, or 10^8 where AUREOLE_FULL is 1.
std::uint64_t rayCount() {
    return fullSweep() ? 100'000'000 : 200'000;
}

/// A scene of one closed mesh, all faces outwards.
Scene sceneOf(const Mesh& mesh) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.emplace_back();
    scene.meshes = {mesh};
    scene.meshInstances.emplace_back();
    return scene;
}

/// A surface about the origin, with a radius that goes with direction.
Mesh starMesh(int rings, int sectors, const std::function<double(const glm::dvec3&)>& radius) {
    Mesh mesh;
    mesh.name = "star";
    const auto vertex = [&](int ring, int sector) {
        const double polar = kPi * ring / rings;
        const double around = 2.0 * kPi * sector / sectors;
        const glm::dvec3 d(std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar));
        mesh.positions.emplace_back(d * radius(d));
    };
    vertex(0, 0);
    for (int ring = 1; ring < rings; ++ring) {
        for (int sector = 0; sector < sectors; ++sector) {
            vertex(ring, sector);
        }
    }
    vertex(rings, 0);
    const auto index = [&](int ring, int sector) {
        return static_cast<std::uint32_t>(ring == 0       ? 0
                                          : ring == rings ? 1 + (rings - 1) * sectors
                                                          : 1 + (ring - 1) * sectors + sector % sectors);
    };
    for (int ring = 0; ring < rings; ++ring) {
        for (int sector = 0; sector < sectors; ++sector) {
            if (ring > 0) {
                mesh.triangles.emplace_back(index(ring, sector), index(ring + 1, sector), index(ring, sector + 1));
            }
            if (ring + 1 < rings) {
                mesh.triangles.emplace_back(index(ring, sector + 1), index(ring + 1, sector),
                                            index(ring + 1, sector + 1));
            }
        }
    }
    return mesh;
}

Mesh flatBoxMesh() {
    Mesh mesh;
    mesh.name = "box";
    for (int i = 0; i < 8; ++i) {
        mesh.positions.emplace_back((i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 0.7F : -0.7F,
                                    (i & 4) != 0 ? 0.9F : -0.9F);
    }
    for (const glm::uvec4& q : {glm::uvec4(0, 2, 3, 1), glm::uvec4(4, 5, 7, 6), glm::uvec4(0, 1, 5, 4),
                                glm::uvec4(2, 6, 7, 3), glm::uvec4(0, 4, 6, 2), glm::uvec4(1, 3, 7, 5)}) {
        mesh.triangles.emplace_back(q[0], q[1], q[2]);
        mesh.triangles.emplace_back(q[0], q[2], q[3]);
    }
    return mesh;
}

/// Directions of every kind: any, along axes and diagonals, in planes, nearly along axes, at voxels' corners.
glm::dvec3 chooseDirection(std::mt19937& random, const glm::dvec3& from, const glm::dvec3& size) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    glm::dvec3 d(normal(random), normal(random), normal(random));
    const auto axis = static_cast<glm::length_t>(random() % 3);
    switch (random() % 8) {
    case 0:
        d = glm::sign(d) * glm::dvec3(axis == 0, axis == 1, axis == 2);
        break;
    case 1:
        d = glm::sign(d);
        break;
    case 2:
        d[axis] = 0.0;
        break;
    case 3:
        d[axis] *= 1e6;
        break;
    case 4:
        d = glm::floor(glm::dvec3(unit(random), unit(random), unit(random)) * size) - from;
        break;
    default:
        break;
    }
    return glm::dot(d, d) > 0.0 ? glm::normalize(d) : glm::dvec3(1.0, 0.0, 0.0);
}

struct Chains {
    std::uint64_t rays = 0;
    std::uint64_t escaped = 0;
};

/// Sends chains of rays: the first from inside, the others from where the one before met the surface, on the side that
/// it was on, as paths do. Planes let rays go on from them by rules of the paths' own, so that theirs are all first
/// ones.
Chains sendChains(const Octree& octree, const std::vector<glm::dvec3>& starts, std::uint64_t count, unsigned seed) {
    const bool planes = octree.encodingKind() == OctreeEncoding::Planes;
    const int bounces = planes ? 1 : 20;
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    const auto tasks = static_cast<std::int64_t>((count + 999) / 1000);
    std::vector<Chains> parts(static_cast<std::size_t>(tasks));
    parallelFor(tasks, 1, [&](std::int64_t task) {
        std::mt19937 random(seed + static_cast<unsigned>(task));
        Chains& part = parts[static_cast<std::size_t>(task)];
        while (part.rays < 1000) {
            const glm::dvec3 from = starts[random() % starts.size()];
            glm::dvec3 direction = chooseDirection(random, from, octree.grid.size);
            shared::GridRay ray = makeGridRay(octree, from, direction);
            std::uint32_t side = planes ? SIDE_UNKNOWN : SIDE_BACK;
            for (int bounce = 0; bounce < bounces; ++bounce) {
                shared::Traversal state{};
                shared::traversalBegin(address, ray.origin, ray.direction, ray.inverse, ray.cell, state);
                std::uint32_t steps = 1U << 24U;
                shared::RayHit hit{};
                ++part.rays;
                if (shared::castRay(address, state, side, steps, hit) != TRAVERSAL_HIT) {
                    ++part.escaped;
                    break;
                }
                ray.origin = shared::traversalPosition(state);
                ray.cell = shared::traversalVoxel(address, state);
                direction = chooseDirection(random, from, octree.grid.size);
                ray.direction = shared::traversalDirection(glm::vec3(direction));
                ray.inverse = 1.0F / ray.direction;
            }
        }
    });
    Chains all;
    for (const Chains& part : parts) {
        all.rays += part.rays;
        all.escaped += part.escaped;
    }
    return all;
}

/// Points inside: on corners, edges and faces of voxels, and between.
std::vector<glm::dvec3> startsIn(const Octree& octree, const glm::dvec3& centre, double radius) {
    std::mt19937 random(41);
    std::normal_distribution<double> normal;
    std::vector<glm::dvec3> starts = {glm::floor(centre)};
    while (starts.size() < 500) {
        glm::dvec3 p = centre + radius * glm::normalize(glm::dvec3(normal(random), normal(random), normal(random))) *
                                    std::cbrt(static_cast<double>(random() % 1000) / 1000.0);
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            p[axis] = random() % 2 == 0 ? std::floor(p[axis]) : p[axis];
        }
        if (!isSolid(octree, glm::ivec3(p)) && !isSolid(octree, glm::ivec3(p) - 1)) {
            starts.push_back(p);
        }
    }
    return starts;
}

struct Closed {
    const char* name;
    Mesh mesh;
    std::uint32_t resolution;
    double radius; ///< of the largest ball about the middle that is inside, in half resolutions
};

std::vector<Closed> closedShapes() {
    const auto bumps = [](const glm::dvec3& d) {
        return 1.0 + 0.15 * std::sin(7.0 * d.x) * std::sin(9.0 * d.y + 1.0) + 0.1 * std::sin(11.0 * d.z + 2.0 * d.x);
    };
    return {
        {"bumpy mesh", starMesh(60, 90, bumps), 200, 0.6},
        {"coarse mesh", starMesh(6, 7, bumps), 61, 0.4},
        {"sphere", starMesh(40, 60, [](const glm::dvec3&) { return 1.0; }), 64, 0.8},
        {"box", flatBoxMesh(), 100, 0.6},
        {"box of whole voxels", flatBoxMesh(), 20, 0.5},
    };
}

/// The shape as voxels and points inside it.
struct ClosedOctree {
    Octree octree;
    std::vector<glm::dvec3> starts;
};

ClosedOctree makeOctree(const Closed& shape, SurfaceKind surface, double error = kDefaultSurfaceError) {
    VoxelizeOptions options;
    options.resolution = shape.resolution;
    options.surface = surface;
    options.error = error;
    ClosedOctree made;
    made.octree = voxelizeScene(sceneOf(shape.mesh), options);
    const glm::dvec3 centre = -made.octree.grid.origin / made.octree.grid.voxelSize;
    made.starts = startsIn(made.octree, centre, shape.radius * 0.5 * shape.resolution);
    return made;
}

TEST(FieldEscape, NoRayLeavesAClosedMesh) {
    const std::vector<Closed> shapes = closedShapes();
    for (const Closed& shape : shapes) {
        SCOPED_TRACE(shape.name);
        const ClosedOctree field = makeOctree(shape, SurfaceKind::Field);
        const Chains chains = sendChains(field.octree, field.starts, rayCount() / shapes.size(), 43);
        EXPECT_EQ(chains.escaped, 0U) << "of " << chains.rays;
        EXPECT_GE(chains.rays, rayCount() / shapes.size());
    }
}

class GpuFieldEscape : public gpu::GpuTest {};

/// Rays on the device, from inside, with sides that they find out for themselves.
TEST_F(GpuFieldEscape, NoRayLeavesAClosedMesh) {
    const RayCaster caster(device(), OctreeEncoding::Field);
    const std::vector<Closed> shapes = closedShapes();
    for (const Closed& shape : shapes) {
        SCOPED_TRACE(shape.name);
        const ClosedOctree field = makeOctree(shape, SurfaceKind::Field);
        const DeviceOctree onDevice(device(), field.octree);
        std::uint64_t escaped = 0;
        for (std::uint64_t done = 0; done < rayCount() / shapes.size();) {
            std::vector<shared::GridRay> rays(std::min<std::uint64_t>(rayCount() / shapes.size() - done, 1U << 20U));
            parallelFor((static_cast<std::int64_t>(rays.size()) + 999) / 1000, 1, [&](std::int64_t task) {
                const std::size_t first = static_cast<std::size_t>(task) * 1000;
                std::mt19937 random(static_cast<unsigned>(done + first));
                for (std::size_t i = first; i < std::min(first + 1000, rays.size()); ++i) {
                    const glm::dvec3 from = field.starts[random() % field.starts.size()];
                    rays[i] = makeGridRay(field.octree, from, chooseDirection(random, from, field.octree.grid.size));
                }
            });
            for (const shared::RayHit& hit : caster.cast(onDevice, rays)) {
                escaped += hit.face == RAY_MISSED ? 1 : 0;
            }
            done += rays.size();
        }
        EXPECT_EQ(escaped, 0U);
    }
}

TEST(PlaneEscape, NoRayLeavesAClosedMesh) {
    const std::vector<Closed> shapes = closedShapes();
    for (const Closed& shape : shapes) {
        for (const double error : {kDefaultSurfaceError, 1.0}) {
            SCOPED_TRACE(::testing::Message() << shape.name << ", error " << error);
            const ClosedOctree planes = makeOctree(shape, SurfaceKind::Planes, error);
            const Chains chains = sendChains(planes.octree, planes.starts, rayCount() / shapes.size() / 2, 43);
            EXPECT_EQ(chains.escaped, 0U) << "of " << chains.rays;
        }
    }
}

/// One cell without its slab is a hole that the test finds.
TEST(PlaneEscape, AHoleIsFound) {
    VoxelizeOptions options;
    options.resolution = 64;
    options.surface = SurfaceKind::Planes;
    Octree octree = voxelizeScene(sceneOf(starMesh(40, 60, [](const glm::dvec3&) { return 1.0; })), options);
    const glm::dvec3 centre = (glm::dvec3(0.0) - octree.grid.origin) / octree.grid.voxelSize;
    for (glm::ivec3 voxel(0, centre.y, centre.z); voxel.x < 3; ++voxel.x) {
        if (const auto index = attributeIndexAt(octree, voxel)) {
            std::get<PlanesEncoding>(octree.encoding).slabs[*index].extent = 0; // thin, and beyond the cell
        }
    }
    const std::vector<glm::dvec3> starts = startsIn(octree, centre, 25.0);
    EXPECT_GT(sendChains(octree, starts, 200'000, 43).escaped, 0U);
}

/// One corner with the wrong sign is a hole that the test finds.
TEST(FieldEscape, AHoleIsFound) {
    ClosedOctree field = makeOctree(closedShapes()[2], SurfaceKind::Field);
    Octree& octree = field.octree;
    const glm::dvec3 centre = -octree.grid.origin / octree.grid.voxelSize;
    for (glm::ivec3 voxel(0, centre.y, centre.z); voxel.x < 3; ++voxel.x) {
        if (const auto index = attributeIndexAt(octree, voxel)) {
            std::get<FieldEncoding>(octree.encoding).distances[*index] = {0, 0, 0}; // inside throughout
        }
    }
    EXPECT_GT(sendChains(octree, field.starts, 200'000, 43).escaped, 0U);
}

} // namespace
} // namespace aureole
