#include "bloom/psf/frame.h"

#include <cmath>
#include <cstdlib>

#include "core/error.h"
#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

constexpr std::uint32_t kMostTexels = 16384;

} // namespace

void PsfFrame::check() const {
    if (width == 0 || height == 0 || width > kMostTexels || height > kMostTexels) {
        fail(ExitCode::BadInput, "bloom kernel: its size is {}x{}; expected 1x1 to {}x{}", width, height, kMostTexels,
             kMostTexels);
    }
    if (!(degreesPerPixel > 0) || !(degreesPerPixel < 180)) {
        fail(ExitCode::BadInput, "bloom kernel: {} degrees a pixel; expected more than 0 and less than 180",
             degreesPerPixel);
    }
}

double PsfFrame::radius() const {
    return std::hypot(static_cast<double>(reachX()) + 0.5, static_cast<double>(reachY()) + 0.5) * degreesPerPixel;
}

double PsfFrame::fade(std::int64_t x, std::int64_t y) const {
    const double reach = std::hypot(2.0 * static_cast<double>(x) / width, 2.0 * static_cast<double>(y) / height);
    return reach <= 0.5 ? 1.0 : reach >= 1.0 ? 0.0 : 0.5 + 0.5 * std::cos(2.0 * kPi * (reach - 0.5));
}

HalfPsf::HalfPsf(const PsfFrame& frame)
    : frame_(frame) {
    frame.check();
    texels_.resize(static_cast<std::size_t>(rows() * (2 * frame.reachX() + 1)));
}

PsfColour HalfPsf::lightAt(std::int64_t x, std::int64_t y) const {
    return std::abs(x) <= frame_.reachX() && y <= frame_.reachY() ? at(x, y) : PsfColour{};
}

PsfColour HalfPsf::sums(bool faded) const {
    // Of an even size, the last column and row have no partner on the other side of the centre.
    const std::int64_t lastX = frame_.reachX() - (frame_.width % 2 == 0 ? 1 : 0);
    const std::int64_t lastY = frame_.reachY() - (frame_.height % 2 == 0 ? 1 : 0);
    std::vector<PsfColour> ofRows(static_cast<std::size_t>(rows()), PsfColour{});
    parallelFor(rows(), 16, [&](std::int64_t y) {
        for (std::int64_t x = -frame_.reachX(); x <= frame_.reachX(); ++x) {
            const double copies = (x <= lastX && y <= lastY ? 1.0 : 0.0) + (y > 0 && -x <= lastX ? 1.0 : 0.0);
            const double weight = copies * (faded ? frame_.fade(x, y) : 1.0);
            for (std::size_t c = 0; c < 3; ++c) {
                ofRows[static_cast<std::size_t>(y)].at(c) += weight * at(x, y).at(c);
            }
        }
    });
    PsfColour sums{};
    for (const PsfColour& row : ofRows) {
        for (std::size_t c = 0; c < 3; ++c) {
            sums.at(c) += row.at(c);
        }
    }
    return sums;
}

BloomKernel HalfPsf::toKernel(const HalfPsf* core) const {
    const PsfColour sums = this->sums(true);
    const PsfColour coreSums = core != nullptr ? core->sums() : PsfColour{1.0, 1.0, 1.0};
    BloomKernel kernel{frame_.width, frame_.height, {}};
    PsfColour scale{1.0, 1.0, 1.0};
    PsfColour returned{};
    for (std::size_t c = 0; c < 3; ++c) {
        kernel.planes.at(c).resize(std::size_t{frame_.width} * frame_.height);
        if (core != nullptr) {
            returned.at(c) = (1.0 - sums.at(c)) / coreSums.at(c);
        } else {
            scale.at(c) = 1.0 / sums.at(c);
        }
    }
    parallelFor(frame_.height, 16, [&](std::int64_t row) {
        for (std::int64_t column = 0; column < frame_.width; ++column) {
            const std::int64_t y = row - frame_.reachY();
            const std::int64_t x = y < 0 ? frame_.reachX() - column : column - frame_.reachX();
            const double fade = frame_.fade(x, y);
            const PsfColour& light = at(x, std::abs(y));
            const PsfColour sharp = core != nullptr ? core->lightAt(x, std::abs(y)) : PsfColour{};
            for (std::size_t c = 0; c < 3; ++c) {
                kernel.planes.at(c)[static_cast<std::size_t>(row * frame_.width + column)] =
                    static_cast<float>(scale.at(c) * fade * light.at(c) + returned.at(c) * sharp.at(c));
            }
        }
    });
    return kernel;
}

} // namespace aureole
