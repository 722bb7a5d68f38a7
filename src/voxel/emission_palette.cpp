#include "voxel/emission_palette.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.h"
#include "shared/attributes.h"

namespace aureole {

glm::vec3 quantiseEmission(const glm::vec3& emission) {
    constexpr int kMantissaBits = 9;
    const glm::vec3 positive = glm::max(emission, glm::vec3(0.0F));
    const float largest = std::max({positive.x, positive.y, positive.z});
    if (!(largest > 0.0F)) {
        return glm::vec3(0.0F);
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    glm::vec3 rounded;
    for (int i = 0; i < 3; ++i) {
        const float steps = std::floor(std::ldexp(positive[i], kMantissaBits - exponent) + 0.5F);
        rounded[i] = std::ldexp(steps, exponent - kMantissaBits);
    }
    return rounded;
}

std::size_t EmissionPalette::Hash::operator()(const glm::vec3& value) const {
    std::uint64_t hash = 0;
    for (int i = 0; i < 3; ++i) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(value[i])) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32U;
    }
    return hash;
}

std::uint32_t EmissionPalette::indexOf(const glm::vec3& emission) {
    const glm::vec3 key = emission + 0.0F; // -0 and 0 are equal and must hash alike
    if (key == entries_[0]) {
        return 0;
    }
    const auto [found, isNew] = indices_.try_emplace(key, static_cast<std::uint32_t>(entries_.size()));
    if (isNew) {
        if (entries_.size() >= ATTRIBUTE_MAX_EMISSIONS) {
            fail(ExitCode::BadInput, "the scene's voxels have more than {} different emissions; lower the resolution",
                 ATTRIBUTE_MAX_EMISSIONS - 1);
        }
        entries_.push_back(key);
    }
    return found->second;
}

} // namespace aureole
