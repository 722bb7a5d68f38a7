// PNG files as images. What is accepted is in range, and its 16 bits are the same when written and read again.

#include <algorithm>

#include "fuzz.h"
#include "image/png/png.h"

namespace aureole::fuzz {

namespace {

constexpr const char* kName = "picture.png";

void requireSane(const Image& image) {
    require(image.width > 0 && image.height > 0, "a picture has pixels");
    for (const Channel& channel : image.channels) {
        require(channel.values.size() == image.pixelCount(), "a channel has a value for each pixel");
        require(std::all_of(channel.values.begin(), channel.values.end(),
                            [](float value) { return value >= 0.0F && value <= 1.0F; }),
                "values are from 0 to 1");
    }
}

} // namespace

void runInput(Bytes input) {
    const PngOptions deep{16, PngTransfer::Linear};
    Image image;
    if (!goesThrough(kName, [&] { image = decodePng(input, kName, PngTransfer::Linear); })) {
        return;
    }
    requireSane(image);
    requireSane(decodePng(input, kName, PngTransfer::Srgb));
    const Image again = decodePng(encodePng(image, deep, kName), kName, PngTransfer::Linear);
    require(again.width == image.width && again.height == image.height, "a picture keeps its size");
    for (const Channel& channel : image.channels) {
        const Channel* other = again.find(channel.name);
        require(other != nullptr && other->values == channel.values, "a channel keeps its values");
    }
}

} // namespace aureole::fuzz
