#include "voxel/surface/triangle_sampler.h"

#include <array>

namespace aureole {

TriangleSampler::TriangleSampler(const Primitives& primitives, const TriangleId& id)
    : surface_(primitives.scene(), primitives.scene().meshInstances[id.instance], id.triangle)
    , local_(primitives.snapped(id)) {
    const Scene& scene = primitives.scene();
    const Material& material = materialOf(scene, scene.meshInstances[id.instance]);
    fine_ = material.alphaMode != AlphaMode::Opaque || material.pattern.has_value();
    const bool coloursEmit = material.unlit && !scene.meshes[scene.meshInstances[id.instance].mesh].colours.empty();
    exactEmission_ = !material.emissionTexture.used() && !coloursEmit;
}

void TriangleSampler::sampleVoxels(const glm::ivec3& block, std::uint64_t mask, std::vector<SurfaceSample>& samples,
                                   std::vector<SurfaceCorner>* corners) {
    local_.moveTo(block);
    samples_ = &samples;
    corners_ = corners;
    forEachClipped(local_.polygon(), mask, [&](std::uint32_t bit, const Polygon& part) { sampleVoxel(bit, part); });
}

void TriangleSampler::sampleVoxel(std::uint32_t bit, const Polygon& part) const {
    if (corners_ != nullptr) {
        const Polygon& known = part.count > 0 ? part : local_.polygon();
        for (std::size_t i = 0; i < known.count; ++i) {
            corners_->push_back({bit, known.points[i], local_.normal()});
        }
    }
    if (part.count == 0) {
        add(bit, local_.pointBeside(glm::dvec3(shared::bitCell(bit)) + 0.5), 0.0);
    } else if (fine_) {
        sampleFinely(bit, part);
    } else {
        sampleCentroid(bit, part);
    }
}

void TriangleSampler::sampleCentroid(std::uint32_t bit, const Polygon& part) const {
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
void TriangleSampler::sampleFinely(std::uint32_t bit, const Polygon& part) const {
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

void TriangleSampler::add(std::uint32_t bit, const glm::dvec3& position, double area) const {
    const glm::vec2 uv(local_.barycentric(position));
    SurfaceSample& sample = samples_->emplace_back();
    surface_.at(uv.x, uv.y, sample.point);
    if (sample.point.opaque == 0) {
        samples_->pop_back();
        return;
    }
    const glm::vec3& normal = local_.normal();
    sample.bit = bit;
    sample.exactEmission = exactEmission_ ? 1 : 0;
    sample.hasArea = local_.hasArea() ? 1 : 0;
    sample.weight = area + SURFACE_GRAZE_WEIGHT;
    sample.position = glm::vec3(position);
    sample.plane = glm::dot(normal, sample.point.geometricNormal) < 0.0F ? -normal : normal;
}

} // namespace aureole
