#include "session/texture_warp.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/texture_sample.h"
#include "shared/sampling/rng.h"

namespace aureole {

namespace {

/// Values at the points of a grid that repeats, smoothly mixed between them: -1 to 1 along each axis.
glm::vec2 noiseAt(const glm::vec2& place, const glm::uvec2& points, std::uint32_t seed) {
    const glm::vec2 whole = glm::floor(place);
    const glm::vec2 part = place - whole;
    const glm::vec2 weight = part * part * (3.0F - 2.0F * part);
    const auto at = [&](std::uint32_t right, std::uint32_t below) {
        const glm::uvec2 point = (glm::uvec2(whole) + glm::uvec2(right, below)) % points;
        const shared::uvec4 bits = shared::pcg4d({point.x, point.y, 3U, seed});
        return 2.0F * glm::vec2(shared::unitFloat(bits.x), shared::unitFloat(bits.y)) - 1.0F;
    };
    return glm::mix(glm::mix(at(0, 0), at(1, 0), weight.x), glm::mix(at(0, 1), at(1, 1), weight.x), weight.y);
}

/// Where the swirl takes what it shows at a place from. It fades to nothing at its radius.
glm::vec2 swirled(const ReactionWarp& warp, const glm::vec2& place, const glm::vec2& size) {
    const glm::vec2 centre = warp.centre * size;
    const glm::vec2 from = place - centre;
    const float reach = glm::length(from) / (warp.radius * std::min(size.x, size.y));
    const float fade = reach < 1.0F ? (1.0F - reach * reach) * (1.0F - reach * reach) : 0.0F;
    const float angle = glm::radians(warp.degrees) * fade; // y runs down: this turns the source clockwise
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    const glm::vec2 turned(c * from.x - s * from.y, s * from.x + c * from.y);
    return centre + turned / (1.0F + (warp.zoom - 1.0F) * fade);
}

/// R and G of the picture, as offsets from -1 to 1.
glm::vec2 pictureAt(const ReactionTexture& texture, const glm::vec2& unit) {
    constexpr float kStill = 128.0F;
    TextureSlot slot;
    slot.wrap.fill(texture.clamped ? Wrap::Clamp : Wrap::Repeat);
    const glm::vec4 colour = sampleTexture(*texture.warp->picture, slot, unit);
    return glm::max((255.0F * glm::vec2(colour) - kStill) / (255.0F - kStill), glm::vec2(-1.0F));
}

} // namespace

std::vector<glm::vec2> warpOffsets(const ReactionTexture& texture) {
    std::vector<glm::vec2> offsets;
    if (!texture.warp) {
        return offsets;
    }
    const ReactionWarp& warp = *texture.warp;
    const glm::vec2 size(texture.size);
    const glm::uvec2 points = glm::max(glm::uvec2(glm::round(size / warp.scale)), glm::uvec2(1));
    offsets.reserve(std::size_t{texture.size.x} * texture.size.y);
    for (std::uint32_t y = 0; y < texture.size.y; ++y) {
        for (std::uint32_t x = 0; x < texture.size.x; ++x) {
            const glm::vec2 place = glm::vec2(x, y) + 0.5F;
            switch (warp.kind) {
            case ReactionWarp::Kind::Noise:
                offsets.push_back(warp.amount * noiseAt(place / size * glm::vec2(points), points, warp.seed));
                break;
            case ReactionWarp::Kind::Swirl:
                offsets.push_back(swirled(warp, place, size) - place);
                break;
            case ReactionWarp::Kind::Image:
                offsets.push_back(warp.amount * pictureAt(texture, place / size));
                break;
            }
        }
    }
    return offsets;
}

} // namespace aureole
