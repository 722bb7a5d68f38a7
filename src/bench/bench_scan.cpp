#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/bench_commands.h"
#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "bench/bench_sort.h"
#include "bench/peers/peer_choice.h"
#include "bench/peers/peer_program.h"
#include "cli/options/arguments.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "core/threads/parallel.h"
#include "scan/scan_plan.h"
#include "scan/sort_plan.h"

namespace aureole::bench {

namespace {

struct ScanBenchOptions {
    BenchOptions common;
    std::vector<std::uint32_t> items;            ///< empty: those of the device
    std::vector<std::uint32_t> workgroups = {0}; ///< 0: the device's default
    std::vector<std::uint32_t> rows = {0};       ///< 0: the device's default
    std::vector<std::uint32_t> sortWorkgroups = {0};
    std::vector<std::uint32_t> sortKeys = {0};
    std::vector<std::uint32_t> sortLookBacks = {0};
    std::uint32_t sortBits = 48;
    PeerChoice against; ///< CUB alone
    scan::SortMethod sortMethod = scan::SortMethod::Fastest;
    scan::Method method = scan::Method::Fastest;
    scan::Subgroups subgroups = scan::Subgroups::Emulated;
};

constexpr std::uint32_t kMostSorted = 1U << 26;

/// Buffers of one size, made anew for each so that the largest need not lie beside the others.
struct ScanBuffers {
    gpu::Buffer input; ///< ones, so that the last of an inclusive sum is the count
    gpu::Buffer output;
};

class ScanBench {
public:
    ScanBench(gpu::Device device, ScanBenchOptions options)
        : device_(std::move(device))
        , options_(std::move(options))
        , report_("scan", device_.info())
        , copy_(device_) {
        if (options_.items.empty()) {
            options_.items = device_.info().isCpu ? std::vector<std::uint32_t>{1U << 16, 1U << 20}
                                                  : std::vector<std::uint32_t>{1U << 20, 1U << 24, 1U << 26, 1U << 28};
        }
    }

    void run() {
        benchDevice();
        benchSubgroups();
        benchSort();
        report_.write(options_.common);
    }

private:
    /// Whether buffers fit, `bytes` altogether and `largest` the largest of them; else says so in the report.
    bool fits(std::uint32_t items, std::uint64_t bytes, std::uint64_t largest) {
        if (fitsDevice(device_.info(), bytes, largest)) {
            return true;
        }
        report_.note(fmt::format("{} items: skipped, {} bytes do not fit the device", items, bytes));
        return false;
    }

    ScanBuffers makeBuffers(std::uint32_t items) const {
        const std::uint64_t bytes = (std::uint64_t{items} * 4 + 15) / 16 * 16;
        ScanBuffers buffers{device_.createBuffer(bytes, gpu::MemoryKind::Device, "bench input"),
                            device_.createBuffer(bytes, gpu::MemoryKind::Device, "bench output")};
        gpu::CommandEncoder commands = device_.encoder();
        commands.fill(buffers.input, 0, bytes, 1);
        device_.submit(std::move(commands)).wait();
        return buffers;
    }

    double measure(scan::ScanPlan& plan, const ScanBuffers& buffers, std::uint32_t items) const {
        // Nothing of an earlier scan must pass for this one's.
        gpu::CommandEncoder clearing = device_.encoder();
        clearing.fill(buffers.output, 0, buffers.output.size(), 0);
        device_.submit(std::move(clearing)).wait();
        return medianMicroseconds(device_, options_.common.repeats, [&](gpu::CommandEncoder& commands) {
            plan.execute(commands, buffers.input.address(), buffers.output.address(), items);
        });
    }

    /// Checks a word of the output, so that no wrong scan passes for a fast one.
    static void expectWord(const std::string& what, std::uint64_t index, std::uint32_t word, std::uint64_t expected) {
        if (word != expected) {
            fail(ExitCode::Internal, "bench scan: {}: item {} is {}, expected {}", what, index, word, expected);
        }
    }

    void expectSum(const std::string& what, const ScanBuffers& buffers, std::uint32_t items) const {
        std::uint32_t word = 0;
        device_.download(buffers.output, 0, std::as_writable_bytes(std::span(&word, 1)));
        expectWord(what, 0, word, items);
    }

    /// Checks the inclusive scan of all items, in segments.
    void expectInclusive(const std::string& what, const ScanBuffers& buffers, std::uint32_t items,
                         std::uint64_t segment) const {
        constexpr std::uint64_t kPart = 1U << 24;
        constexpr std::int64_t kGrain = 1 << 16;
        for (std::uint64_t first = 0; first < items; first += kPart) {
            std::vector<std::uint32_t> words(std::min(kPart, items - first));
            device_.download(buffers.output, first * 4, std::as_writable_bytes(std::span(words)));
            parallelFor(static_cast<std::int64_t>(words.size()), kGrain, [&](std::int64_t i) {
                const std::uint64_t index = first + static_cast<std::uint64_t>(i);
                expectWord(what, index, words[static_cast<std::size_t>(i)], index % segment + 1);
            });
        }
    }

