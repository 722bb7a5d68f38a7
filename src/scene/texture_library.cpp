#include "scene/texture_library.h"

#include "core/parallel.h"

namespace aureole {

std::uint32_t TextureLibrary::add(const std::string& key, const std::function<Decode()>& prepare) {
    const auto found = indices_.find(key);
    if (found != indices_.end()) {
        return found->second;
    }
    const auto index = static_cast<std::uint32_t>(pending_.size());
    pending_.push_back(prepare());
    indices_.emplace(key, index);
    return index;
}

std::vector<Texture> TextureLibrary::decodeAll() {
    std::vector<Texture> textures(pending_.size());
    parallelFor(static_cast<std::int64_t>(pending_.size()), 1, [&](std::int64_t i) {
        const auto index = static_cast<std::size_t>(i);
        textures[index] = pending_[index]();
        pending_[index] = nullptr; // the encoded bytes go as soon as they are decoded
    });
    return textures;
}

} // namespace aureole
