#pragma once

#include <assimp/matrix4x4.h>
#include <assimp/types.h>

#include "core/math.h"

namespace aureole {

inline glm::vec3 toVec3(const aiVector3D& v) {
    return {v.x, v.y, v.z};
}

inline glm::vec3 toVec3(const aiColor3D& c) {
    return {c.r, c.g, c.b};
}

/// assimp's matrices are stored by rows.
inline glm::dmat4 toMatrix(const aiMatrix4x4& m) {
    return {{m.a1, m.b1, m.c1, m.d1}, {m.a2, m.b2, m.c2, m.d2}, {m.a3, m.b3, m.c3, m.d3}, {m.a4, m.b4, m.c4, m.d4}};
}

} // namespace aureole
