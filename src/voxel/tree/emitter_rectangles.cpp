#include "voxel/tree/emitter_rectangles.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/parallel.h"
#include "integrator/path_setup.h"
#include "shared/surface/voxel_state.h"

namespace aureole {

namespace {

/// The faces of one plane, sorted by place: v << 48 | u << 32 | palette entry.
using PlaneFace = std::uint64_t;

std::uint32_t placeOf(PlaneFace face) {
    return static_cast<std::uint32_t>(face >> 32U);
}

std::uint32_t entryOf(PlaneFace face) {
    return static_cast<std::uint32_t>(face);
}

/// What one row of voxels along u has of a rectangle.
struct Piece {
    std::uint32_t place = 0; ///< v << 16 | first u
    std::uint32_t length = 0;
    std::uint32_t entry = 0;
    std::uint32_t rectangle = 0; ///< within the plane
};

struct Plane {
    std::vector<Piece> pieces;
    std::vector<glm::uvec4> rectangles; ///< u, v, voxels along u, voxels along v
};

std::vector<Piece> piecesOf(std::span<const PlaneFace> faces) {
    std::vector<Piece> pieces;
    for (const PlaneFace face : faces) {
        const std::uint32_t place = placeOf(face);
        // A row that ends at the last u is not followed by that place: 4^7 coordinates are fewer than 2^16.
        if (!pieces.empty() && pieces.back().entry == entryOf(face) &&
            pieces.back().place + pieces.back().length == place) {
            ++pieces.back().length;
        } else {
            pieces.push_back({place, 1, entryOf(face), 0});
        }
    }
    return pieces;
}

/// Joins pieces of neighbouring rows that are alike.
Plane mergePlane(std::span<const PlaneFace> faces) {
    Plane plane;
    plane.pieces = piecesOf(faces);
    std::size_t below = 0; // a piece of the row before, not behind the one that is looked at
    for (Piece& piece : plane.pieces) {
        while (plane.pieces[below].place + 0x10000U < piece.place) {
            ++below;
        }
        const Piece& other = plane.pieces[below];
        if (other.place + 0x10000U == piece.place && other.length == piece.length && other.entry == piece.entry) {
            piece.rectangle = other.rectangle;
            ++plane.rectangles[piece.rectangle].w;
        } else {
            piece.rectangle = static_cast<std::uint32_t>(plane.rectangles.size());
            plane.rectangles.emplace_back(piece.place & 0xFFFFU, piece.place >> 16U, piece.length, 1);
        }
    }
    return plane;
}

/// The faces, plane by plane, and in `begins` where each plane's begin.
std::vector<PlaneFace> sortByPlane(const std::vector<EmissiveFace>& faces, std::uint32_t levels,
                                   std::vector<std::size_t>& begins) {
    const auto planeOf = [&](const EmissiveFace& face) {
        return std::size_t{(face.face << (2 * levels)) | shared::acrossFace(face.voxel, face.face)};
    };
    begins.assign((std::size_t{6} << (2 * levels)) + 1, 0);
    for (const EmissiveFace& face : faces) {
        ++begins[planeOf(face) + 1];
    }
    for (std::size_t i = 1; i < begins.size(); ++i) {
        begins[i] += begins[i - 1];
    }
    std::vector<std::size_t> next(begins);
    std::vector<PlaneFace> sorted(faces.size());
    for (const EmissiveFace& face : faces) {
        const glm::uvec2 place = shared::alongFace(face.voxel, face.face);
        sorted[next[planeOf(face)]++] = (std::uint64_t{place.y} << 48U) | (std::uint64_t{place.x} << 32U) | face.entry;
    }
    return sorted;
}

shared::EmitterRectangle packRectangle(std::uint32_t face, std::uint32_t coordinate, const glm::uvec4& place,
                                       std::uint32_t entry) {
    const std::uint32_t axis = face >> 1U;
    const glm::uvec3 voxel = axis == 0   ? glm::uvec3(coordinate, place.x, place.y)
                             : axis == 1 ? glm::uvec3(place.x, coordinate, place.y)
                                         : glm::uvec3(place.x, place.y, coordinate);
    return {voxel.x | (voxel.y << 16U), voxel.z | (face << 16U), place.z | (place.w << 16U), entry};
}

/// The tables of the sides, whose rectangles all are there.
void addSides(const Octree& octree, EmitterArrays& arrays) {
    const float voxelSize = std::ldexp(1.0F, -2 * static_cast<int>(octree.levels));
    for (std::uint32_t i = 0; i < arrays.rectangles.size(); ++i) {
        shared::EmitterSide& side = arrays.sides[shared::rectangleFace(arrays.rectangles[i])];
        side.first = side.count == 0 ? i : side.first;
        ++side.count;
    }
    for (std::uint32_t face = 0; face < 6; ++face) {
        shared::EmitterSide& side = arrays.sides[face];
        if (side.count == 0) {
            continue;
        }
        std::vector<double> weights;
        weights.reserve(side.count);
        double power = 0.0;
        for (std::uint32_t i = side.first; i < side.first + side.count; ++i) {
            const shared::EmitterRectangle& rectangle = arrays.rectangles[i];
            const glm::uvec2 extent = shared::rectangleExtent(rectangle);
            weights.push_back(double{shared::emissionLuminance(octree.palette[rectangle.entry].emission)} * extent.x *
                              extent.y);
            power += weights.back();
        }
        const std::vector<shared::AliasSlot> choice = makeAliasTable(weights);
        arrays.choice.insert(arrays.choice.end(), choice.begin(), choice.end());
        // Rectangles are in the order of their planes.
        const bool plus = (face & 1U) != 0;
        const shared::EmitterRectangle& last = arrays.rectangles[plus ? side.first : side.first + side.count - 1];
        const std::uint32_t plane = shared::acrossFace(shared::rectangleVoxel(last), face) + (plus ? 1U : 0U);
        side.farthest = 1.0F + static_cast<float>(plane) * voxelSize;
        side.power = static_cast<float>(power);
        arrays.power += power;
    }
}

} // namespace

EmitterArrays makeEmitterRectangles(const Octree& octree, const std::vector<EmissiveFace>& faces) {
    std::vector<std::size_t> begins;
    std::vector<PlaneFace> sorted = sortByPlane(faces, octree.levels, begins);
    std::vector<Plane> planes(begins.size() - 1);
    parallelFor(static_cast<std::int64_t>(planes.size()), 16, [&](std::int64_t i) {
        const auto plane = static_cast<std::size_t>(i);
        const std::span<PlaneFace> own = std::span(sorted).subspan(begins[plane], begins[plane + 1] - begins[plane]);
        std::sort(own.begin(), own.end());
        planes[plane] = mergePlane(own);
    });
    EmitterArrays arrays;
    arrays.planes.reserve(begins.size());
    for (std::uint32_t i = 0; i < planes.size(); ++i) {
        arrays.planes.push_back(static_cast<std::uint32_t>(arrays.rows.size()));
        const auto first = static_cast<std::uint32_t>(arrays.rectangles.size());
        const std::uint32_t coordinate = i & ((1U << (2 * octree.levels)) - 1U);
        for (const Piece& piece : planes[i].pieces) {
            arrays.rows.emplace_back(piece.place, first + piece.rectangle);
            if (first + piece.rectangle == arrays.rectangles.size()) {
                arrays.rectangles.push_back(packRectangle(i >> (2 * octree.levels), coordinate,
                                                          planes[i].rectangles[piece.rectangle], piece.entry));
            }
        }
    }
    arrays.planes.push_back(static_cast<std::uint32_t>(arrays.rows.size()));
    addSides(octree, arrays);
    return arrays;
}

} // namespace aureole
