#include "bloom/psf/radial.h"

#include <algorithm>
#include <cmath>

#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

struct QuadraturePoint {
    double at; ///< in [-1, 1]
    double weight;
};

// Gauss-Legendre, four points.
constexpr std::array<QuadraturePoint, 4> kQuadrature = {{{-0.861136311594053, 0.347854845137454},
                                                         {-0.339981043584856, 0.652145154862546},
                                                         {0.339981043584856, 0.652145154862546},
                                                         {0.861136311594053, 0.347854845137454}}};

/// Integral of tail over the angle, over 2 pi, along the edge from (x, low) to (x, high).
PsfColour edgeFlux(const TailTable& tail, double x, double low, double high, int panels) {
    PsfColour flux{};
    const double half = (high - low) / (2 * panels);
    for (int panel = 0; panel < panels; ++panel) {
        const double middle = low + (2 * panel + 1) * half;
        for (const QuadraturePoint& point : kQuadrature) {
            const double y = middle + half * point.at;
            const double squared = x * x + y * y;
            const double weight = point.weight * half * x / squared / (2 * kPi);
            const PsfColour value = tail(std::sqrt(squared));
            for (std::size_t c = 0; c < 3; ++c) {
                flux.at(c) += weight * value.at(c);
            }
        }
    }
    return flux;
}

/// edgeFlux for the edges x = (i + 1/2) texels, y from j - 1/2 to j + 1/2 texels, i and j from 0.
class EdgeTable {
public:
    EdgeTable(const TailTable& tail, double pixel, std::int64_t columns, std::int64_t rows)
        : rows_(rows)
        , flux_(static_cast<std::size_t>(columns * rows)) {
        parallelFor(columns, 8, [&](std::int64_t i) {
            for (std::int64_t j = 0; j < rows; ++j) {
                // Near the centre the angle and the tail bend within an edge.
                const std::int64_t away = std::max(i, j);
                const int panels = away < 2 ? 32 : away < 16 ? 8 : away < 64 ? 2 : 1;
                const double x = (static_cast<double>(i) + 0.5) * pixel;
                const double y = static_cast<double>(j) * pixel;
                flux_[static_cast<std::size_t>(i * rows_ + j)] =
                    edgeFlux(tail, x, y - 0.5 * pixel, y + 0.5 * pixel, panels);
            }
        });
    }

    /// The flux through the edge at i + 1/2, outwards for i >= 0 and inwards for i = -1, the edge's mirror image.
    double at(std::int64_t i, std::int64_t j, std::size_t channel) const {
        return i < 0 ? -at(0, j, channel) : flux_[static_cast<std::size_t>(i * rows_ + j)].at(channel);
    }

private:
    std::int64_t rows_;
    std::vector<PsfColour> flux_;
};

} // namespace

TailTable::TailTable(const RadialTail& tail, double nearest, double farthest, std::size_t nodes)
    : logNearest_(std::log(nearest))
    , nodesPerLog_(static_cast<double>(nodes - 1) / std::log(std::max(farthest / nearest, 2.0)))
    , values_(nodes + 3) {
    parallelFor(static_cast<std::int64_t>(values_.size()), 64, [&](std::int64_t node) {
        // One node before the first and two behind the last, for the cubic.
        const double logAngle = logNearest_ + static_cast<double>(node - 1) / nodesPerLog_;
        values_[static_cast<std::size_t>(node)] = tail(std::exp(logAngle));
    });
}

PsfColour TailTable::operator()(double degrees) const {
    const double place = (std::log(degrees) - logNearest_) * nodesPerLog_;
    PsfColour result{};
    if (!(place > 0.0)) {
        const double share = std::exp(2.0 * place / nodesPerLog_); // (r / nearest)^2
        for (std::size_t c = 0; c < 3; ++c) {
            result.at(c) = 1.0 - share * (1.0 - values_[1].at(c));
        }
        return result;
    }
    const auto last = static_cast<double>(values_.size() - 4);
    const double node = std::min(std::floor(place), last);
    const double t = std::min(place - node, 1.0);
    const PsfColour* const values = &values_[static_cast<std::size_t>(node)];
    // Lagrange's cubic through the four nodes around.
    const std::array<double, 4> weights = {-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2,
                                           -(t + 1) * t * (t - 2) / 2, (t + 1) * t * (t - 1) / 6};
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            result.at(c) += weights.at(i) * values[i].at(c);
        }
    }
    return result;
}

HalfPsf radialPsf(const PsfFrame& frame, const TailTable& tail) {
    HalfPsf psf(frame);
    // Texels are square, so the edges along x are those along y with the axes swapped.
    const std::int64_t side = std::max(frame.reachX(), frame.reachY()) + 1;
    const EdgeTable edges(tail, frame.degreesPerPixel, side, side);
    parallelFor(psf.rows(), 8, [&](std::int64_t y) {
        for (std::int64_t x = 0; x <= frame.reachX(); ++x) {
            PsfColour light{};
            for (std::size_t c = 0; c < 3; ++c) {
                const double through =
                    edges.at(x, y, c) - edges.at(x - 1, y, c) + edges.at(y, x, c) - edges.at(y - 1, x, c);
                light.at(c) = std::max(0.0, (x == 0 && y == 0 ? 1.0 : 0.0) - through);
            }
            psf.at(x, y) = light;
            psf.at(-x, y) = light;
        }
    });
    return psf;
}

} // namespace aureole
