#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"

namespace aureole::obj {

/// A texture statement of an MTL file.
struct MtlMap {
    std::string path; ///< as written, but with slashes for backslashes
    int line = 0;
    glm::vec2 scale{1.0F};  ///< -s
    glm::vec2 offset{0.0F}; ///< -o
    bool clamp = false;     ///< -clamp on
    float bump = 1.0F;      ///< -bm
};

/// One material as the file has it; what is not said is empty. Statements that this renderer has no use for are left
/// out (Ka, sharpness...).
struct MtlMaterial {
    std::string name;
    std::optional<glm::vec3> diffuse;   ///< Kd
    std::optional<glm::vec3> specular;  ///< Ks
    std::optional<glm::vec3> emission;  ///< Ke
    std::optional<float> shininess;     ///< Ns
    std::optional<float> opacity;       ///< d, or 1 - Tr
    std::optional<float> roughness;     ///< Pr
    std::optional<float> metalness;     ///< Pm
    std::optional<float> ior;           ///< Ni
    std::optional<glm::vec3> filter;    ///< Tf: what glass lets through
    std::optional<float> illumination;  ///< illum: the number of a model
    std::optional<MtlMap> diffuseMap;   ///< map_Kd
    std::optional<MtlMap> emissionMap;  ///< map_Ke
    std::optional<MtlMap> opacityMap;   ///< map_d
    std::optional<MtlMap> roughnessMap; ///< map_Pr
    std::optional<MtlMap> metalnessMap; ///< map_Pm
    std::optional<MtlMap> normalMap;    ///< norm
    std::optional<MtlMap> bumpMap;      ///< bump, map_Bump: heights, or a normal map by a common misuse
};

/// Reads an MTL file: the keys of the 1995 format and of its physically based extension, in any case, with trailing
/// comments, backslashes and spaces in file names. Throws Error (BadInput) naming file and line for numbers that are
/// none and for statements before the first newmtl.
std::vector<MtlMaterial> parseMtl(std::string_view text, const std::string& name);

} // namespace aureole::obj