    static BenchRow row(const std::string& what, std::uint32_t items, double microseconds, double bytes,
                        double copyMicroseconds, double copyBytes) {
        const double rate = bytes / microseconds / 1e3; // GB/s
        return {{"", what},
                {"items", items},
                {"us", microseconds},
                {"GB/s", rate},
                {"of copy", rate / (copyBytes / copyMicroseconds / 1e3)}};
    }

    scan::ScanOptions deviceOptions(scan::Kind kind, std::uint32_t items, std::uint32_t workgroup,
                                    std::uint32_t rows) const {
        scan::ScanOptions options;
        options.maximumCount = items;
        options.kind = kind;
        options.method = options_.method;
        options.subgroups = options_.subgroups;
        options.workgroupSize = workgroup;
        options.rows = rows;
        return options;
    }

    void benchDevice() {
        report_.beginTable("u32 sums over the device");
        if (!options_.against.peers.empty()) {
            measureCub();
        }
        for (const std::uint32_t items : options_.items) {
            const double bytes = 4.0 * items;
            if (!fits(items, std::uint64_t{items} * 8, std::uint64_t{items} * 4)) {
                continue;
            }
            const ScanBuffers buffers = makeBuffers(items);
            const double copy = copy_.microseconds(device_, options_.common.repeats, buffers.input, buffers.output,
                                                   buffers.input.size());
            report_.add(row("copy", items, copy, 2 * bytes, copy, 2 * bytes));
            for (const std::uint32_t workgroup : options_.workgroups) {
                for (const std::uint32_t rows : options_.rows) {
                    for (const scan::Kind kind : {scan::Kind::Reduce, scan::Kind::Inclusive}) {
                        const bool reduces = kind == scan::Kind::Reduce;
                        scan::ScanPlan plan = scan::plan(device_, deviceOptions(kind, items, workgroup, rows));
                        const double time = measure(plan, buffers, items);
                        const std::string what =
                            fmt::format("{} {}x4x{} {}{}", reduces ? "reduce" : "inclusive", plan.shape().workgroupSize,
                                        plan.shape().rows, plan.native() ? "native" : "emulated",
                                        plan.singlePass() ? " 1-pass" : "");
                        if (reduces) {
                            expectSum(what, buffers, items);
                        } else {
                            expectInclusive(what, buffers, items, items);
                        }
                        report_.add(row(what, items, time, reduces ? bytes : 2 * bytes, copy, 2 * bytes));
                    }
                }
            }
            for (const char* what : {"reduce", "inclusive"}) {
                if (const std::optional<double> time = cubTime(items, what)) {
                    report_.add(row(fmt::format("CUB {}", what), items, *time,
                                    what == std::string("reduce") ? bytes : 2 * bytes, copy, 2 * bytes));
                }
            }
        }
    }

    nlohmann::json runCub(const PeerProgram& program, const std::vector<std::uint32_t>& items) const {
        std::vector<std::string> arguments = {device_.info().uuid, std::to_string(options_.common.repeats),
                                              std::to_string(options_.sortBits), std::to_string(kMostSorted)};
        for (const std::uint32_t count : items) {
            arguments.push_back(std::to_string(count));
        }
        return program.run(arguments);
    }

    /// What CUB takes for all numbers of items, in microseconds.
    void measureCub() {
        std::unique_ptr<PeerProgram> program;
        preparePeer(options_.against.all, "cub", report_, [&] {
            auto made = std::make_unique<PeerProgram>(cubSource());
            if (options_.against.all) {
                runCub(*made, {4096});
            }
            program = std::move(made);
        });
        if (!program) {
            return;
        }
        const nlohmann::json answer = runCub(*program, options_.items);
        cubName_ =
            fmt::format("{} on {}", answer.at("version").get<std::string>(), answer.at("device").get<std::string>());
        cub_ = answer.at("rows");
    }

    /// By what was measured: "reduce", "inclusive", "keys" or "pairs".
    std::optional<double> cubTime(std::uint32_t items, const char* what) const {
        for (const nlohmann::json& row : cub_) {
            if (row.at("items") == items && row.contains(what)) {
                return row.at(what).get<double>();
            }
        }
        return std::nullopt;
    }

