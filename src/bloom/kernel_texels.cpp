#include "bloom/kernel_texels.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/threads/parallel.h"

namespace aureole {

bool KernelTexels::symmetric() const {
    if (columns.count != 2 * columns.centre + 1 || rows.count != 2 * rows.centre + 1) {
        return false;
    }
    const std::size_t plane = planeSize();
    for (std::size_t begin = 0; begin < values.size(); begin += plane) {
        const float* const first = &values[begin];
        const std::vector<int> differs = ofRuns(plane / 2, [&](std::size_t from, std::size_t end) {
            return std::equal(first + from, first + end, std::make_reverse_iterator(first + plane - from)) ? 0 : 1;
        });
        if (std::find(differs.begin(), differs.end(), 1) != differs.end()) {
            return false;
        }
    }
    return true;
}

KernelTexels kernelTexels(const BloomKernel& kernel, const KernelWindow& columns, const KernelWindow& rows) {
    if (kernel.width == 0 || kernel.height == 0) {
        fail(ExitCode::BadInput, "bloom: the kernel is empty ({}x{})", kernel.width, kernel.height);
    }
    KernelTexels texels{columns, rows, {}};
    texels.values.resize(kernel.planes.size() * texels.planeSize());
    for (std::size_t c = 0; c < kernel.planes.size(); ++c) {
        parallelFor(rows.count, 16, [&](std::int64_t y) {
            const std::size_t row = static_cast<std::size_t>(rows.begin + y) * kernel.width + columns.begin;
            std::copy_n(kernel.planes.at(c).begin() + static_cast<std::ptrdiff_t>(row), columns.count,
                        &texels.values[c * texels.planeSize() + static_cast<std::size_t>(y) * columns.count]);
        });
    }
    return texels;
}

} // namespace aureole
