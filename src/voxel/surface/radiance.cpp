#include "voxel/surface/radiance.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace aureole {

glm::vec3 quantiseEmission(const glm::vec3& emission) {
    const glm::vec3 positive = glm::max(emission, glm::vec3(0.0F));
    const float largest = std::max({positive.x, positive.y, positive.z});
    if (!(largest > 0.0F)) {
        return glm::vec3(0.0F);
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    glm::vec3 rounded;
    for (int i = 0; i < 3; ++i) {
        const float steps = std::floor(std::ldexp(positive[i], kRadianceBits - exponent) + 0.5F);
        rounded[i] = std::ldexp(steps, exponent - kRadianceBits) + 0.0F;
    }
    return rounded;
}

std::size_t RadianceHash::operator()(const glm::vec3& value) const {
    std::uint64_t hash = 0;
    for (int i = 0; i < 3; ++i) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(value[i])) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32U;
    }
    return hash;
}

} // namespace aureole
