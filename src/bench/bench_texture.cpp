#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "bench/texture_check.h"
#include "cli/options/arguments.h"
#include "core/error.h"
#include "core/lines.h"
#include "texture/gray_scott_solver.h"
#include "texture/start_state.h"

namespace aureole::bench {

namespace {

using texture::GrayScottTiling;
using texture::Storage;

struct TextureBenchOptions {
    BenchOptions common;
    std::vector<std::uint32_t> sizes; ///< here and below: none, those of the device
    std::vector<std::uint32_t> sweep; ///< sides of the planes on which tilings are compared
    std::vector<glm::uvec2> lanes;
    std::vector<std::uint32_t> rows{2, 4, 8, 16};
    std::vector<std::uint32_t> fused{1, 2, 4, 8};
    std::vector<Storage> storages{Storage::Float, Storage::Half};
};

constexpr const char* kStorageNames[] = {"fp32", "fp16"};

/// A square plane with what belongs to it.
struct TexturePlane {
    texture::GrayScott model;
    texture::Concentrations start;
    double copyRate = 0.0; ///< bytes read and written in a microsecond
};

std::string nameOf(const GrayScottTiling& tiling, Storage storage) {
    const char* const kind = kStorageNames[storage == Storage::Half ? 1 : 0];
    if (!tiling.tiled) {
        return fmt::format("{} untiled {}x{}", kind, tiling.lanesX, tiling.lanesY);
    }
    return fmt::format("{} {}x{} of 4x{}, {} fused", kind, tiling.lanesX, tiling.lanesY, tiling.rows, tiling.fused);
}

class TextureBench {
public:
    TextureBench(gpu::Device device, TextureBenchOptions options)
        : device_(std::move(device))
        , options_(std::move(options))
        , report_("texture", device_.info())
        , copy_(device_) {
        const bool isCpu = device_.info().isCpu;
        if (options_.sizes.empty()) {
            options_.sizes =
                isCpu ? std::vector<std::uint32_t>{128} : std::vector<std::uint32_t>{1024, 2048, 4096, 8192};
        }
        if (options_.sweep.empty()) {
            options_.sweep = {isCpu ? 128U : 4096U};
        }
        if (options_.lanes.empty()) {
            options_.lanes = isCpu ? std::vector<glm::uvec2>{{16, 8}}
                                   : std::vector<glm::uvec2>{{16, 8}, {32, 4}, {32, 8}, {16, 16}, {32, 16}};
        }
    }

    void run() {
        report_.beginTable("sizes, in the device's tiling and without tiles");
        for (const std::uint32_t size : options_.sizes) {
            benchSize(size);
        }
        for (const std::uint32_t size : options_.sweep) {
            report_.beginTable(fmt::format("tilings of {0}x{0}", size));
            benchTilings(size);
        }
        report_.write(options_.common);
    }

private:
    /// Whether a plane of fp32 fits the device. Where it does not, the report gets a note.
    bool fits(std::uint32_t size) {
        const std::uint64_t bytes = std::uint64_t{8} * size * size;
        if (fitsDevice(device_.info(), 2 * bytes, bytes)) {
            return true;
        }
        report_.note(fmt::format("{0}x{0}: skipped, {1} bytes do not fit the device", size, 2 * bytes));
        return false;
    }

    static TexturePlane makePlane(std::uint32_t size) {
        TexturePlane plane;
        plane.model.width = plane.model.height = size;
        plane.start = texture::startState(plane.model, {.seed = 1, .spots = size * size / 1000 + 1});
        return plane;
    }

    void setCopyRate(TexturePlane& plane, Storage storage) const {
        const std::uint64_t cellBytes = storage == Storage::Half ? 4 : 8;
        const std::uint64_t bytes = (cellBytes * plane.start.size() + 15) / 16 * 16;
        plane.copyRate = copy_.chainedRate(device_, options_.common.repeats, bytes);
    }

    void benchSize(std::uint32_t size) {
        if (!fits(size)) {
            return;
        }
        TexturePlane plane = makePlane(size);
        for (const Storage storage : options_.storages) {
            setCopyRate(plane, storage);
            GrayScottTiling untiled{.lanesX = 32, .lanesY = 8, .tiled = false};
            untiled.lanesY = std::min(untiled.lanesY, device_.info().maxWorkgroupInvocations / untiled.lanesX);
            bench(plane, storage, untiled);
            for (const std::uint32_t fused : options_.fused) {
                GrayScottTiling tiling = texture::tilingFor(device_.info());
                tiling.fused = fused;
                bench(plane, storage, tiling);
            }
        }
    }

    void benchTilings(std::uint32_t size) {
        if (!fits(size)) {
            return;
        }
        TexturePlane plane = makePlane(size);
        for (const Storage storage : options_.storages) {
            setCopyRate(plane, storage);
            for (const glm::uvec2 lanes : options_.lanes) {
                for (const std::uint32_t rows : options_.rows) {
                    for (const std::uint32_t fused : options_.fused) {
                        bench(plane, storage, {.lanesX = lanes.x, .lanesY = lanes.y, .rows = rows, .fused = fused});
                    }
                }
            }
        }
    }

