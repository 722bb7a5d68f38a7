#include "bench/bloom_peers.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace aureole::bench {

namespace {

/// As the programs read it: peers/common.
void writeTask(const std::filesystem::path& file, const std::string& uuid, std::uint32_t repeats,
               const BloomTask& task) {
    const TwoLights picture(task);
    std::ofstream out(file);
    fmt::print(out, "{}\n{} {} {} {}\n", uuid, repeats, task.width, task.height, task.kernelSize);
    fmt::print(out, "{}\n", picture.lights().size());
    for (const TwoLights::Light& light : picture.lights()) {
        fmt::print(out, "{} {} {}\n", light.pixel.x, light.pixel.y, light.value);
    }
    const std::vector<glm::uvec2> samples = picture.samples();
    fmt::print(out, "{}\n", samples.size() * kBloomColours);
    for (const glm::uvec2 pixel : samples) {
        for (std::size_t colour = 0; colour < kBloomColours; ++colour) {
            fmt::print(out, "{} {} {}\n", colour, pixel.x, pixel.y);
        }
    }
}

void writeKernel(const std::filesystem::path& file, const BloomKernel& kernel) {
    std::ofstream out(file, std::ios::binary);
    for (const std::vector<float>& plane : kernel.planes) {
        out.write(reinterpret_cast<const char*>(plane.data()),
                  static_cast<std::streamsize>(plane.size() * sizeof(float)));
    }
}

} // namespace

const std::vector<std::string>& bloomPeerNames() {
    static const std::vector<std::string> kNames = {"fftw", "cufft", "vkfft"};
    return kNames;
}

BloomPeers::BloomPeers(const gpu::DeviceInfo& device, const std::vector<std::size_t>& peers, std::uint32_t repeats)
    : uuid_(device.uuid)
    , repeats_(repeats) {
    for (const std::size_t peer : peers) {
        const std::string& name = bloomPeerNames()[peer];
        peers_.push_back({name, std::make_unique<PeerProgram>(bloomSource(name))});
    }
}

void BloomPeers::measure(const BloomTask& task, const BloomKernel& kernel, double whole, double error,
                         double tolerance) {
    rows_.push_back({{"", task.name()},
                     {"by", "aureole"},
                     {"whole us", whole},
                     {"core us", nullptr},
                     {"times", 1.0},
                     {"error", error},
                     {"on", nullptr}});
    for (const Peer& peer : peers_) {
        const std::filesystem::path& folder = peer.program->folder();
        writeTask(folder / "task", uuid_, repeats_, task);
        writeKernel(folder / "kernel", kernel);
        const nlohmann::json answer = peer.program->run({folder / "task", folder / "kernel"});
        const nlohmann::json& values = answer.at("values");
        std::size_t next = 0; // in the order in which they were asked for
        const double found =
            TwoLights(task).check(fmt::format("{}, {}", task.name(), peer.name), kernel, tolerance,
                                  [&](std::size_t, glm::uvec2) { return values.at(next++).get<double>(); });
        const double time = answer.at("whole");
        rows_.push_back({{"", task.name()},
                         {"by", answer.at("version")},
                         {"whole us", time},
                         {"core us", answer.at("core").get<double>()},
                         {"times", time / whole},
                         {"error", found},
                         {"on", answer.at("device")}});
    }
}

void BloomPeers::addTable(BenchReport& report) const {
    report.beginTable("peers: the same convolutions");
    for (const BenchRow& row : rows_) {
        report.add(row);
    }
}

} // namespace aureole::bench
