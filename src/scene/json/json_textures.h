#pragma once

// Textures of materials. Pictures are decoded together once all materials have been read, and only then are others made
// of them.

#include <string_view>

#include "scene/json/scene_draft.h"

namespace aureole {

/// Metres. A checker of smaller cubes would have more of them than there are numbers within the world's bounds.
inline constexpr Range kPatternSize{1e-6, kMaximumNumber};

/// The texture at a key, if there is one: from a file, or one that grows. Where it is not `srgb` by default, it has
/// roughness and metalness.
void readTexture(ObjectReader& in, std::string_view key, bool srgb, SceneDraft& draft, TextureSlot& slot);

/// A normal map, or a height, which becomes one.
void readNormals(ObjectReader& in, SceneDraft& draft, Material& material);

/// A baked occlusion, which darkens the albedo. To be called after that was read.
void readOcclusion(ObjectReader& in, SceneDraft& draft, Material& material);

/// Decodes the pictures that materials name, some at once; what is wrong with them is noted in their order.
void decodeTextures(SceneDraft& draft);

/// Makes the pictures that are made of others, where all of these could be read.
void makeTextures(SceneDraft& draft);

} // namespace aureole
