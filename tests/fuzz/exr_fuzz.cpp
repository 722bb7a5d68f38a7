// EXR files. What is accepted has the pixels that it says, and is the same when written and read again.

#include <cstring>
#include <vector>

#include "film/marks.h"
#include "fuzz.h"
#include "image/exr/exr.h"

namespace aureole::fuzz {

namespace {

constexpr const char* kName = "picture.exr";
constexpr std::size_t kMostValues = std::size_t{1} << 16U; ///< written again

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

void requireRoundTrip(const Image& image) {
    std::vector<std::byte> bytes;
    // Names and texts that a file has and writing refuses are told of.
    const bool written = goesThrough(
        kName, [&] { bytes = encodeExr(image, {}, kName); }, ExitCode::CannotWrite);
    if (!written) {
        return;
    }
    const Image again = decodeExr(bytes, kName);
    require(again.width == image.width && again.height == image.height, "a picture keeps its size");
    require(again.channels.size() == image.channels.size(), "a picture keeps its channels");
    for (const Channel& channel : image.channels) {
        const Channel* other = again.find(channel.name);
        require(other != nullptr && sameBits(other->values, channel.values), "a channel keeps its values");
    }
    for (const auto& [name, text] : image.attributes) {
        const auto found = again.attributes.find(name);
        require(found != again.attributes.end() && found->second == text, "a picture keeps its texts");
    }
}

} // namespace

void runInput(Bytes input) {
    Image image;
    if (!goesThrough(kName, [&] { image = decodeExr({input.begin(), input.end()}, kName); })) {
        return;
    }
    require(image.width > 0 && image.height > 0 && !image.channels.empty(), "a picture has pixels");
    for (const Channel& channel : image.channels) {
        require(channel.values.size() == image.pixelCount(), "a channel has a value for each pixel");
        require(image.find(channel.name) == &channel, "channels have names of their own");
    }
    bloomMark(image);
    if (image.pixelCount() * image.channels.size() <= kMostValues) {
        requireRoundTrip(image);
    }
}

} // namespace aureole::fuzz
