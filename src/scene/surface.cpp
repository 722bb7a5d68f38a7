#include "scene/surface.h"

#include <algorithm>
#include <cmath>

#include "model/blended_material.h"
#include "model/texture_sample.h"
#include "model/triplanar.h"
#include "shared/bsdf/material.h"

namespace aureole {

namespace {

struct Corners {
    glm::uvec3 index;
    glm::vec3 weight;

    template <typename T>
    T interpolate(const std::vector<T>& values) const {
        return values[index.x] * weight.x + values[index.y] * weight.y + values[index.z] * weight.z;
    }
};

/// The slot's own coordinates of a vertex.
glm::vec2 slotUv(const TextureSlot& slot, const glm::vec2& uv) {
    return glm::vec2(slot.transform * glm::vec3(uv, 1.0F));
}

/// The texel that a slot shows at a point; white where the mesh has no such coordinates, so that the factor stands.
glm::vec4 sampleSlot(const Scene& scene, const TextureSlot& slot, const Mesh& mesh, const Corners& corners) {
    if (!slot.used() || mesh.uvs[slot.uvSet].empty()) {
        return glm::vec4(1.0F);
    }
    return sampleTexture(scene.textures[slot.texture], slot, slotUv(slot, corners.interpolate(mesh.uvs[slot.uvSet])));
}

/// `vector` at unit length, or `otherwise` where it has none.
glm::vec3 normalizeOr(const glm::vec3& vector, const glm::vec3& otherwise) {
    // In double, so that neither tiny nor huge triangles lose their direction.
    const glm::dvec3 wide(vector);
    const double squared = glm::dot(wide, wide);
    return squared > 0.0 ? glm::vec3(wide / std::sqrt(squared)) : otherwise;
}

struct TangentFrame {
    glm::vec3 tangent{0.0F};
    glm::vec3 bitangent{0.0F};
};

/// The directions in which the picture of `slot` runs right and up on the triangle, orthogonal to `normal`.
/// Both are zero where the texture coordinates are degenerate.
TangentFrame deriveFrame(const TextureSlot& slot, const Mesh& mesh, const glm::uvec3& index, const glm::vec3& normal) {
    const std::vector<glm::vec2>& uvs = mesh.uvs[slot.uvSet];
    const glm::vec2 origin = slotUv(slot, uvs[index.x]);
    const glm::vec2 a = slotUv(slot, uvs[index.y]) - origin;
    const glm::vec2 b = slotUv(slot, uvs[index.z]) - origin;
    const float determinant = a.x * b.y - a.y * b.x;
    if (determinant == 0.0F) {
        return {};
    }
    const glm::vec3 ab = mesh.positions[index.y] - mesh.positions[index.x];
    const glm::vec3 ac = mesh.positions[index.z] - mesh.positions[index.x];
    const float side = determinant > 0.0F ? 1.0F : -1.0F;
    const glm::vec3 right = (ab * b.y - ac * a.y) * side;
    const glm::vec3 up = (ab * b.x - ac * a.x) * side; // v runs downwards
    const glm::vec3 tangent = normalizeOr(right - normal * glm::dot(normal, right), glm::vec3(0.0F));
    const glm::vec3 bitangent = glm::cross(normal, tangent);
    return {tangent, glm::dot(bitangent, up) < 0.0F ? -bitangent : bitangent};
}

TangentFrame frameAt(const TextureSlot& slot, const Mesh& mesh, const Corners& corners, const glm::vec3& normal) {
    if (!mesh.tangents.empty()) {
        const glm::vec3 tangent(corners.interpolate(mesh.tangents));
        const glm::vec3 flat = normalizeOr(tangent - normal * glm::dot(normal, tangent), glm::vec3(0.0F));
        const float sign = mesh.tangents[corners.index.x].w < 0.0F ? -1.0F : 1.0F;
        if (flat != glm::vec3(0.0F)) {
            return {flat, glm::cross(normal, flat) * sign};
        }
    }
    return deriveFrame(slot, mesh, corners.index, normal);
}

/// Bends `normal` by the normal texture, in the mesh's own coordinates: the bent normal then goes through the
/// instance's transform as any normal does, so that mirrored and stretched instances need no care of their own.
glm::vec3 bendNormal(const Scene& scene, const Material& material, const Mesh& mesh, const Corners& corners,
                     const glm::vec3& normal) {
    const TextureSlot& slot = material.normalTexture;
    if (!slot.used() || mesh.uvs[slot.uvSet].empty()) {
        return normal;
    }
    const TangentFrame frame = frameAt(slot, mesh, corners, normal);
    glm::vec3 bent = glm::vec3(sampleSlot(scene, slot, mesh, corners)) * 2.0F - 1.0F;
    bent.x *= material.normalScale;
    bent.y *= material.normalGreenDown ? -material.normalScale : material.normalScale;
    return normalizeOr(frame.tangent * bent.x + frame.bitangent * bent.y + normal * bent.z, normal);
}

glm::vec3 geometricNormal(const Mesh& mesh, const glm::uvec3& index) {
    const glm::dvec3 origin(mesh.positions[index.x]);
    const glm::dvec3 normal =
        glm::cross(glm::dvec3(mesh.positions[index.y]) - origin, glm::dvec3(mesh.positions[index.z]) - origin);
    const double length = glm::length(normal);
    return length > 0.0 ? glm::vec3(normal / length) : glm::vec3(0.0F, 1.0F, 0.0F);
}

glm::vec3 meshNormal(const Mesh& mesh, const Corners& corners) {
    if (mesh.normals.empty()) {
        return geometricNormal(mesh, corners.index);
    }
    const glm::vec3 normal = corners.interpolate(mesh.normals);
    // Opposite normals may cancel, and a file may hold zero ones.
    return glm::dot(normal, normal) > 1e-12F ? normalizeOr(normal, normal) : geometricNormal(mesh, corners.index);
}

bool isOpaque(const Material& material, float alpha) {
    switch (material.alphaMode) {
    case AlphaMode::Opaque:
        return true;
    case AlphaMode::Mask:
        return alpha >= material.alphaCutoff;
    case AlphaMode::Blend:
        return alpha >= (material.masked == METALNESS_IS_OPACITY ? kLeastAlpha : 0.5F);
    }
    return true;
}

} // namespace

std::uint32_t materialIndexOf(const Scene& scene, const MeshInstance& instance) {
    return instance.material != kNone ? instance.material : scene.meshes[instance.mesh].material;
}

const Material& materialOf(const Scene& scene, const MeshInstance& instance) {
    return scene.materials[materialIndexOf(scene, instance)];
}

bool hasSolidGlass(const Scene& scene) {
    return std::any_of(scene.materials.begin(), scene.materials.end(),
                       [](const Material& material) { return isSolidGlass(material); });
}

const MeshInstance* findSolidGlass(const Scene& scene, const std::vector<MeshInstance>& instances) {
    const auto found = std::find_if(instances.begin(), instances.end(), [&](const MeshInstance& instance) {
        return isSolidGlass(materialOf(scene, instance));
    });
    return found == instances.end() ? nullptr : &*found;
}

// The cofactor matrix stands for the inverse transpose; the determinant's sign sets right what mirroring turns round.
NormalTransform::NormalTransform(const glm::dmat4& matrix) {
    const glm::dvec3 x(matrix[0]);
    const glm::dvec3 y(matrix[1]);
    const glm::dvec3 z(matrix[2]);
    cofactors_ = {glm::cross(y, z), glm::cross(z, x), glm::cross(x, y)};
    if (glm::dot(x, cofactors_[0]) < 0.0) {
        cofactors_ *= -1.0;
    }
}

glm::vec3 NormalTransform::operator()(const glm::vec3& normal) const {
    const glm::dvec3 result =
        cofactors_[0] * double{normal.x} + cofactors_[1] * double{normal.y} + cofactors_[2] * double{normal.z};
    const double length = glm::length(result);
    return length > 0.0 ? glm::vec3(result / length) : normal;
}

TriangleSurface::TriangleSurface(const Scene& scene, const MeshInstance& instance, std::uint32_t triangle)
    : scene_(scene)
    , mesh_(scene.meshes[instance.mesh])
    , worldFromMesh_(instance.worldFromMesh)
    , materialIndex_(materialIndexOf(scene, instance))
    , material_(scene.materials[materialIndex_])
    , index_(mesh_.triangles[triangle])
    , normalTransform_(instance.worldFromMesh)
    , geometricNormal_(normalTransform_(geometricNormal(mesh_, index_)))
    , uniform_(findUniform())
    , first_(uniform_ ? shade(0.0F, 0.0F) : SurfacePoint()) {}

/// Whether nothing but the interpolated normals varies over the triangle.
bool TriangleSurface::findUniform() const {
    return !variesOverSurface(material_) && mesh_.colours.empty();
}

glm::dvec3 TriangleSurface::positionAt(float u, float v) const {
    const glm::dvec3 a(mesh_.positions[index_.x]);
    const glm::dvec3 b(mesh_.positions[index_.y]);
    const glm::dvec3 c(mesh_.positions[index_.z]);
    const glm::dvec3 point = a + double{u} * (b - a) + double{v} * (c - a);
    return {worldFromMesh_ * glm::dvec4(point, 1.0)};
}

void TriangleSurface::at(float u, float v, shared::SurfacePoint& point) const {
    if (!uniform_) {
        point = shade(u, v);
        return;
    }
    point = first_;
    if (!mesh_.normals.empty()) {
        point.normal = normalTransform_(meshNormal(mesh_, {index_, {1.0F - u - v, u, v}}));
        point.geometricNormal = glm::dot(geometricNormal_, point.normal) < 0.0F ? -geometricNormal_ : geometricNormal_;
    }
}

SurfacePoint TriangleSurface::shade(float u, float v) const {
    const Corners corners{index_, {1.0F - u - v, u, v}};
    const glm::vec3 albedo = material_.pattern
                                 ? patternColour(*material_.pattern, positionAt(u, v), glm::dvec3(geometricNormal_))
                                 : material_.albedo;
    const glm::vec3 normal = meshNormal(mesh_, corners);
    const auto sampleAt = [&](const TextureSlot& slot) {
        return slot.used() && slot.triplanar
                   ? sampleTriplanar(scene_.textures[slot.texture], slot, positionAt(u, v), normalTransform_(normal))
                   : sampleSlot(scene_, slot, mesh_, corners);
    };
    const auto shareAt = [&](const TextureSlot& slot) { return glm::min(sampleAt(slot), 1.0F); };
    glm::vec4 base = glm::vec4(albedo, material_.alpha) * shareAt(material_.albedoTexture);
    const glm::vec4 colour = mesh_.colours.empty() ? glm::vec4(1.0F) : corners.interpolate(mesh_.colours);
    base *= colour;
    const glm::vec4 surface = shareAt(material_.metallicRoughnessTexture);

    SurfacePoint point;
    point.material = materialIndex_;
    point.albedo = glm::vec3(base);
    point.roughness = material_.roughness * surface.y;
    // A mask that cannot be read hides nothing: all of it is glass.
    const TextureSlot& mask = material_.metallicRoughnessTexture;
    const bool isUnmasked = material_.masked == METALNESS_IS_MASK && !mask.triplanar && mesh_.uvs[mask.uvSet].empty();
    const bool isBlended = material_.masked == METALNESS_IS_OPACITY;
    point.metalness = isUnmasked ? 0.0F : material_.metalness * (isBlended ? base.w : surface.z);
    point.emission = material_.emission;
    if (material_.emission != glm::vec3(0.0F)) {
        point.emission *=
            glm::vec3(sampleAt(material_.emissionTexture)) * (material_.unlit ? glm::vec3(colour) : glm::vec3(1.0F));
        point.emission *= isBlended && material_.metalness > 0.0F ? base.w : 1.0F;
    }
    point.opaque = isOpaque(material_, base.w) ? 1 : 0;
    point.normal = normalTransform_(bendNormal(scene_, material_, mesh_, corners, normal));
    point.geometricNormal = glm::dot(geometricNormal_, point.normal) < 0.0F ? -geometricNormal_ : geometricNormal_;
    return point;
}

SurfacePoint evaluateSurface(const Scene& scene, const MeshInstance& instance, std::uint32_t triangle, float u,
                             float v) {
    SurfacePoint point;
    TriangleSurface(scene, instance, triangle).at(u, v, point);
    return point;
}

} // namespace aureole
