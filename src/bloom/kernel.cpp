#include "bloom/kernel.h"

#include <cmath>

#include "core/error.h"

namespace aureole {

namespace {

void checkFinite(const Channel& channel, std::uint32_t width, const std::string& file) {
    for (std::size_t i = 0; i < channel.values.size(); ++i) {
        if (!std::isfinite(channel.values[i])) {
            fail(ExitCode::BadInput, "{}: bloom kernel: channel {} holds {} at ({}, {}); expected finite values", file,
                 channel.name, channel.values[i], i % width, i / width);
        }
    }
}

} // namespace

BloomKernel kernelFromImage(const Image& image, const std::string& file) {
    if (image.pixelCount() == 0) {
        fail(ExitCode::BadInput, "{}: bloom kernel: the image is empty ({}x{})", file, image.width, image.height);
    }
    const std::array<const Channel*, 3> channels = image.rgb(file);
    bool anyLight = false;
    std::array<double, 3> sums{};
    for (std::size_t c = 0; c < 3; ++c) {
        checkFinite(*channels.at(c), image.width, file);
        for (const float value : channels.at(c)->values) {
            anyLight = anyLight || value != 0.0F;
            sums.at(c) += value;
        }
    }
    if (!anyLight) {
        fail(ExitCode::BadInput, "{}: bloom kernel: all values are zero", file);
    }
    const double total = luminance(sums[0], sums[1], sums[2]);
    if (!(total > 0.0)) {
        fail(ExitCode::BadInput, "{}: bloom kernel: its luminance sums to {}; expected more than zero", file, total);
    }

    BloomKernel kernel{image.width, image.height, {}};
    for (std::size_t c = 0; c < 3; ++c) {
        kernel.planes.at(c).reserve(image.pixelCount());
        for (const float value : channels.at(c)->values) {
            kernel.planes.at(c).push_back(static_cast<float>(value / total));
            if (!std::isfinite(kernel.planes.at(c).back())) {
                fail(ExitCode::BadInput, "{}: bloom kernel: its luminance sums to {}, too little beside its values",
                     file, total);
            }
        }
    }
    return kernel;
}

Image kernelToImage(const BloomKernel& kernel) {
    Image image = makeImage(kernel.width, kernel.height, {"R", "G", "B"});
    image.find("R")->values = kernel.planes[0];
    image.find("G")->values = kernel.planes[1];
    image.find("B")->values = kernel.planes[2];
    return image;
}

} // namespace aureole
