#include "voxel/surface/block_sampler.h"

#include "core/set_bits.h"

namespace aureole {

namespace {

SurfaceSample cellSample(std::uint32_t bit, const SurfacePoint& point, const glm::vec3& position) {
    SurfaceSample sample;
    sample.weight = 1.0;
    sample.bit = bit;
    sample.exactEmission = 1;
    sample.point = point;
    sample.position = position;
    sample.plane = point.normal;
    return sample;
}

void appendCellSamples(const Primitives& primitives, const CellId& id, const glm::ivec3& block, std::uint64_t mask,
                       std::vector<SurfaceSample>& samples) {
    const Scene& scene = primitives.scene();
    const VoxelModel& model = scene.voxelModels[scene.voxelInstances[id.instance].model];
    const glm::uvec3 cell = id.cell->cell;
    const std::uint8_t index = model.cells[cell.x + model.size.x * (cell.y + std::size_t{model.size.y} * cell.z)];
    const Material& material = scene.materials[model.materials[index]];
    // The row vectors of the inverse: normals are covectors.
    const glm::dmat3 normals = glm::transpose(glm::dmat3(primitives.transform(id.instance).modelFromGrid));
    SurfacePoint point;
    point.albedo = material.albedo;
    point.roughness = material.roughness;
    point.metalness = material.metalness;
    point.emission = material.emission;
    point.material = model.materials[index];
    if (id.cell->faces == 0) { // the inside of glass
        point.normal = point.geometricNormal = glm::vec3(0.0F, 1.0F, 0.0F);
        for (const std::uint32_t bit : setBits(mask)) {
            samples.push_back(cellSample(bit, point, glm::vec3(shared::bitCell(bit)) + 0.5F));
            samples.back().hasArea = 0;
            samples.back().weight = SURFACE_GRAZE_WEIGHT;
        }
    }
    for (const std::uint32_t face : setBits(id.cell->faces)) {
        const glm::dvec3 direction = glm::normalize(normals[static_cast<int>(face >> 1U)]);
        point.normal = glm::vec3((face & 1U) != 0 ? direction : -direction);
        point.geometricNormal = point.normal;
        const glm::vec3 middle = 0.5F + 0.5F * point.normal;
        for (const std::uint32_t bit : setBits(mask)) {
            const glm::vec3 position = glm::vec3(shared::bitCell(bit)) + middle;
            if (material.pattern) {
                const VoxelGrid& grid = primitives.grid();
                const glm::dvec3 world = grid.origin + (glm::dvec3(block) + glm::dvec3(position)) * grid.voxelSize;
                point.albedo = patternColour(*material.pattern, world, glm::dvec3(point.normal));
            }
            samples.push_back(cellSample(bit, point, position));
        }
    }
}

} // namespace

BlockSampler::BlockSampler(const Primitives& primitives)
    : primitives_(primitives)
    , triangles_(kPreparedTriangles)
    , levelSets_(primitives) {}

BlockSampler::~BlockSampler() = default;

void BlockSampler::appendFragment(const Fragment& fragment, const glm::ivec3& block,
                                  std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners) {
    if (!primitives_.isTriangle(fragment.primitive) &&
        primitives_.model(primitives_.cell(fragment.primitive).instance).isLevelSet()) {
        levelSets_.append(primitives_.cell(fragment.primitive), block, fragment.mask, samples);
        return;
    }
    if (!primitives_.isTriangle(fragment.primitive)) {
        appendCellSamples(primitives_, primitives_.cell(fragment.primitive), block, fragment.mask, samples);
        return;
    }
    Prepared& prepared = triangles_[fragment.primitive % kPreparedTriangles];
    if (!prepared.sampler || prepared.primitive != fragment.primitive) {
        prepared.sampler.emplace(primitives_, primitives_.triangle(fragment.primitive));
        prepared.primitive = fragment.primitive;
    }
    prepared.sampler->sampleVoxels(block, fragment.mask, samples, corners);
}

void BlockSampler::append(std::span<const Fragment> fragments, const glm::ivec3& block, std::uint64_t among,
                          std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners) {
    bool hasGlass = false;
    const auto appendPart = [&](const Fragment& fragment, std::uint64_t voxels) {
        if ((fragment.mask & voxels) != 0) {
            appendFragment({fragment.mask & voxels, fragment.primitive, fragment.block}, block, samples, corners);
        }
    };
    for (const Fragment& fragment : fragments) {
        if (primitives_.isGlass(fragment.primitive)) {
            hasGlass = true;
        } else {
            appendPart(fragment, among);
        }
    }
    if (!hasGlass) {
        return;
    }
    std::uint64_t opaque = 0;
    for (const SurfaceSample& sample : samples) {
        opaque |= std::uint64_t{1} << sample.bit;
    }
    for (const Fragment& fragment : fragments) {
        if (primitives_.isGlass(fragment.primitive)) {
            appendPart(fragment, among & ~opaque);
        }
    }
}

} // namespace aureole
