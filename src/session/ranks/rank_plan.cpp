#include "session/ranks/rank_plan.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/divide_up.h"
#include "core/error.h"
#include "gpu/device_count.h"
#include "render/path_tracer.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kBatchSamples = PathTracer::kBatchSize;

std::uint32_t batchesOf(IndexRange samples) {
    return divideUp(samples.second, kBatchSamples) - samples.first / kBatchSamples;
}

/// Cuts a range into pieces of whole batches, as equal as can be.
void cut(IndexRange samples, std::uint32_t pieces, std::vector<IndexRange>& ranges) {
    const std::uint64_t batches = batchesOf(samples);
    const std::uint64_t firstBatch = samples.first / kBatchSamples;
    for (std::uint64_t i = 0; i < pieces; ++i) {
        const auto at = [&](std::uint64_t piece) { // 64 bits, as the last batch may end at 2^32 or later
            return std::clamp<std::uint64_t>((firstBatch + batches * piece / pieces) * kBatchSamples, samples.first,
                                             samples.second);
        };
        ranges.emplace_back(static_cast<std::uint32_t>(at(i)), static_cast<std::uint32_t>(at(i + 1)));
    }
}

/// Parts of a run before, each with the ranks that see it.
using PartsFound = std::map<IndexRange, std::vector<int>>;

/// The parts that were found, without those that overlap an earlier one.
PartsFound sortParts(IndexRange samples, const std::vector<std::vector<IndexRange>>& found, const std::string& folder) {
    PartsFound all;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
        for (const IndexRange& part : found[rank]) {
            all[part].push_back(static_cast<int>(rank));
        }
    }
    PartsFound apart;
    std::uint32_t end = samples.first;
    for (const auto& [part, ranks] : all) {
        if (part.first < samples.first || part.second > samples.second) {
            fail(ExitCode::BadInput,
                 "{}: found a part with samples {}:{}, expected samples within {}:{}: the parts are of another render; "
                 "remove the folder, or give the picture another name",
                 folder, part.first, part.second, samples.first, samples.second);
        }
        if (part.first >= end) {
            apart.emplace(part, ranks);
            end = part.second;
        }
    }
    return apart;
}

/// The samples of a part, by the name of its file; nothing where the file is no part.
std::optional<IndexRange> rangeOf(const fs::path& file) {
    IndexRange part;
    // NOLINTNEXTLINE(cert-err34-c): what is no such name, or a number too large, is compared with the name below
    const int found = std::sscanf(file.filename().c_str(), "samples.%u-%u.ckpt", &part.first, &part.second);
    const bool isPart = found == 2 && part.first < part.second && partFile(file.parent_path(), part) == file;
    return isPart ? std::optional(part) : std::nullopt;
}

/// The parts that were found as they are, and what lies between them cut as finely as the whole would be.
std::vector<IndexRange> cutBetween(const PartsFound& parts, IndexRange samples, std::uint64_t ranks) {
    const std::uint32_t batches = batchesOf(samples);
    std::vector<IndexRange> ranges;
    const auto fill = [&](IndexRange gap) {
        if (gap.first < gap.second) {
            const std::uint32_t fair = divideUp(batchesOf(gap) * ranks, batches);
            cut(gap, std::min(fair, batchesOf(gap)), ranges);
        }
    };
    std::uint32_t end = samples.first;
    for (const auto& [part, ranksOfPart] : parts) {
        fill({end, part.first});
        ranges.push_back(part);
        end = part.second;
    }
    fill({end, samples.second});
    return ranges;
}

} // namespace

std::vector<RankUnit> planUnits(IndexRange samples, const std::vector<std::vector<IndexRange>>& found,
                                const std::string& folder) {
    const PartsFound parts = sortParts(samples, found, folder);
    const std::vector<IndexRange> ranges = cutBetween(parts, samples, found.size());
    std::vector<RankUnit> units;
    std::vector<std::uint64_t> load(found.size());
    std::vector<int> everybody(found.size());
    std::iota(everybody.begin(), everybody.end(), 0);
    // Parts of a run before, which only some ranks see, are given out first.
    for (const bool bound : {true, false}) {
        for (const IndexRange& range : ranges) {
            const auto part = parts.find(range);
            if ((part != parts.end()) != bound) {
                continue;
            }
            const std::vector<int>& candidates = bound ? part->second : everybody;
            const int rank = *std::min_element(candidates.begin(), candidates.end(), [&](int a, int b) {
                return load[static_cast<std::size_t>(a)] < load[static_cast<std::size_t>(b)];
            });
            load[static_cast<std::size_t>(rank)] += range.second - range.first;
            units.push_back({range, rank});
        }
    }
    std::sort(units.begin(), units.end(), [](const RankUnit& a, const RankUnit& b) { return a.samples < b.samples; });
    return units;
}

fs::path partsFolder(const std::string& output) {
    return output + ".parts";
}

fs::path partFile(const fs::path& folder, IndexRange samples) {
    return folder / fmt::format("samples.{}-{}.ckpt", samples.first, samples.second);
}

std::vector<IndexRange> findParts(const fs::path& folder) {
    std::vector<IndexRange> parts;
    std::error_code missing;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
        if (const std::optional<IndexRange> part = rangeOf(entry.path())) {
            parts.push_back(*part);
        }
    }
    std::sort(parts.begin(), parts.end());
    return parts;
}

void removeParts(const fs::path& folder, const std::vector<RankUnit>& units) {
    std::error_code ignored;
    for (const RankUnit& unit : units) {
        fs::remove(partFile(folder, unit.samples), ignored);
    }
    std::vector<fs::path> halves;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path& file = entry.path(); // writeFileAtomically() adds ".part..." to a file's name while it writes
        if (file.extension().string().starts_with(".part") && rangeOf(folder / file.stem())) {
            halves.push_back(file);
        }
    }
    for (const fs::path& half : halves) {
        fs::remove(half, ignored);
    }
    fs::remove(folder, ignored);
}

std::vector<std::uint32_t> dealDevices(const std::vector<std::uint32_t>& devices, std::size_t localRank,
                                       std::size_t localSize, bool onlyOne) {
    if (onlyOne || localSize >= devices.size()) {
        return {devices[localRank % devices.size()]};
    }
    std::vector<std::uint32_t> own;
    for (std::size_t i = localRank; i < devices.size(); i += localSize) {
        own.push_back(devices[i]);
    }
    return own;
}

gpu::DeviceRequest deviceOfRank(const gpu::DeviceRequest& request, int localRank, int localSize) {
    std::vector<std::uint32_t> devices;
    const bool chosen = !request.selector.empty();
    if (chosen) {
        devices = gpu::deviceIndices(request);
    } else {
        for (const gpu::DeviceInfo& device : gpu::listDevices()) {
            if (!device.isCpu && device.unusable.empty()) {
                devices.push_back(device.index);
            }
        }
    }
    if (devices.empty()) {
        return request; // there is a software device or none, and opening it says so
    }
    gpu::DeviceRequest own = request;
    own.selector = fmt::format("{}", fmt::join(dealDevices(devices, static_cast<std::size_t>(localRank),
                                                           static_cast<std::size_t>(localSize), !chosen),
                                               ","));
    return own;
}

} // namespace aureole
