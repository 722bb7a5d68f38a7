#include "bench/bloom_peers.h"

#include <filesystem>
#include <fstream>
#include <future>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace aureole::bench {

namespace {

/// Writes a task as the programs read it (peers/common).
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

BloomPeers::BloomPeers(const gpu::DeviceInfo& device, const PeerChoice& choice, std::uint32_t repeats,
                       BenchReport& report)
    : uuid_(device.uuid)
    , repeats_(repeats) {
    // Compilers take up to a minute for each.
    std::vector<std::future<std::unique_ptr<PeerProgram>>> programs;
    for (const std::size_t peer : choice.peers) {
        const std::string& name = bloomPeerNames()[peer];
        programs.push_back(
            std::async(std::launch::async, [&name] { return std::make_unique<PeerProgram>(bloomSource(name)); }));
    }
    const BloomTask small{32, 32, 8};
    BloomKernel even{small.kernelSize, small.kernelSize, {}};
    even.planes.fill(std::vector<float>(std::size_t{small.kernelSize} * small.kernelSize, 1.0F));
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::string& name = bloomPeerNames()[choice.peers[i]];
        preparePeer(choice.all, name, report, [&] {
            Peer peer{name, programs[i].get()};
            if (choice.all) {
                bloom(peer, small, even);
            }
            peers_.push_back(std::move(peer));
        });
    }
}

nlohmann::json BloomPeers::bloom(const Peer& peer, const BloomTask& task, const BloomKernel& kernel) const {
    const std::filesystem::path& folder = peer.program->folder();
    writeTask(folder / "task", uuid_, repeats_, task);
    writeKernel(folder / "kernel", kernel);
    return peer.program->run({folder / "task", folder / "kernel"});
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
        const nlohmann::json answer = bloom(peer, task, kernel);
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
    report.note("'core us' leaves out padding and cropping, which are parts of aureole's own passes; FFTW planned each "
                "transform for two seconds at most");
}

} // namespace aureole::bench
