#include "bench/traverse/peers/tree64/tree64_program.h"

#include <filesystem>
#include <fstream>
#include <span>

#include <fmt/format.h>

#include "core/error.h"

namespace aureole::bench {

namespace {

template <typename T>
void writeFile(const std::filesystem::path& file, std::span<const T> values) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    if (!out.flush()) {
        fail(ExitCode::CannotWrite, "{}: cannot be written", file.string());
    }
}

std::uint64_t bytesOf(const TreeEncoding& tree) {
    return tree.nodes.size() * sizeof(shared::OctreeNode) + tree.leaves.size() * sizeof(shared::uvec2);
}

} // namespace

Tree64Program::Tree64Program(const gpu::DeviceInfo& device, const Octree& octree)
    : uuid_(device.uuid)
    , levels_(octree.levels)
    , bytes_(bytesOf(*findTree(octree)))
    , program_(tree64Source()) {
    const TreeEncoding& tree = *findTree(octree);
    writeFile(program_.folder() / "nodes", std::span<const shared::OctreeNode>(tree.nodes.data(), tree.nodes.size()));
    writeFile(program_.folder() / "leaves", std::span<const shared::uvec2>(tree.leaves.data(), tree.leaves.size()));
    std::vector<shared::HitRecord> none; // whether it runs on this device
    trace(std::vector<shared::RayRecord>(1), 1.0F, 1, none);
}

Spread Tree64Program::trace(const std::vector<shared::RayRecord>& rays, float reach, std::uint32_t repeats,
                            std::vector<shared::HitRecord>& hits) const {
    const std::filesystem::path& folder = program_.folder();
    writeFile(folder / "rays", std::span<const shared::RayRecord>(rays));
    const nlohmann::json answer =
        program_.run({uuid_, std::to_string(repeats), std::to_string(levels_), fmt::format("{:.9g}", reach),
                      folder / "nodes", folder / "leaves", folder / "rays", folder / "hits"});
    hits.resize(rays.size());
    std::ifstream in(folder / "hits", std::ios::binary);
    const std::span<shared::HitRecord> all(hits);
    in.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(all.size_bytes()));
    if (!in) {
        fail(ExitCode::Internal, "tree64-cuda: its program wrote fewer hits than there are rays");
    }
    const std::vector<double> times = answer.at("us");
    return spreadOf(times);
}

} // namespace aureole::bench
