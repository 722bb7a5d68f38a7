#include "voxel/build/multiply_emissions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "shared/octree/attributes.h"
#include "voxel/build/material_runs.h"
#include "voxel/build/voxel_material.h"
#include "voxel/surface/radiance.h"

namespace aureole {

namespace {

shared::VoxelMaterial multiplied(shared::VoxelMaterial material, float factor) {
    if (factor != 1.0F) {
        material.emission = quantiseEmission(material.emission * factor);
    }
    return material;
}

/// The palette of a run while its emissive entries are replaced. All voxels of such an entry get another number, so the
/// first factor of an entry takes its place, and others follow behind the palette.
class RunPalette {
public:
    explicit RunPalette(std::span<const shared::VoxelMaterial> entries)
        : before_(entries)
        , entries_(entries.begin(), entries.end()) {}

    /// The number, from 1, of entry `number` times a factor; none where the palette has no place left.
    std::optional<std::uint32_t> numberOf(std::uint32_t number, float factor) {
        const auto isSame = [&](const Use& use) { return use.before == number && use.factor == factor; };
        if (last_ < uses_.size() && isSame(uses_[last_])) {
            return uses_[last_].now;
        }
        auto use = std::find_if(uses_.begin(), uses_.end(), isSame);
        if (use == uses_.end()) {
            const bool isFirst =
                std::none_of(uses_.begin(), uses_.end(), [&](const Use& other) { return other.before == number; });
            if (!isFirst && entries_.size() == ATTRIBUTE_MAX_MATERIAL) {
                return std::nullopt;
            }
            const std::uint32_t now = isFirst ? number : static_cast<std::uint32_t>(entries_.size() + 1);
            entries_.resize(std::max<std::size_t>(entries_.size(), now));
            entries_[now - 1] = multiplied(before_[number - 1], factor);
            use = uses_.insert(uses_.end(), {number, factor, now});
        }
        last_ = static_cast<std::size_t>(use - uses_.begin());
        return use->now;
    }

    const std::vector<shared::VoxelMaterial>& entries() const { return entries_; }

private:
    struct Use {
        std::uint32_t before = 0;
        float factor = 1.0F;
        std::uint32_t now = 0;
    };

    std::span<const shared::VoxelMaterial> before_;
    std::vector<shared::VoxelMaterial> entries_;
    std::vector<Use> uses_;
    std::size_t last_ = 0; ///< of the voxel before
};

/// Makes the palettes of an octree anew, run by run.
class Multiplier {
public:
    Multiplier(Octree& octree, std::span<const EmissiveVoxel> voxels, std::span<const float> factors)
        : octree_(octree)
        , voxels_(voxels)
        , factors_(factors) {}

    void multiply() {
        const Array<shared::MaterialRun>& runs = octree_.materialRuns;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const bool isLast = i + 1 == runs.size();
            const std::uint64_t end = isLast ? octree_.attributes.size() : runs[i + 1].first;
            const std::uint64_t paletteEnd = isLast ? octree_.palette.size() : runs[i + 1].base + 1;
            const std::span before(octree_.palette.data() + runs[i].base + 1, paletteEnd - runs[i].base - 1);
            const std::size_t count = static_cast<std::size_t>(
                std::lower_bound(voxels_.begin(), voxels_.end(), end,
                                 [](const EmissiveVoxel& voxel, std::uint64_t at) { return voxel.attributes < at; }) -
                voxels_.begin());
            if (!renumber(runs[i].first, before, count)) {
                makeAnew(runs[i].first, end, before, count);
            }
            voxels_ = voxels_.subspan(count);
            factors_ = factors_.subspan(count);
        }
        octree_.materialRuns = std::move(runs_);
        octree_.palette = std::move(palette_);
    }

private:
    /// Gives the next `count` emissive voxels, those of a run, new numbers in a palette of their run; false, with
    /// nothing changed, where that would be too large.
    bool renumber(std::uint64_t first, std::span<const shared::VoxelMaterial> before, std::size_t count) {
        RunPalette palette(before);
        std::vector<std::uint32_t> numbers(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t number = materialNumber(octree_.attributes[voxels_[i].attributes]);
            const std::optional<std::uint32_t> now = palette.numberOf(number, factors_[i]);
            if (!now) {
                return false;
            }
            numbers[i] = *now;
        }
        for (std::size_t i = 0; i < count; ++i) {
            setMaterialNumber(octree_.attributes[voxels_[i].attributes], numbers[i]);
        }
        runs_.push_back({first, static_cast<std::uint32_t>(palette_.size() - 1), 0});
        palette_.insert(palette_.end(), palette.entries().begin(), palette.entries().end());
        return true;
    }

    /// Cuts a run into several.
    void makeAnew(std::uint64_t first, std::uint64_t end, std::span<const shared::VoxelMaterial> before,
                  std::size_t count) {
        constexpr std::uint64_t kAtOnce = 64; // what a run takes whole
        MaterialRuns made;
        std::vector<SurfaceVoxel> chunk;
        std::size_t next = 0;
        for (std::uint64_t from = first; from < end; from += kAtOnce) {
            const std::uint64_t to = std::min(from + kAtOnce, end);
            chunk.clear();
            for (std::uint64_t i = from; i < to; ++i) {
                SurfaceVoxel& voxel = chunk.emplace_back();
                voxel.attributes = octree_.attributes[i];
                const std::uint32_t number = materialNumber(voxel.attributes);
                voxel.material = number != 0 ? before[number - 1] : kPlainMaterial;
                if (next < count && voxels_[next].attributes == i) {
                    voxel.material = multiplied(voxel.material, factors_[next++]);
                }
            }
            made.assign(from, chunk);
            for (std::uint64_t i = from; i < to; ++i) {
                octree_.attributes[i] = chunk[i - from].attributes;
            }
        }
        const auto base = static_cast<std::uint32_t>(palette_.size() - 1);
        const std::size_t firstRun = runs_.size();
        for (const shared::MaterialRun& run : made.takeRuns()) {
            runs_.push_back({run.first, base + run.base, 0});
        }
        runs_[firstRun].first = first;
        const std::vector<shared::VoxelMaterial> palette = made.takePalette();
        palette_.insert(palette_.end(), palette.begin() + 1, palette.end()); // but for the plain one
    }

    Octree& octree_;
    std::span<const EmissiveVoxel> voxels_; ///< of the runs to come
    std::span<const float> factors_;
    std::vector<shared::VoxelMaterial> palette_{kPlainMaterial};
    std::vector<shared::MaterialRun> runs_;
};

} // namespace

void multiplyEmissions(Octree& octree, std::span<const EmissiveVoxel> voxels, std::span<const float> factors) {
    Multiplier(octree, voxels, factors).multiply();
}

} // namespace aureole
