#pragma once

// Pictures whose channels mean something else than the renderers take them for: they are repacked as a scene is read.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/texture.h"

namespace aureole {

/// What a value of a picture is read from, by its place: a channel, one of them inverted, or nothing, which is 1.
const std::vector<std::string>& textureChannelNames();
inline constexpr std::size_t kNoChannel = 8;

/// The picture with G and B from these channels, for glTF's roughness and metalness; R and A are as they were.
Texture repacked(Texture texture, std::size_t roughness, std::size_t metalness);

/// The picture's channel, in grey and opaque, mixed with white: 1 - strength (1 - value).
Texture occlusionOf(const Texture& texture, std::size_t channel, float strength);

/// An albedo darkened by an occlusion that lies as it does: at the size of the larger one of both, filtered and stored
/// as the albedo's slot says.
Texture darkened(const Texture& albedo, const TextureSlot& slot, const Texture& occlusion);

/// Values of a picture, 0 to 1, row by row from the top.
struct TextureHeights {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<float> values;
};

/// The tangent-space normals, green up, of heights, by differences of neighbours. White is `scale` widths of the
/// picture above black. Beyond its edges it goes on as `wrap` says: one that is mirrored becomes twice as long there,
/// and repeats, as its slopes change their sign; one that is clamped is level from its outermost texels on.
Texture normalsOf(const std::string& name, const TextureHeights& heights, double scale,
                  const std::array<Wrap, 2>& wrap);
/// The normals of heights that are a picture's channel.
Texture normalsOf(const Texture& texture, std::size_t channel, double scale, const std::array<Wrap, 2>& wrap);

/// The heights in a channel of a PNG file with more than 8 bits and no alpha, whose steps normals would show; none of
/// other files, and of channels that it has not. Throws Error (BadInput).
std::optional<TextureHeights> deepHeights(const std::filesystem::path& file, std::size_t channel);

} // namespace aureole
