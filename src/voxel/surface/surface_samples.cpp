#include "voxel/surface/surface_samples.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "voxel/build/clip.h"

namespace aureole {

namespace {

/// Every sample weighs a little more than its area: a triangle that only grazes a voxel, or has no area, still counts
/// where nothing else does.
constexpr double kGrazeWeight = 1e-9;

/// A triangle in voxels from a block's origin, and how to get barycentric coordinates: those of its projection along
/// the axis that the normal is nearest to.
class LocalTriangle {
public:
    LocalTriangle(const SnappedTriangle& snapped, const glm::ivec3& block) {
        for (std::size_t i = 0; i < 3; ++i) {
            polygon_.points[i] = glm::dvec3(snapped[i] - (block << kSnapBits)) / double{kSnapUnits};
        }
        polygon_.count = 3;
        edge1_ = polygon_.points[1] - polygon_.points[0];
        edge2_ = polygon_.points[2] - polygon_.points[0];
        const glm::dvec3 normal = glm::cross(edge1_, edge2_);
        const glm::dvec3 size = glm::abs(normal);
        const int main = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
        axisA_ = (main + 1) % 3;
        axisB_ = (main + 2) % 3;
        twiceProjected_ = normal[main];
        areaScale_ = size[main] > 0.0 ? 0.5 * glm::length(normal) / size[main] : 0.0;
        normal_ = size[main] > 0.0 ? glm::vec3(glm::normalize(normal)) : glm::vec3(0.0F);
    }

    const Polygon& polygon() const { return polygon_; }
    bool hasArea() const { return twiceProjected_ != 0.0; }
    const glm::vec3& normal() const { return normal_; }

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

private:
    double cross(const glm::dvec3& p, const glm::dvec3& q) const {
        return p[axisA_] * q[axisB_] - p[axisB_] * q[axisA_];
    }

    Polygon polygon_;
    glm::dvec3 edge1_{0.0};
    glm::dvec3 edge2_{0.0};
    int axisA_ = 0;
    int axisB_ = 1;
    double twiceProjected_ = 0.0;
    double areaScale_ = 0.0;
    glm::vec3 normal_{0.0F};
};

/// Samples one triangle of one mesh instance.
class TriangleSampler {
public:
    TriangleSampler(const Primitives& primitives, const TriangleId& id, const glm::ivec3& block,
                    std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners)
        : surface_(primitives.scene(), primitives.scene().meshInstances[id.instance], id.triangle)
        , local_(primitives.snapped(id), block)
        , samples_(samples)
        , corners_(corners) {
        const Scene& scene = primitives.scene();
        const Material& material = materialOf(scene, scene.meshInstances[id.instance]);
        fine_ = material.alphaMode != AlphaMode::Opaque || material.pattern.has_value();
        exactEmission_ = !material.emissionTexture.used();
    }

    void sampleVoxels(std::uint64_t mask) const {
        forEachClipped(local_.polygon(), mask, [&](std::uint32_t bit, const Polygon& part) { sampleVoxel(bit, part); });
    }

private:
    void sampleVoxel(std::uint32_t bit, const Polygon& part) const {
        if (corners_ != nullptr) {
            const Polygon& known = part.count > 0 ? part : local_.polygon();
            for (std::size_t i = 0; i < known.count; ++i) {
                corners_->push_back({bit, known.points[i], local_.normal()});
            }
        }
        if (part.count == 0) {
            add(bit, glm::dvec3(shared::bitCell(bit)) + 0.5, 0.0);
        } else if (fine_) {
            sampleFinely(bit, part);
        } else {
            sampleCentroid(bit, part);
        }
    }

    void sampleCentroid(std::uint32_t bit, const Polygon& part) const {
        double area = 0.0;
        glm::dvec3 moment(0.0);
        const glm::dvec3& a = part.points[0];
        for (std::size_t i = 2; i < part.count; ++i) {
            const glm::dvec3& b = part.points[i - 1];
            const glm::dvec3& c = part.points[i];
            const double piece = local_.area(a, b, c);
            area += piece;
            moment += piece * (b - a + c - a);
        }
        add(bit, area > 0.0 ? a + moment / (3.0 * area) : a, area);
    }

    /// Four samples for each triangle of the part's fan, one for each quarter of its area.
    void sampleFinely(std::uint32_t bit, const Polygon& part) const {
        if (part.count < 3) {
            add(bit, part.points[0], 0.0);
        }
        for (std::size_t i = 2; i < part.count; ++i) {
            const std::array<glm::dvec3, 3> corners = {part.points[0], part.points[i - 1], part.points[i]};
            const double area = local_.area(corners[0], corners[1], corners[2]) / 4.0;
            const glm::dvec3 middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            add(bit, middle, area);
            for (const glm::dvec3& corner : corners) {
                add(bit, 0.5 * (middle + corner), area);
            }
        }
    }

