#include "texture/gray_scott_sample.h"

#include "shared/bilinear.h"

namespace aureole::texture {

Concentrations sampled(const GrayScott& model, const Concentrations& state, std::uint32_t width, std::uint32_t height) {
    using namespace shared;
    const std::uint32_t border = model.border == Border::Clamped ? GRAY_SCOTT_CLAMPED : GRAY_SCOTT_PERIODIC;
    Concentrations result;
    result.reserve(std::size_t{width} * height);
    for (std::uint32_t row = 0; row < height; ++row) {
        const BilinearTaps y = bilinearTaps(bilinearPlace(row, model.height, height), model.height, border);
        const glm::vec2* const low = state.data() + std::size_t{y.low} * model.width;
        const glm::vec2* const high = state.data() + std::size_t{y.high} * model.width;
        for (std::uint32_t column = 0; column < width; ++column) {
            const BilinearTaps x = bilinearTaps(bilinearPlace(column, model.width, width), model.width, border);
            result.push_back(bilinearMix(low[x.low], low[x.high], high[x.low], high[x.high], x.weight, y.weight));
        }
    }
    return result;
}

} // namespace aureole::texture
