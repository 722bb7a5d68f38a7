#include "bench/texture_check.h"

#include <cmath>

#include "core/error.h"
#include "texture/gray_scott_reference.h"

namespace aureole::bench {

namespace {

constexpr std::uint32_t kSide = 48;

} // namespace

TextureCheck::TextureCheck(const texture::GrayScott& model, const texture::Concentrations& start, std::uint32_t steps)
    : width_(model.width)
    , height_(model.height)
    , steps_(steps) {
    const glm::uvec2 last(width_ - 1, height_ - 1);
    // Windows reach over the far edges to the near ones.
    for (const glm::uvec2 corner :
         {glm::uvec2(0), last - glm::min(last, glm::uvec2(kSide / 2)), last / 2U, glm::uvec2(last.x / 3, last.y)}) {
        texture::GrayScott part = model;
        part.width = part.height = kSide + 2 * steps;
        texture::Concentrations cells;
        for (std::uint32_t y = 0; y < part.height; ++y) {
            for (std::uint32_t x = 0; x < part.width; ++x) {
                const std::size_t row = (std::size_t{corner.y} + y + std::size_t{height_} * steps - steps) % height_;
                const std::size_t column = (std::size_t{corner.x} + x + std::size_t{width_} * steps - steps) % width_;
                cells.push_back(start[row * width_ + column]);
            }
        }
        texture::GrayScottReference reference(part, cells);
        reference.run(steps);
        const std::vector<glm::dvec2> after = reference.state();
        Window window{corner, {}};
        for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
            window.cells.push_back(after[std::size_t{i / kSide + steps} * part.width + i % kSide + steps]);
        }
        windows_.push_back(std::move(window));
    }
}

void TextureCheck::expect(const std::string& what, const texture::Concentrations& state,
                          texture::Storage storage) const {
    const double tolerance = storage == texture::Storage::Half ? 2e-3 : 2e-6;
    for (const Window& window : windows_) {
        for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
            const glm::uvec2 place((window.corner.x + i % kSide) % width_, (window.corner.y + i / kSide) % height_);
            const glm::dvec2 found(state[std::size_t{place.y} * width_ + place.x]);
            // Written so that NaN fails.
            if (!(glm::length(found - window.cells[i]) <= tolerance)) {
                fail(ExitCode::Internal,
                     "bench texture: {}: after {} steps the cell ({}, {}) holds {} and {}, expected {} and {}", what,
                     steps_, place.x, place.y, found.x, found.y, window.cells[i].x, window.cells[i].y);
            }
        }
    }
}

} // namespace aureole::bench
