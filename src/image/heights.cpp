#include "image/heights.h"

#include <array>
#include <cmath>

#include "core/error.h"

namespace aureole {

std::vector<float> heightsOf(const Image& image, const std::string& file, std::string_view use) {
    const std::array<const Channel*, 3> rgb = image.rgb(file);
    std::vector<float> heights(image.pixelCount());
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const double value = luminance(rgb[0]->values[i], rgb[1]->values[i], rgb[2]->values[i]);
        if (!std::isfinite(value)) {
            fail(ExitCode::BadInput, "{}: found {} at pixel {},{}, expected finite {}", file, value, i % image.width,
                 i / image.width, use);
        }
        heights[i] = static_cast<float>(value);
    }
    return heights;
}

} // namespace aureole
