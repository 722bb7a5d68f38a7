// PNG and JPEG files as textures.

#include "fuzz.h"
#include "import/pictures/texture_file.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    goesThrough("picture", [&] {
        const Texture texture = decodeTexture(input, "picture");
        require(texture.width > 0 && texture.height > 0, "a texture has pixels");
        require(texture.rgba.size() == std::size_t{4} * texture.width * texture.height, "a texture has its bytes");
    });
}

} // namespace aureole::fuzz
