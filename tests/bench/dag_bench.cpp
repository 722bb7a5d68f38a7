// bench_dag MODEL.avo [WIDTH]: what merging the equal subtrees of a tree saves and takes, and how fast rays go through
// both on the CPU: primary rays from (1.15, 0.8, 1.3) times the grid's side to its centre, 53.13 degrees high, 16:9,
// and one bounce in a random direction about the face that was hit.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "stream/ray_caster.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

double secondsOf(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool startAt(const Octree& octree, const glm::dvec3& point, const glm::dvec3& direction,
             std::vector<shared::GridRay>& rays) {
    shared::GridRay ray = makeGridRay(octree, point, direction);
    float travelled = 0.0F;
    std::uint32_t axis = 0;
    if (shared::clipToBox(glm::vec3(1.0F), glm::vec3(2.0F), ray.origin, ray.direction, ray.inverse, travelled, axis) ==
        0) {
        return false;
    }
    ray.cell = shared::gridCell(ray.origin, octree.levels);
    rays.push_back(ray);
    return true;
}

std::vector<shared::GridRay> primaryRays(const Octree& octree, int width) {
    const double side = std::max({octree.grid.size.x, octree.grid.size.y, octree.grid.size.z});
    const glm::dvec3 eye = side * glm::dvec3(1.15, 0.8, 1.3);
    const glm::dvec3 forward = glm::normalize(0.5 * glm::dvec3(octree.grid.size) - eye);
    const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(0.0, 1.0, 0.0)));
    const glm::dvec3 up = glm::cross(right, forward);
    const int height = width * 9 / 16;
    std::vector<shared::GridRay> rays;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double u = (x + 0.5 - 0.5 * width) / height;
            const double v = (0.5 * height - y - 0.5) / height;
            startAt(octree, eye, forward + u * right + v * up, rays);
        }
    }
    return rays;
}

std::vector<shared::GridRay> bounceRays(const Octree& octree, const std::vector<shared::RayHit>& hits) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::vector<shared::GridRay> rays;
    for (const shared::RayHit& hit : hits) {
        if (hit.face < FACE_INSIDE) {
            const glm::dvec3 out(shared::faceNormal(hit.face));
            const glm::dvec3 sphere = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)) + 1e-9);
            startAt(octree, glm::dvec3(hit.voxel) + 0.5 + 0.501 * out, out + 0.99 * sphere, rays);
        }
    }
    return rays;
}

struct Cast {
    std::vector<shared::RayHit> hits;
    double seconds = 0.0;
};

Cast cast(const Octree& octree, const std::vector<shared::GridRay>& rays) {
    Cast best;
    for (int i = 0; i < 3; ++i) {
        const double seconds = secondsOf([&] { best.hits = castOnCpu(octree, rays); });
        best.seconds = i == 0 ? seconds : std::min(best.seconds, seconds);
    }
    return best;
}

double bitsPerVoxel(const Octree& octree) {
    return 8.0 * static_cast<double>(octree.occupancyBytes()) / static_cast<double>(octree.voxelCount());
}

void compare(const char* name, const Cast& tree, const Cast& dag) {
    const auto rays = static_cast<double>(tree.hits.size());
    const bool equal = tree.hits.size() == dag.hits.size() &&
                       std::memcmp(tree.hits.data(), dag.hits.data(), tree.hits.size() * sizeof(shared::RayHit)) == 0;
    fmt::print("{:<8} {:.0f} rays, tree {:.2f} M/s, DAG {:.2f} M/s, hits {}\n", name, rays, 1e-6 * rays / tree.seconds,
               1e-6 * rays / dag.seconds, equal ? "equal" : "DIFFER");
}

void bench(const char* file, int width) {
    Octree octree = loadOctree(file);
    const std::vector<shared::GridRay> primary = primaryRays(octree, width);
    const Cast first = cast(octree, primary);
    const std::vector<shared::GridRay> bounces = bounceRays(octree, first.hits);
    const Cast second = cast(octree, bounces);
    const double treeBits = bitsPerVoxel(octree);
    const double seconds = secondsOf([&] { octree = toDag(std::move(octree)); });
    const auto& dag = std::get<DagEncoding>(octree.encoding);
    const DagLayout layout = dagLayout(dag);
    fmt::print("{}: {} voxels, tree {:.3f} bits a voxel, DAG {:.3f}, merged in {:.2f} s\n", file, octree.voxelCount(),
               treeBits, bitsPerVoxel(octree), seconds);
    fmt::print("{} masks, {} entries of {} + {} + {} bits, {} references\n", dag.masks.size(), layout.entries,
               layout.numberBits(), layout.firstBits(), layout.countBits(), layout.references);
    compare("primary", first, cast(octree, primary));
    compare("bounce", second, cast(octree, bounces));
}

} // namespace
} // namespace aureole

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: bench_dag MODEL.avo [WIDTH]\n");
        return 2;
    }
    try {
        aureole::bench(argv[1], argc > 2 ? std::atoi(argv[2]) : 1280);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_dag: {}\n", error.what());
        return 1;
    }
    return 0;
}