    void benchSubgroups() {
        report_.beginTable("u32 inclusive sums of subgroups' and workgroups' own items, native and emulated");
        const std::uint32_t items = std::min(options_.items.back(), 1U << 26);
        if (!fits(items, std::uint64_t{items} * 8, std::uint64_t{items} * 4)) {
            return;
        }
        const ScanBuffers buffers = makeBuffers(items);
        const double bytes = 8.0 * items;
        const double copyMicroseconds =
            copy_.microseconds(device_, options_.common.repeats, buffers.input, buffers.output, buffers.input.size());
        for (const scan::Level level : {scan::Level::Subgroup, scan::Level::Workgroup}) {
            for (const std::uint32_t workgroup : {256U, 512U, 1024U}) {
                for (const scan::Subgroups subgroups : {scan::Subgroups::Native, scan::Subgroups::Emulated}) {
                    scan::ScanOptions options = deviceOptions(scan::Kind::Inclusive, items, workgroup, 1);
                    options.level = level;
                    options.method = scan::Method::Fastest;
                    options.subgroups = subgroups;
                    scan::ScanPlan plan = scan::plan(device_, options);
                    const double time = measure(plan, buffers, items);
                    const std::string what =
                        fmt::format("{} of {}, {}", level == scan::Level::Subgroup ? "subgroups" : "workgroups",
                                    workgroup, plan.native() ? "native" : "emulated");
                    expectInclusive(what, buffers, items, plan.segment());
                    report_.add(row(what, items, time, bytes, copyMicroseconds, bytes));
                }
            }
        }
    }

    void benchSort() {
        report_.beginTable(fmt::format("sorts of {}-bit keys, with 32-bit values and alone", options_.sortBits));
        for (const std::uint32_t items : options_.items) {
            if (items > kMostSorted) {
                report_.note(fmt::format("{} keys: left out, at most {}", items, kMostSorted));
                continue;
            }
            const std::uint64_t scratch = std::uint64_t{items} * 14; // and some for the tiles
            if (!fits(items, SortArena::bytes(items) + scratch, SortArena::largestBytes(items))) {
                continue;
            }
            const SortArena arena(device_, items, options_.sortBits);
            for (const std::uint32_t workgroup : options_.sortWorkgroups) {
                for (const std::uint32_t keysEach : options_.sortKeys) {
                    for (const std::uint32_t lookBack : options_.sortLookBacks) {
                        for (const bool values : {true, false}) {
                            scan::SortOptions options = sortOptions(items, workgroup, keysEach, lookBack);
                            options.values = values;
                            benchSort(arena, items, options);
                        }
                    }
                }
            }
            for (const char* what : {"pairs", "keys"}) {
                if (const std::optional<double> time = cubTime(items, what)) {
                    report_.add(sortRow(fmt::format("CUB, {}", what == std::string("keys") ? "keys alone" : what),
                                        items, *time));
                }
            }
        }
        if (!cubName_.empty()) {
            report_.note(cubName_);
        }
    }

    static BenchRow sortRow(const std::string& what, std::uint32_t keys, double microseconds) {
        return {{"", what}, {"keys", keys}, {"us", microseconds}, {"Gkeys/s", keys / microseconds / 1e3}};
    }

    scan::SortOptions sortOptions(std::uint32_t items, std::uint32_t workgroup, std::uint32_t keysEach,
                                  std::uint32_t lookBack) const {
        scan::SortOptions options;
        options.maximumCount = items;
        options.endBit = options_.sortBits;
        options.workgroupSize = workgroup;
        options.keys = keysEach;
        options.subgroups = options_.subgroups;
        options.method = options_.sortMethod;
        options.lookBack = lookBack;
        return options;
    }

    void benchSort(const SortArena& arena, std::uint32_t items, const scan::SortOptions& options) {
        if (const std::string why = scan::whyNoTile(device_.info(), options); !why.empty()) {
            report_.note(fmt::format("{} keys: left out, {}", items, why));
            return;
        }
        scan::SortPlan plan = scan::planSort(device_, options);
        std::string what = fmt::format("{} {}x{}", plan.onesweep() ? "onesweep" : "portable", plan.workgroupSize(),
                                       plan.tileKeys() / plan.workgroupSize());
        if (plan.onesweep()) {
            what += fmt::format(" back {}", plan.lookBack());
        }
        if (!options.values) {
            what += ", keys alone";
        }
        arena.clearOutput(device_);
        const double time = medianMicroseconds(device_, options_.common.repeats, [&](gpu::CommandEncoder& commands) {
            plan.execute(commands, arena.input(), arena.output(), items);
        });
        arena.expectSorted(device_, what, !options.values);
        report_.add(sortRow(what, items, time));
    }

