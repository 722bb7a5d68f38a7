// Pictures of all formats but EXR, as textures and as images.

#include "fuzz.h"
#include "image/image_file.h"
#include "import/pictures/texture_file.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    goesThrough("picture", [&] {
        const Texture texture = decodeTexture(input, "picture");
        require(texture.width > 0 && texture.height > 0, "a texture has pixels");
        require(texture.rgba.size() == std::size_t{4} * texture.width * texture.height, "a texture has its bytes");
    });
    goesThrough("picture", [&] {
        const Image image = decodePicture(input, "picture");
        require(image.width > 0 && image.height > 0 && image.channels.size() >= 3, "an image has pixels");
        for (const Channel& channel : image.channels) {
            require(channel.values.size() == image.pixelCount(), "a channel has a value for each pixel");
        }
    });
}

} // namespace aureole::fuzz
