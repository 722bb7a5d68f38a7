#pragma once

// The arrays of emitters as shaders see them, for tests that call those on the CPU.

#include <cstdint>

#include "shared/surface/voxel_state.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {

/// The arrays must outlive what it returns.
inline shared::EmitterTables tablesOf(const EmitterArrays& arrays) {
    shared::EmitterTables tables{};
    tables.boxes = reinterpret_cast<std::uint64_t>(arrays.boxes.data());
    tables.slices = reinterpret_cast<std::uint64_t>(arrays.slices.data());
    tables.rows = reinterpret_cast<std::uint64_t>(arrays.rows.data());
    return tables;
}

} // namespace aureole
