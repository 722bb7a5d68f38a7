#include "image/isolated_image.h"

#include <set>
#include <string>

#include "core/image_limits.h"
#include "image/image_pack.h"
#include "sandbox/isolated_read.h"

namespace aureole {

void receiveImage(sandbox::Unpacker& in, Image& image) {
    in(image);
    if (image.width == 0 || image.height == 0 || image.width > kMaximumImageSide || image.height > kMaximumImageSide) {
        sandbox::Unpacker::refuse("an image of a size that none has");
    }
    std::set<std::string> names;
    for (const Channel& channel : image.channels) {
        if (channel.values.size() != image.pixelCount() || !names.insert(channel.name).second) {
            sandbox::Unpacker::refuse("a channel that does not fit its image");
        }
    }
}

Image readImageIsolated(const InputFile& file, sandbox::Job job, bool option) {
    Image image;
    sandbox::readIsolated({.job = job, .option = option, .asset = file, .result = [&](sandbox::Unpacker& in) {
                               in.expectLayout<Image>();
                               receiveImage(in, image);
                           }});
    return image;
}

} // namespace aureole
