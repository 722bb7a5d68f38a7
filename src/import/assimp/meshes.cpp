#include "import/assimp/meshes.h"

#include "core/error.h"
#include "import/assimp/convert.h"
#include "model/mesh_check.h"
#include "model/texture_sample.h"
#include "model/triangulate.h"

namespace aureole {

namespace {

void convertTriangles(const aiMesh& source, Mesh& mesh, const std::string& file) {
    mesh.triangles.reserve(source.mNumFaces);
    for (unsigned i = 0; i < source.mNumFaces; ++i) {
        const aiFace& face = source.mFaces[i];
        const std::span<const std::uint32_t> corners(face.mIndices, face.mNumIndices);
        for (const std::uint32_t corner : corners) {
            if (corner >= mesh.positions.size()) {
                fail(ExitCode::BadInput, "{}: mesh '{}': face {}: found vertex {}, expected less than {}", file,
                     mesh.name, i, corner, mesh.positions.size());
            }
        }
        triangulatePolygon(corners, mesh.positions, mesh.triangles);
    }
}

/// Texture coordinates with v downwards, as in glTF; assimp has it upwards.
std::vector<glm::vec2> convertUvs(const aiMesh& source, unsigned set) {
    std::vector<glm::vec2> uvs;
    if (!source.HasTextureCoords(set)) {
        return uvs;
    }
    uvs.reserve(source.mNumVertices);
    for (unsigned i = 0; i < source.mNumVertices; ++i) {
        uvs.emplace_back(source.mTextureCoords[set][i].x, 1.0F - source.mTextureCoords[set][i].y);
    }
    return uvs;
}

/// A channel made linear; what is not finite stays so, to be reported.
float linear(float value) {
    return value >= 0.0F && value <= 1.0F ? srgbToLinear(value) : value;
}

std::vector<glm::vec4> convertColours(const aiMesh& source) {
    std::vector<glm::vec4> colours;
    if (!source.HasVertexColors(0)) {
        return colours;
    }
    colours.reserve(source.mNumVertices);
    for (unsigned i = 0; i < source.mNumVertices; ++i) {
        const aiColor4D& colour = source.mColors[0][i];
        colours.emplace_back(linear(colour.r), linear(colour.g), linear(colour.b), colour.a);
    }
    return colours;
}

} // namespace

Mesh convertMesh(const aiMesh& source, const MeshOptions& options, const std::string& file) {
    Mesh mesh;
    mesh.name = source.mName.C_Str();
    mesh.material = source.mMaterialIndex;
    mesh.positions.reserve(source.mNumVertices);
    for (unsigned i = 0; i < source.mNumVertices; ++i) {
        mesh.positions.push_back(toVec3(source.mVertices[i]));
    }
    if (options.normals && source.HasNormals()) {
        mesh.normals.reserve(source.mNumVertices);
        for (unsigned i = 0; i < source.mNumVertices; ++i) {
            mesh.normals.push_back(toVec3(source.mNormals[i]));
        }
    }
    mesh.uvs = {convertUvs(source, 0), convertUvs(source, 1)};
    mesh.colours = convertColours(source);
    convertTriangles(source, mesh, file);
    checkMesh(mesh, file);
    return mesh;
}

} // namespace aureole
