#pragma once

// Lamps as tables: what makeEmitterBoxes (emitter_boxes.h) makes, octrees keep and renderers read.

#include <cstdint>
#include <future>

#include "shared/light/emitter_boxes.h"
#include "voxel/tree/array.h"

namespace aureole {

/// The arrays that EmitterTables points to.
struct EmitterArrays {
    Array<shared::EmitterBox> boxes;
    Array<glm::vec3> facings; ///< of each box: the one way that all its faces look which rays come to, or 0
    Array<std::uint32_t> slices;
    Array<shared::EmitterRow> rows;

    /// Sum of the boxes': luminance times the part of their sides that voxels cover, in voxels; of what looks one way
    /// that side alone.
    double power() const {
        double sum = 0.0;
        for (const shared::EmitterBox& box : boxes) {
            sum += double{box.power};
        }
        return sum;
    }
    std::uint64_t bytes() const { return boxes.bytes() + facings.bytes() + slices.bytes() + rows.bytes(); }
};

/// Lamps of an octree that are made beside other work; not valid where none are.
using ComingLamps = std::shared_future<EmitterArrays>;

} // namespace aureole