    gpu::Device device_;
    ScanBenchOptions options_;
    BenchReport report_;
    CopyKernel copy_;
    nlohmann::json cub_ = nlohmann::json::array();
    std::string cubName_;
};

/// Throws Error (Usage) for workgroup sizes that the device does not have; 0 stands for its default.
void checkWorkgroups(const char* option, const std::vector<std::uint32_t>& sizes, const gpu::DeviceInfo& info) {
    for (const std::uint32_t size : sizes) {
        if (size % info.subgroupSize != 0 || size > info.maxWorkgroupInvocations) {
            fail(ExitCode::Usage, "{}: found {}, expected multiples of {} up to {} on '{}'", option, size,
                 info.subgroupSize, info.maxWorkgroupInvocations, info.name);
        }
    }
}

void checkSortKeys(const std::vector<std::uint32_t>& keys) {
    for (const std::uint32_t count : keys) {
        if (count % 4 != 0 || count > 24) {
            fail(ExitCode::Usage, "--sort-keys: found {}, expected 4, 8, 12, 16, 20 or 24", count);
        }
    }
}

ExitCode runScanBench(const ScanBenchOptions& options) {
    checkSortKeys(options.sortKeys);
    gpu::Device device = openBenchDevice(options.common);
    checkWorkgroups("--workgroup", options.workgroups, device.info());
    checkWorkgroups("--sort-workgroup", options.sortWorkgroups, device.info());
    ScanBench(std::move(device), options).run();
    return ExitCode::Done;
}

void addChoices(CLI::App& command, ScanBenchOptions& options) {
    cli::addChoice(command, "--subgroups", "native|emulated", "Subgroup arithmetic or shuffles (default: emulated)",
                   {"native", "emulated"}, [&](std::size_t index) {
                       options.subgroups = index == 0 ? scan::Subgroups::Native : scan::Subgroups::Emulated;
                   });
    cli::addChoice(command, "--method", "two-pass|one-pass",
                   "Of inclusive sums over the device (default: the device's best)", {"two-pass", "one-pass"},
                   [&](std::size_t index) {
                       options.method = index == 1 ? scan::Method::SinglePass : scan::Method::ReduceThenScan;
                   });
    cli::addChoice(command, "--sort-method", "portable|onesweep", "Of sorts (default: the device's best)",
                   {"portable", "onesweep"}, [&](std::size_t index) {
                       options.sortMethod = index == 1 ? scan::SortMethod::Onesweep : scan::SortMethod::CountAndMove;
                   });
    cli::addValue(command, "--sort-bits", "N", "Bits of the keys that are sorted, 1 to 64 (default: 48)",
                  [&](const std::string& text) { options.sortBits = parseCount("--sort-bits", text, 1, 64); });
}

} // namespace

void addBenchScan(CLI::App& bench, cli::Invocation& invocation) {
    CLI::App* command = cli::addCommand(bench, "scan", "Scans, reductions and sorts");
    const auto options = std::make_shared<ScanBenchOptions>();
    const auto addCounts = [&](const std::string& name, const std::string& help, std::vector<std::uint32_t>& counts,
                               std::uint32_t most) {
        cli::addValue(*command, name, "N,N,..", help,
                      [name, most, &counts](const std::string& text) { counts = parseCounts(name, text, 1, most); });
    };
    addCounts("--items", "Items of each run (default: 2^20 to 2^28 on a GPU)", options->items, 1U << 30);
    addCounts("--workgroup", "Workgroup sizes to try", options->workgroups, 1024);
    addCounts("--rows", "Rows of a tile to try, each of four items an invocation: 1 to 8", options->rows, 8);
    addCounts("--sort-workgroup", "Workgroup sizes of the sort to try", options->sortWorkgroups, 1024);
    addCounts("--sort-keys", "Keys of an invocation to try: 4, 8, 16, for onesweep 12, 20, 24 as well",
              options->sortKeys, 24);
    addCounts("--sort-look-back", "Tiles that onesweep looks back over at a time, to try: 1 to 8",
              options->sortLookBacks, 8);
    addChoices(*command, *options);
    const std::vector<std::string> peers = {"cub"};
    CLI::Option* against =
        cli::addValue(*command, "--against", "LIST",
                      "Of cub: what runs beside, made by nvcc of this machine first; or all:\nwhat this machine has "
                      "(default: nothing)",
                      [options, peers](const std::string& text) { options->against = parsePeers(text, peers); });
    cli::setHint(*command, against, {.names = withAll(peers), .list = true});
    addBenchOptions(*command, options->common, invocation);
    cli::setFooter(
        *command,
        "GB/s counts bytes read and written; 'of copy' holds it against a plain copy of the same items.\n"
        "CUB of --against, on the same GPU, is one program for all items, which checks its results itself.\n\n"
        "Examples:\n"
        "  aureole bench scan --json scan.json\n"
        "  aureole bench scan --items 16777216 --workgroup 128,256,512 --rows 2,4,8\n"
        "  aureole bench scan --items 67108864 --sort-workgroup 256,384,512 --sort-keys 8,12,16,20\n"
        "  aureole bench scan --allow-cpu --items 65536");
    cli::onParsed(*command, [options, &invocation] { invocation.run = [options] { return runScanBench(*options); }; });
}

} // namespace aureole::bench
