#pragma once

// How the ranks of a job share a picture: which samples each renders, on which device, and the files of their parts.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/index_ranges.h"
#include "gpu/device.h"

namespace aureole {

/// A range of the samples, and the rank that renders it.
struct RankUnit {
    IndexRange samples;
    int rank = 0;
};

/// Cuts samples [first, end) for the ranks, in ascending order. `found` are the parts of a run before, of which each
/// rank sees some: they stay as they were cut, and go to ranks that see them; what lies between is cut as finely as the
/// whole would be. Cuts are multiples of a batch (8), as that is what checkpoints hold; so some ranks may get nothing.
/// Where parts overlap, the first is taken. Throws Error (BadInput), naming `folder`, where one lies outside.
std::vector<RankUnit> planUnits(IndexRange samples, const std::vector<std::vector<IndexRange>>& found,
                                const std::string& folder);

/// The folder of the parts of a picture: OUT.exr.parts.
std::filesystem::path partsFolder(const std::string& output);

/// The file of the part with those samples, samples.A-B.ckpt. It may hold only some of them so far.
std::filesystem::path partFile(const std::filesystem::path& folder, IndexRange samples);

/// The ranges of the parts there, ascending; none where there is no such folder.
std::vector<IndexRange> findParts(const std::filesystem::path& folder);

/// Removes the parts of a picture that is written, what killed ranks left half written, and the folder if it is empty
/// then.
void removeParts(const std::filesystem::path& folder, const std::vector<RankUnit>& units);

/// The devices that a rank renders on, of those that the job was asked to use. Without a selector, it is the GPU whose
/// number is that of the rank on its host, or, with fewer GPUs than ranks, that number modulo the GPUs. With one, the
/// selected devices are dealt out to the ranks of the host, and a rank gets several where there are fewer ranks. Throws
/// as gpu::Device::openAll.
gpu::DeviceRequest deviceOfRank(const gpu::DeviceRequest& request, int localRank, int localSize);

/// Deals out the indices of all devices selected, or of all GPUs with `onlyOne`, as deviceOfRank does.
std::vector<std::uint32_t> dealDevices(const std::vector<std::uint32_t>& devices, std::size_t localRank,
                                       std::size_t localSize, bool onlyOne);

} // namespace aureole
