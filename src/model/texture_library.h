#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/texture.h"

namespace aureole {

/// Collects the textures of one model, each once, and decodes them together on all cores.
class TextureLibrary {
public:
    using Decode = std::function<Texture()>;

    /// The index of the texture known by `key`; `prepare` is called when it is new, at once, and returns the function
    /// that `decodeAll` runs later, on any thread. What either throws, `decodeAll` throws.
    std::uint32_t add(const std::string& key, const std::function<Decode()>& prepare);

    /// Decodes what was added, in the order of the indices. To be called once. Throws Error (BadInput) with a line for
    /// each texture that cannot be read.
    std::vector<Texture> decodeAll();

private:
    std::map<std::string, std::uint32_t> indices_;
    std::vector<Decode> pending_;
};

} // namespace aureole
