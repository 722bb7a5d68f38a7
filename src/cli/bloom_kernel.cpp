#include "cli/bloom_kernel.h"

#include "image/image_file.h"

namespace aureole::cli {

BloomKernel makeBloomKernel(const BloomSettings& settings, const glm::uvec2& imageSize, double degreesPerPixel) {
    if (settings.kernel != "default") {
        return kernelFromImage(readImage(settings.kernel), settings.kernel);
    }
    GlareOptions options;
    options.degreesPerPixel = degreesPerPixel;
    // Odd sizes are symmetric.
    options.width = settings.kernelSize > 0 ? settings.kernelSize : imageSize.x | 1U;
    options.height = settings.kernelSize > 0 ? settings.kernelSize : imageSize.y | 1U;
    return glareKernel(options);
}

} // namespace aureole::cli
