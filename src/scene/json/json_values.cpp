// Values that several sections of a scene have.

#include <cmath>

#include <fmt/format.h>

#include "scene/json/scene_draft.h"

namespace aureole {

bool readCountOrZero(const ValueReader& value, std::uint32_t& out, std::uint32_t least, std::uint32_t most) {
    const double found = value.json().is_number() ? value.json().get<double>() : -1.0;
    const bool inRange = found == 0.0 || (found >= least && found <= most);
    if (!inRange || found != std::floor(found)) {
        value.expected(fmt::format("0 or a whole number from {} to {}", least, most));
        return false;
    }
    out = static_cast<std::uint32_t>(found);
    return true;
}

bool readDirection(const ValueReader& value, glm::dvec3& direction) {
    glm::dvec3 read;
    if (!value.read(read)) {
        return false;
    }
    if (glm::length(read) < 1e-12) {
        value.log().add(value.pointer(), fmt::format("found [{}, {}, {}], which points nowhere, expected a vector of a "
                                                     "length above 0",
                                                     read.x, read.y, read.z));
        return false;
    }
    direction = glm::normalize(read);
    return true;
}

} // namespace aureole