    void add(std::uint32_t bit, const glm::dvec3& position, double area) const {
        const glm::vec2 uv(local_.barycentric(position));
        const SurfacePoint point = surface_.at(uv.x, uv.y);
        if (point.opaque) {
            const glm::vec3& normal = local_.normal();
            samples_.push_back({bit, exactEmission_, local_.hasArea(), area + kGrazeWeight, point, glm::vec3(position),
                                glm::dot(normal, point.geometricNormal) < 0.0F ? -normal : normal});
        }
    }

    TriangleSurface surface_;
    LocalTriangle local_;
    std::vector<SurfaceSample>& samples_;
    std::vector<SurfaceCorner>* corners_;
    bool fine_ = false; ///< one sample in a voxel would not do
    bool exactEmission_ = false;
};

void appendCellSamples(const Primitives& primitives, const CellId& id, const glm::ivec3& block, std::uint64_t mask,
                       std::vector<SurfaceSample>& samples) {
    const Scene& scene = primitives.scene();
    const VoxelModel& model = scene.voxelModels[scene.voxelInstances[id.instance].model];
    const glm::uvec3 cell = id.cell->cell;
    const std::uint8_t index = model.cells[cell.x + model.size.x * (cell.y + std::size_t{model.size.y} * cell.z)];
    const Material& material = scene.materials[model.materials[index]];
    // The row vectors of the inverse: normals are covectors.
    const glm::dmat3 normals = glm::transpose(glm::dmat3(primitives.transform(id).modelFromGrid));
    SurfacePoint point;
    point.albedo = material.albedo;
    point.roughness = material.roughness;
    point.metalness = material.metalness;
    point.emission = material.emission;
    point.material = model.materials[index];
    if (id.cell->faces == 0) { // the inside of glass
        point.normal = point.geometricNormal = glm::vec3(0.0F, 1.0F, 0.0F);
        for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
            samples.push_back(
                {bit, true, false, kGrazeWeight, point, glm::vec3(shared::bitCell(bit)) + 0.5F, point.normal});
        }
    }
    for (std::uint32_t faces = id.cell->faces; faces != 0; faces &= faces - 1) {
        const auto face = static_cast<std::uint32_t>(std::countr_zero(faces));
        const glm::dvec3 direction = glm::normalize(normals[static_cast<int>(face >> 1U)]);
        point.normal = glm::vec3((face & 1U) != 0 ? direction : -direction);
        point.geometricNormal = point.normal;
        const glm::vec3 middle = 0.5F + 0.5F * point.normal;
        for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
            const glm::vec3 position = glm::vec3(shared::bitCell(bit)) + middle;
            if (material.pattern) {
                const VoxelGrid& grid = primitives.grid();
                const glm::dvec3 world = grid.origin + (glm::dvec3(block) + glm::dvec3(position)) * grid.voxelSize;
                point.albedo = patternColour(*material.pattern, world, glm::dvec3(point.normal));
            }
            samples.push_back({bit, true, true, 1.0, point, position, point.normal});
        }
    }
}

} // namespace

void appendSamples(const Primitives& primitives, const Fragment& fragment, const glm::ivec3& block,
                   std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners) {
    if (primitives.isTriangle(fragment.primitive)) {
        const TriangleId id = primitives.triangle(fragment.primitive);
        TriangleSampler(primitives, id, block, samples, corners).sampleVoxels(fragment.mask);
    } else {
        appendCellSamples(primitives, primitives.cell(fragment.primitive), block, fragment.mask, samples);
    }
}

void appendBlockSamples(const Primitives& primitives, std::span<const Fragment> fragments, const glm::ivec3& block,
                        std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners) {
    bool hasGlass = false;
    for (const Fragment& fragment : fragments) {
        if (primitives.isGlass(fragment.primitive)) {
            hasGlass = true;
        } else {
            appendSamples(primitives, fragment, block, samples, corners);
        }
    }
    if (!hasGlass) {
        return;
    }
    std::uint64_t opaque = 0;
    for (const SurfaceSample& sample : samples) {
        opaque |= std::uint64_t{1} << sample.bit;
    }
    for (Fragment fragment : fragments) {
        fragment.mask &= ~opaque;
        if (fragment.mask != 0 && primitives.isGlass(fragment.primitive)) {
            appendSamples(primitives, fragment, block, samples, corners);
        }
    }
}

} // namespace aureole
