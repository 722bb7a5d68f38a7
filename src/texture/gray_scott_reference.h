#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "texture/gray_scott.h"

namespace aureole::texture {

/// The model on the CPU, in double and as the equations stand in textbooks: what the device is held against, and what
/// runs where there is none.
class GrayScottReference {
public:
    /// Throws Error (BadInput) as checkModel and checkState do.
    GrayScottReference(GrayScott model, const Concentrations& start);

    void run(std::uint32_t steps);

    /// For each cell 1 - u and v, where u and v are its concentrations.
    std::vector<glm::dvec2> state() const;
    Concentrations rounded() const;

private:
    void step();
    void warp();

    GrayScott model_;
    std::uint64_t done_ = 0;        ///< steps
    std::vector<glm::dvec2> cells_; ///< u and v
    std::vector<glm::dvec2> next_;
};

} // namespace aureole::texture
