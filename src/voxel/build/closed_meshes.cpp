#include "voxel/build/closed_meshes.h"

#include <algorithm>
#include <mutex>

#include "core/hash.h"
#include "core/log.h"
#include "core/threads/parallel.h"
#include "scene/surface.h"
#include "voxel/build/grid.h"

namespace aureole {

namespace {

constexpr std::int64_t kEdgeTrianglesPerTask = 1 << 12;

std::uint64_t hashOf(const glm::ivec3& point, std::uint64_t seed) {
    const auto bits = [](int value) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(value)); };
    return mixBits(mixBits(seed + bits(point.x)) + (bits(point.y) << 32U | bits(point.z)));
}

bool before(const glm::ivec3& a, const glm::ivec3& b) {
    return a.x != b.x ? a.x < b.x : (a.y != b.y ? a.y < b.y : a.z < b.z);
}

/// Sums over edges that come to 0 for a closed mesh, and for others but once in 2^64. They need no table of edges.
struct EdgeSums {
    std::uint64_t directed = 0;   ///< an edge's number, negated in its other direction
    std::uint64_t undirected = 0; ///< exclusive or

    void add(const glm::ivec3& from, const glm::ivec3& to) {
        if (from == to) {
            return;
        }
        const bool forward = before(from, to);
        const std::uint64_t number = forward ? hashOf(to, hashOf(from, 1)) : hashOf(from, hashOf(to, 1));
        directed += forward ? number : 0 - number;
        undirected ^= number;
    }
    void add(const EdgeSums& other) {
        directed += other.directed;
        undirected ^= other.undirected;
    }
    Closure closure() const {
        return directed == 0 ? Closure::Oriented : (undirected == 0 ? Closure::Parity : Closure::Open);
    }
};

EdgeSums edgeSums(const Primitives& primitives, std::uint32_t instance) {
    const std::size_t triangles =
        primitives.scene().meshes[primitives.scene().meshInstances[instance].mesh].triangles.size();
    EdgeSums sums;
    std::mutex mutex;
    parallelFor((static_cast<std::int64_t>(triangles) + kEdgeTrianglesPerTask - 1) / kEdgeTrianglesPerTask, 1,
                [&](std::int64_t task) {
                    const auto first = static_cast<std::size_t>(task * kEdgeTrianglesPerTask);
                    const std::size_t end = std::min<std::size_t>(triangles, first + kEdgeTrianglesPerTask);
                    EdgeSums part;
                    for (std::size_t i = first; i < end; ++i) {
                        const SnappedTriangle t = primitives.snapped({instance, static_cast<std::uint32_t>(i)});
                        part.add(t[0], t[1]);
                        part.add(t[1], t[2]);
                        part.add(t[2], t[0]);
                    }
                    const std::lock_guard lock(mutex);
                    sums.add(part);
                });
    return sums;
}

/// The closures of meshes of glass, the others counted as open. `fault` becomes that of the first open one, with what
/// comes of it.
std::vector<Closure> checkGlass(const Primitives& primitives, const char* consequence, std::string& fault) {
    const Scene& scene = primitives.scene();
    if (findSolidGlass(scene, scene.meshInstances) == nullptr) {
        return {};
    }
    std::vector<Closure> closures = meshClosures(primitives);
    for (std::uint32_t i = 0; i < closures.size(); ++i) {
        const MeshInstance& instance = scene.meshInstances[i];
        if (!isSolidGlass(materialOf(scene, instance))) {
            closures[i] = Closure::Open;
        } else if (closures[i] == Closure::Open && fault.empty()) {
            const Mesh& mesh = scene.meshes[instance.mesh];
            fault = fmt::format("mesh '{}'{} is of glass and not closed: {}", mesh.name, mesh.origin, consequence);
        }
    }
    return closures;
}

} // namespace

std::vector<Closure> meshClosures(const Primitives& primitives) {
    const Scene& scene = primitives.scene();
    std::vector<Closure> closures(scene.meshInstances.size(), Closure::Open);
    std::vector<std::uint32_t> open;
    EdgeSums together;
    for (std::uint32_t i = 0; i < scene.meshInstances.size(); ++i) {
        if (materialOf(scene, scene.meshInstances[i]).alphaMode != AlphaMode::Opaque) {
            continue;
        }
        const EdgeSums sums = edgeSums(primitives, i);
        closures[i] = sums.closure();
        if (closures[i] == Closure::Open) {
            open.push_back(i);
            together.add(sums);
        }
    }
    for (const std::uint32_t i : open) {
        closures[i] = together.closure();
    }
    return closures;
}

std::vector<Closure> closedMeshes(const Primitives& primitives) {
    const Scene& scene = primitives.scene();
    std::vector<Closure> closures = meshClosures(primitives);
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < closures.size(); ++i) {
        if (closures[i] == Closure::Open && materialOf(scene, scene.meshInstances[i]).alphaMode == AlphaMode::Opaque) {
            open.push_back(i);
        }
    }
    if (!open.empty()) {
        const Mesh& mesh = scene.meshes[scene.meshInstances[open.front()].mesh];
        logWarning("{}: mesh '{}'{}{} is not closed: no inside of it is filled", scene.file.string(), mesh.name,
                   mesh.origin, open.size() > 1 ? fmt::format(" (and {} more)", open.size() - 1) : "");
    }
    return closures;
}

std::vector<Closure> glassClosures(const Primitives& primitives, std::string& fault) {
    std::vector<Closure> closures = checkGlass(primitives, "its surface is glass, its inside is not", fault);
    const bool any = std::any_of(closures.begin(), closures.end(), [](Closure c) { return c != Closure::Open; });
    return any ? closures : std::vector<Closure>();
}

std::string openGlassFault(const Primitives& primitives) {
    std::string fault;
    checkGlass(primitives, "what goes in by its surface and out by a gap counts as inside", fault);
    return fault;
}

void warnOfOpenGlass(const Scene& scene) {
    if (findSolidGlass(scene, scene.meshInstances) == nullptr) {
        return;
    }
    // Vertices that are this near to each other are one.
    const VoxelGrid grid = fitGrid(scene, scene.voxels.resolution);
    const std::string fault = openGlassFault(Primitives(scene, grid, false));
    if (!fault.empty()) {
        logWarning("{}: {}", scene.file.string(), fault);
    }
}

} // namespace aureole
