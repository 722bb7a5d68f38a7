#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "texture/gray_scott.h"
#include "texture/gray_scott_solver.h"

namespace aureole::bench {

/// What a plane of the Gray-Scott model holds after some steps, in windows of it: at its corners, where borders count,
/// and between them. Worked out by the reference, in double, on cut-outs as much larger as the steps reach.
class TextureCheck {
public:
    /// The model has periodic borders and uniform rates.
    TextureCheck(const texture::GrayScott& model, const texture::Concentrations& start, std::uint32_t steps);

    std::uint32_t steps() const { return steps_; }
    /// Throws Error (Internal) where a state after steps() differs by more than fp32, or storage in halves, explains.
    /// `what` names it.
    void expect(const std::string& what, const texture::Concentrations& state, texture::Storage storage) const;

private:
    struct Window {
        glm::uvec2 corner;
        std::vector<glm::dvec2> cells; ///< kSide x kSide
    };

    std::uint32_t width_;
    std::uint32_t height_;
    std::uint32_t steps_;
    std::vector<Window> windows_;
};

} // namespace aureole::bench