    /// A row, or a note why there is none.
    void bench(const TexturePlane& plane, Storage storage, const GrayScottTiling& tiling) {
        const std::string name = nameOf(tiling, storage);
        if (const std::string why = texture::whyNoTiling(device_.info(), tiling); !why.empty()) {
            report_.note(fmt::format("{}: left out, {}", name, why));
            return;
        }
        const std::uint32_t stepsAtOnce = tiling.tiled ? tiling.fused : 1;
        texture::GrayScottSolver solver(device_, plane.model, storage, tiling);
        verify(plane, storage, name, stepsAtOnce + stepsAtOnce / 2 + 1, solver);
        const double time =
            chainedMicroseconds(device_, options_.common.repeats,
                                [&](gpu::CommandEncoder& commands) { solver.record(commands, stepsAtOnce); }) /
            stepsAtOnce;
        const double rate = static_cast<double>(solver.bytesOfStep()) / time;
        report_.add({{"", name},
                     {"size", plane.model.width},
                     {"tile", tiling.tiled ? fmt::format("{}x{}", tiling.tileWidth(), tiling.tileHeight()) : "none"},
                     {"cells each", tiling.tiled ? 4 * tiling.rows : 1},
                     {"us a step", time},
                     {"steps/s", 1e6 / time},
                     {"GB/s", rate / 1e3},
                     {"copy GB/s", plane.copyRate / 1e3},
                     {"of copy", rate / plane.copyRate}});
    }

    /// A whole dispatch and a part of one, so that no wrong simulation passes for a fast one.
    static void verify(const TexturePlane& plane, Storage storage, const std::string& name, std::uint32_t steps,
                       texture::GrayScottSolver& solver) {
        const TextureCheck check(plane.model, plane.start, steps);
        solver.setState(plane.start);
        solver.run(steps);
        check.expect(fmt::format("{0} on {1}x{1}", name, plane.model.width), solver.state(), storage);
    }

    gpu::Device device_;
    TextureBenchOptions options_;
    BenchReport report_;
    CopyKernel copy_;
};

std::vector<glm::uvec2> parseLanes(const std::string& option, const std::string& text) {
    std::vector<glm::uvec2> lanes;
    for (const std::string& part : splitList(text)) {
        lanes.push_back(parseSize(option, part));
    }
    return lanes;
}

ExitCode runTextureBench(const TextureBenchOptions& options) {
    TextureBench(openBenchDevice(options.common), options).run();
    return ExitCode::Done;
}

} // namespace

void addBenchTexture(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command =
        cli::addCommand(bench, "texture", "Steps of reaction-diffusion textures, in tiles of many kinds");
    const auto options = std::make_shared<TextureBenchOptions>();
    const auto addCounts = [&](const std::string& name, const std::string& help, std::vector<std::uint32_t>& counts,
                               std::uint32_t most) {
        cli::addValue(*command, name, "N,N,..", help,
                      [name, most, &counts](const std::string& text) { counts = parseCounts(name, text, 1, most); });
    };
    addCounts("--sizes", "Sides of square planes (default: 1024 to 8192 on a GPU)", options->sizes,
              texture::kMostCellsOfASide);
    addCounts("--sweep", "Sides of planes on which all tilings are compared\n(default: 4096 on a GPU)", options->sweep,
              texture::kMostCellsOfASide);
    cli::addValue(*command, "--lanes", "WxH,..", "Workgroups to try, each invocation of 4 columns",
                  [options](const std::string& text) { options->lanes = parseLanes("--lanes", text); });
    addCounts("--rows", "Rows of an invocation to try: 1, 2, 4, 8, 16", options->rows, 16);
    addCounts("--fused", "Steps of a dispatch to try, 1 to 32", options->fused, 32);
    cli::addChoice(*command, "--storage", "fp32|fp16", "Of cells, one alone (default: both)", {"fp32", "fp16"},
                   [options](std::size_t index) { options->storages = {index == 1 ? Storage::Half : Storage::Float}; });
    addBenchOptions(*command, options->common, invocation);
    cli::setFooter(*command,
                   "GB/s counts each cell read and written once a step; 'of copy' holds it against a plain copy of\n"
                   "as many bytes. Steps that are fused read and write less than that. 'untiled' loads the nine\n"
                   "cells about each one from memory.\n\n"
                   "Examples:\n"
                   "  aureole bench texture --json texture.json\n"
                   "  aureole bench texture --sizes 4096 --sweep 4096 --storage fp16 --lanes 32x8 --fused 4,8\n"
                   "  aureole bench texture --allow-cpu --sizes 64 --sweep 64 --rows 4 --fused 1,4");
    cli::onParsed(*command,
                  [options, &invocation] { invocation.run = [options] { return runTextureBench(*options); }; });
}

} // namespace aureole::bench
