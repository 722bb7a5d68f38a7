#pragma once

#include <cstdint>
#include <vector>

#include "voxel/build/clip.h"
#include "voxel/build/primitives.h"
#include "voxel/surface/surface_sample.h"

namespace aureole {

/// A triangle in voxels from a block's origin, and how to get barycentric coordinates: those of its projection along
/// the axis that the normal is nearest to.
class LocalTriangle {
public:
    explicit LocalTriangle(const SnappedTriangle& snapped)
        : snapped_(snapped) {
        polygon_.count = 3;
        moveTo(glm::ivec3(0));
        edge1_ = polygon_.points[1] - polygon_.points[0];
        edge2_ = polygon_.points[2] - polygon_.points[0];
        const glm::dvec3 normal = glm::cross(edge1_, edge2_);
        const glm::dvec3 size = glm::abs(normal);
        mainAxis_ = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        axisA_ = (mainAxis_ + 1) % 3;
        axisB_ = (mainAxis_ + 2) % 3;
        twiceProjected_ = normal[mainAxis_];
        areaScale_ = size[mainAxis_] > 0.0 ? 0.5 * glm::length(normal) / size[mainAxis_] : 0.0;
        normal_ = size[mainAxis_] > 0.0 ? glm::vec3(glm::normalize(normal)) : glm::vec3(0.0F);
    }

    /// Counts from the origin of another block, by the number of its first voxel. All numbers are exact.
    void moveTo(const glm::ivec3& block) {
        for (std::size_t i = 0; i < 3; ++i) {
            polygon_.points[i] = glm::dvec3(snapped_[i] - (block << kSnapBits)) / double{kSnapUnits};
        }
    }

    const Polygon& polygon() const { return polygon_; }
    bool hasArea() const { return twiceProjected_ != 0.0; }
    const glm::vec3& normal() const { return normal_; }
    /// The axis that it is seen along, its area seen so, twice and with a sign, and what areas seen so are multiplied
    /// with.
    std::uint32_t mainAxis() const { return static_cast<std::uint32_t>(mainAxis_); }
    double twiceProjected() const { return twiceProjected_; }
    double areaScale() const { return areaScale_; }

    /// The area of a triangle in the same plane.
    double area(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) const {
        return std::abs(cross(b - a, c - a)) * areaScale_;
    }

    /// The second and third barycentric coordinate of a point, moved into the triangle.
    glm::dvec2 barycentric(const glm::dvec3& point) const {
        if (twiceProjected_ == 0.0) {
            return glm::dvec2(1.0 / 3.0);
        }
        const glm::dvec3 p = point - polygon_.points[0];
        const glm::dvec2 weights = glm::max(glm::dvec2(cross(p, edge2_), cross(edge1_, p)) / twiceProjected_, 0.0);
        const double sum = weights.x + weights.y;
        return sum > 1.0 ? weights / sum : weights;
    }

    /// The point of the triangle beside another one, along its main axis, or on its border where that misses it; the
    /// other one where the triangle has no area. Weights are rounded to floats, which is what the device has.
    glm::dvec3 pointBeside(const glm::dvec3& point) const {
        if (twiceProjected_ == 0.0) {
            return point;
        }
        const glm::dvec2 weights(glm::vec2(barycentric(point)));
        return polygon_.points[0] + weights.x * edge1_ + weights.y * edge2_;
    }

private:
    double cross(const glm::dvec3& p, const glm::dvec3& q) const {
        return p[axisA_] * q[axisB_] - p[axisB_] * q[axisA_];
    }

    SnappedTriangle snapped_;
    Polygon polygon_;
    glm::dvec3 edge1_{0.0};
    glm::dvec3 edge2_{0.0};
    int mainAxis_ = 0;
    int axisA_ = 0;
    int axisB_ = 1;
    double twiceProjected_ = 0.0;
    double areaScale_ = 0.0;
    glm::vec3 normal_{0.0F};
};

/// Samples one triangle of one mesh instance.
class TriangleSampler {
public:
    TriangleSampler(const Primitives& primitives, const TriangleId& id);

    /// Appends the samples of a block's voxels in `mask`, and, unless it is null, corners (BlockSampler).
    void sampleVoxels(const glm::ivec3& block, std::uint64_t mask, std::vector<SurfaceSample>& samples,
                      std::vector<SurfaceCorner>* corners);

private:
    void sampleVoxel(std::uint32_t bit, const Polygon& part) const;
    void sampleCentroid(std::uint32_t bit, const Polygon& part) const;
    void sampleFinely(std::uint32_t bit, const Polygon& part) const;
    void add(std::uint32_t bit, const glm::dvec3& position, double area) const;

    TriangleSurface surface_;
    LocalTriangle local_;
    bool fine_ = false; ///< one sample in a voxel would not do
    bool exactEmission_ = false;
    std::vector<SurfaceSample>* samples_ = nullptr;
    std::vector<SurfaceCorner>* corners_ = nullptr;
};

} // namespace aureole
