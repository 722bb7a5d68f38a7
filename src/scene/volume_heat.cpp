#include "scene/volume_heat.h"

#include <utility>

#include "image/colour/black_body.h"

namespace aureole {

VolumeHeat makeVolumeHeat(DensityTree temperatures, double scale, double offset) {
    VolumeHeat heat;
    const double most = scale * double{temperatures.most()};
    heat.tree = std::move(temperatures);
    heat.colours.reserve(VOLUME_COLOURS);
    for (std::uint32_t i = 0; i < VOLUME_COLOURS; ++i) {
        const double share = i / (VOLUME_COLOURS - 1.0);
        heat.colours.emplace_back(blackBodyRec709(most * share + offset));
    }
    return heat;
}

} // namespace aureole
