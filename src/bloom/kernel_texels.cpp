#include "bloom/kernel_texels.h"

#include "core/error.h"

namespace aureole {

bool KernelTexels::symmetric() const {
    if (columns.count != 2 * columns.centre + 1 || rows.count != 2 * rows.centre + 1) {
        return false;
    }
    const std::size_t plane = planeSize();
    for (std::size_t begin = 0; begin < values.size(); begin += plane) {
        for (std::size_t i = 0; i < plane / 2; ++i) {
            if (values[begin + i] != values[begin + plane - 1 - i]) {
                return false;
            }
        }
    }
    return true;
}

KernelTexels kernelTexels(const BloomKernel& kernel, const KernelWindow& columns, const KernelWindow& rows) {
    if (kernel.width == 0 || kernel.height == 0) {
        fail(ExitCode::BadInput, "bloom: the kernel is empty ({}x{})", kernel.width, kernel.height);
    }
    KernelTexels texels{columns, rows, {}};
    texels.values.reserve(kernel.planes.size() * texels.planeSize());
    for (const std::vector<float>& plane : kernel.planes) {
        for (std::uint32_t y = rows.begin; y < rows.begin + rows.count; ++y) {
            const auto row = plane.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * kernel.width + columns.begin);
            texels.values.insert(texels.values.end(), row, row + columns.count);
        }
    }
    return texels;
}

} // namespace aureole
