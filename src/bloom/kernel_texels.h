#pragma once

#include <vector>

#include "bloom/convolution_shape.h"
#include "bloom/kernel.h"

namespace aureole {

/// The texels of a kernel that are used, plane after plane (R, G, B), row by row.
struct KernelTexels {
    KernelWindow columns;
    KernelWindow rows;
    std::vector<float> values;

    std::size_t planeSize() const { return std::size_t{columns.count} * rows.count; }
    /// Whether they mirror each other about the centre in every plane, so that their spectrum is real.
    bool symmetric() const;
};

/// Throws Error (BadInput) for an empty kernel.
KernelTexels kernelTexels(const BloomKernel& kernel, const KernelWindow& columns, const KernelWindow& rows);

} // namespace aureole
