// Exports read again by the project's own importers, and by eye.

#include "voxel/export/export.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/interrupt.h"
#include "import/import.h"
#include "model/texture_sample.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/export/export_stream.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

class ExportTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("aureole_export_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path path(const std::string& name) const { return folder_ / name; }

    ImportedModel import(const std::string& name) const { return importModel(path(name), {.sceneFolder = folder_}); }

private:
    fs::path folder_;
};

glm::vec3 linear(int r, int g, int b) {
    return {srgbToLinear(static_cast<std::uint8_t>(r)), srgbToLinear(static_cast<std::uint8_t>(g)),
            srgbToLinear(static_cast<std::uint8_t>(b))};
}

/// Cells of one model, each solid with a probability, in `colours` materials; the far corners are solid.
Scene soup(const glm::uvec3& size, double solid, int colours, const glm::dvec3& origin, double side) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::uniform_int_distribution<int> code(0, 255);
    std::uniform_int_distribution<int> index(1, colours);
    Scene scene;
    scene.file = "soup.json";
    VoxelModel model;
    model.name = "soup";
    model.size = size;
    model.materials.fill(kNone);
    for (int i = 1; i <= colours; ++i) {
        Material material;
        material.albedo = linear(i, code(engine), code(engine)); // all differ
        if (i % 7 == 0) {                                        // bright, as the hue of dark ones is not kept so well
            material.albedo = linear(128 + i / 2, 128 + code(engine) / 2, 255);
            material.emission = material.albedo * static_cast<float>(0.3 * i);
        } else if (i % 11 == 0) {
            material.metalness = static_cast<float>(i % 15 + 1) / 15.0F;
            material.roughness = static_cast<float>(i % 31) / 31.0F;
        }
        model.materials[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(scene.materials.size());
        scene.materials.push_back(material);
    }
    model.cells.resize(std::size_t{size.x} * size.y * size.z);
    for (std::uint8_t& cell : model.cells) {
        cell = unit(engine) < solid ? static_cast<std::uint8_t>(index(engine)) : std::uint8_t{0};
    }
    model.cells.front() = model.cells.back() = 1;
    glm::dmat4 place(side);
    place[3] = glm::dvec4(origin, 1.0);
    scene.voxelModels.push_back(std::move(model));
    scene.voxelInstances.push_back({0, place});
    return scene;
}

Scene sceneFrom(ImportedModel model) {
    Scene scene;
    scene.file = "imported.json";
    scene.materials = std::move(model.materials);
    scene.meshes = std::move(model.meshes);
    scene.meshInstances = std::move(model.meshInstances);
    scene.voxelModels = std::move(model.voxelModels);
    scene.voxelInstances = std::move(model.voxelInstances);
    return scene;
}

/// The cells of imported models by their low corners in the world.
std::map<std::tuple<int, int, int>, glm::vec3> worldCells(const ImportedModel& model) {
    std::map<std::tuple<int, int, int>, glm::vec3> cells;
    for (const VoxelInstance& instance : model.voxelInstances) {
        const VoxelModel& grid = model.voxelModels[instance.model];
        for (std::size_t i = 0; i < grid.cells.size(); ++i) {
            if (grid.cells[i] == 0) {
                continue;
            }
            const glm::dvec3 middle = 0.5 + glm::dvec3(glm::u64vec3(i % grid.size.x, i / grid.size.x % grid.size.y,
                                                                    i / (std::size_t{grid.size.x} * grid.size.y)));
            const glm::ivec3 at(glm::floor(glm::dvec3(instance.worldFromModel * glm::dvec4(middle, 1.0))));
            EXPECT_TRUE(
                cells.emplace(std::tuple(at.x, at.y, at.z), model.materials[grid.materials[grid.cells[i]]].albedo)
                    .second);
        }
    }
    return cells;
}

TEST_F(ExportTest, VoxGivesTheSameVoxelsAttributesAndPlaces) {
    // Over the borders of models of 256 cells, at a place of its own, in more lights and metals than one.
    const glm::uvec3 size(300, 7, 261);
    const glm::ivec3 origin(-290, 3, 40);
    const Octree octree = voxelizeScene(soup(size, 0.03, 200, 0.25 * glm::dvec3(origin), 0.25), 300);
    ASSERT_EQ(octree.grid.size, size);
    const ExportFigures figures = exportVox(path("a.vox"), octree);
    EXPECT_EQ(figures.models, 4U);
    EXPECT_EQ(figures.colours, 200U);
    EXPECT_TRUE(figures.exactColours);
    EXPECT_FALSE(figures.moved);
    ImportedModel imported = import("a.vox");
    const auto cells = worldCells(imported);
    EXPECT_EQ(cells.size(), octree.voxelCount());
    for (const auto& [x, y, z] : solidVoxels(octree)) {
        const auto cell = cells.find({x + origin.x, y + origin.y, z + origin.z});
        ASSERT_NE(cell, cells.end());
        ASSERT_LT(glm::length(cell->second - surfaceAt(octree, {x, y, z}).albedo), 1e-3F);
    }
    const Octree again = voxelizeScene(sceneFrom(std::move(imported)), 300);
    ASSERT_EQ(again.grid.size, size);
    ASSERT_EQ(again.attributes.size(), octree.attributes.size());
    EXPECT_GT(octree.palette.size(), 20U);
    const auto lightOf = [](const Octree& tree) {
        std::map<std::tuple<unsigned, unsigned, unsigned>, glm::vec3> light;
        for (const EmissiveVoxel& voxel : collectEmissiveVoxels(tree)) {
            light[{voxel.voxel.x, voxel.voxel.y, voxel.voxel.z}] = tree.palette[voxel.entry].emission;
        }
        return light;
    };
    const std::uint32_t numbers = ATTRIBUTE_MAX_MATERIAL << ATTRIBUTE_MATERIAL_SHIFT;
    const auto& leaves = std::get<TreeEncoding>(octree.encoding).leaves;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        ASSERT_EQ(std::get<TreeEncoding>(again.encoding).leaves[i], leaves[i]);
    }
    std::size_t compared = 0;
    for (const auto& [x, y, z] : solidVoxels(octree)) {
        const shared::VoxelAttributes expected = attributesAt(octree, {x, y, z}).value();
        const shared::VoxelAttributes found = attributesAt(again, {x, y, z}).value();
        ASSERT_EQ(found.albedo, expected.albedo);
        // A model's outermost cells count as free towards the next model, which bends their normals.
        if (x % 256 != 0 && x % 256 != 255 && z % 256 != 0 && z % 256 != 255) {
            ASSERT_EQ(found.shading & ~numbers, expected.shading & ~numbers);
            ASSERT_EQ(found.sheet, expected.sheet);
            ++compared;
        }
    }
    EXPECT_GT(compared, 10000U);
    const auto light = lightOf(octree);
    const auto lightAgain = lightOf(again);
    ASSERT_EQ(light.size(), lightAgain.size());
    for (const auto& [face, radiance] : light) {
        ASSERT_LT(glm::length(lightAgain.at(face) - radiance), 1e-5F * glm::length(radiance));
    }
}

TEST_F(ExportTest, VoxKeepsTheInsideOfSolids) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 48, 64, bumps);
    VoxelizeOptions options;
    options.resolution = 64;
    options.coverage = Coverage::Solid;
    const Octree octree = voxelizeScene(latticeScene({64, 60, 56}, triangles), options);
    exportVox(path("solid.vox"), octree);
    EXPECT_EQ(worldCells(import("solid.vox")).size(), octree.voxelCount());
}

TEST_F(ExportTest, VoxMovesWhatLiesOutOfReach) {
    const Octree octree = voxelizeScene(soup({20, 10, 16}, 0.2, 3, {5000.0, 0.0, 0.0}, 1.0), 20);
    EXPECT_TRUE(exportVox(path("far.vox"), octree).moved);
    const auto cells = worldCells(import("far.vox"));
    EXPECT_EQ(cells.size(), octree.voxelCount());
    EXPECT_TRUE(cells.contains({-10, 0, -8})); // the low corner, on the ground
}

TEST_F(ExportTest, VoxBeyondTheWorldNamesTheLevelThatFits) {
    std::vector<LatticeTriangle> triangles = boxSurface(glm::ivec3(2) * 256, glm::ivec3(5) * 256);
    const Octree octree = voxelizeScene(latticeScene({4500, 9, 9}, triangles), 4500);
    EXPECT_EQ(finestVoxLevel(octree), 2U);
    const Caught caught = errorOf([&] { exportVox(path("large.vox"), octree); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    EXPECT_NE(caught.message.find("4500 x 9 x 9"), std::string::npos) << caught.message;
    EXPECT_FALSE(fs::exists(path("large.vox")));
}

/// Solid voxels, and those of them that have a face free.
struct Faces {
    VoxelSet solid;
    VoxelSet exposed;
    std::uint64_t count = 0;
};

Faces facesOf(const Octree& octree) {
    Faces faces;
    faces.solid = solidVoxels(octree);
    for (const auto& [x, y, z] : faces.solid) {
        for (int n = 0; n < 6; ++n) {
            glm::ivec3 next(x, y, z);
            next[n / 2] += n % 2 == 0 ? 1 : -1;
            if (!faces.solid.contains({next.x, next.y, next.z})) {
                faces.exposed.insert({x, y, z});
                ++faces.count;
            }
        }
    }
    return faces;
}

/// The volume that meshes enclose, by the divergence theorem.
double volumeOf(const ImportedModel& model) {
    double volume = 0.0;
    for (const MeshInstance& instance : model.meshInstances) {
        const Mesh& mesh = model.meshes[instance.mesh];
        for (const glm::uvec3& t : mesh.triangles) {
            volume += glm::dot(glm::dvec3(mesh.positions[t.x]),
                               glm::cross(glm::dvec3(mesh.positions[t.y]), glm::dvec3(mesh.positions[t.z]))) /
                      6.0;
        }
    }
    return volume;
}

/// Exports, reads, and voxelises again on the same grid, which points in its corners pin.
void expectSameVoxels(const Octree& octree, const ImportedModel& imported, const ExportFigures& figures,
                      const std::string& what) {
    Faces faces = facesOf(octree);
    EXPECT_EQ(figures.faces, faces.count) << what;
    const double volume = octree.grid.voxelSize * octree.grid.voxelSize * octree.grid.voxelSize;
    EXPECT_NEAR(volumeOf(imported) / volume, static_cast<double>(faces.solid.size()),
                static_cast<double>(faces.count) / 256.0)
        << what;
    std::vector<LatticeTriangle> none;
    Scene scene = latticeScene(glm::ivec3(octree.grid.size), none);
    glm::dmat4 toGrid(1.0 / octree.grid.voxelSize);
    toGrid[3] = glm::dvec4(-octree.grid.origin / octree.grid.voxelSize, 1.0);
    for (MeshInstance instance : imported.meshInstances) {
        scene.meshes.push_back(imported.meshes[instance.mesh]);
        scene.meshes.back().material = 0;
        instance.mesh = static_cast<std::uint32_t>(scene.meshes.size() - 1);
        instance.worldFromMesh = toGrid * instance.worldFromMesh;
        scene.meshInstances.push_back(instance);
    }
    const glm::uvec3 size = octree.grid.size;
    const VoxelSet found = solidVoxels(voxelizeScene(scene, std::max({size.x, size.y, size.z})));
    for (const std::tuple<int, int, int>& voxel : faces.exposed) {
        ASSERT_TRUE(found.contains(voxel)) << what;
    }
    faces.solid.insert({0, 0, 0}); // the pins
    faces.solid.insert({size.x - 1, size.y - 1, size.z - 1});
    for (const std::tuple<int, int, int>& voxel : found) {
        EXPECT_TRUE(faces.solid.contains(voxel))
            << what << ' ' << std::get<0>(voxel) << ' ' << std::get<1>(voxel) << ' ' << std::get<2>(voxel);
    }
}

TEST_F(ExportTest, FacesVoxeliseToTheSameVoxels) {
    std::vector<LatticeTriangle> triangles = closedSurface({50.3, 29.7, 27.1}, 48, 64, bumps);
    const Scene bumpy = latticeScene({100, 60, 56}, triangles);
    VoxelizeOptions options;
    options.resolution = 100;
    const auto check = [&](const Octree& octree, const std::string& what) {
        const ExportFigures ply = exportPly(path("m.ply"), octree);
        expectSameVoxels(octree, import("m.ply"), ply, what + " ply");
        const ExportFigures obj = exportObj(path("m.obj"), octree);
        expectSameVoxels(octree, import("m.obj"), obj, what + " obj");
        EXPECT_LT(obj.vertices, 2 * obj.faces) << what; // shared
    };
    check(voxelizeScene(bumpy, options), "conservative");
    options.coverage = Coverage::Thin;
    check(voxelizeScene(bumpy, options), "thin");
    options.coverage = Coverage::Solid;
    check(voxelizeScene(bumpy, options), "solid");
    // Every way in which voxels can touch, at a grid like that of a small model.
    for (const double solid : {0.1, 0.5, 0.9}) {
        check(voxelizeScene(soup(glm::uvec3(24), solid, 9, {-0.3, 0.01, 7.0}, 0.0123), 24),
              "soup " + std::to_string(solid));
    }
}

/// Of the stages of an export the faces of a PLY are told in the largest pieces.
TEST_F(ExportTest, AStopIsSeenAtTheNextPiece) {
    const auto stopped = [] {
        catchInterrupts();
        ExportProgress progress("writing faces", std::uint64_t{1} << 30U);
        std::raise(SIGINT);
        try {
            progress.add(std::uint64_t{16} << 20U);
        } catch (const Error& error) {
            std::_Exit(static_cast<int>(error.code()));
        }
        std::_Exit(0);
    };
    EXPECT_EXIT(stopped(), testing::ExitedWithCode(static_cast<int>(ExitCode::Interrupted)), "");
}

TEST_F(ExportTest, PlyColoursAreSrgb) {
    const Octree octree = voxelizeScene(soup({20, 20, 20}, 0.2, 100, {0, 0, 0}, 1.0), 20);
    exportPly(path("c.ply"), octree);
    // As text first: bytes behind the first vertex's three floats.
    std::ifstream stream(path("c.ply"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t body = bytes.find("end_header\n") + 11;
    EXPECT_EQ(body, 512U);
    const shared::VoxelSurface first = surfaceAt(octree, {0, 0, 0});
    for (int i = 0; i < 3; ++i) {
        const double value = first.albedo[i];
        const double encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
        EXPECT_EQ(static_cast<unsigned char>(bytes[body + 12 + static_cast<std::size_t>(i)]),
                  std::lround(255.0 * encoded));
    }
    const ImportedModel imported = import("c.ply");
    ASSERT_EQ(imported.meshes.size(), 1U);
    const Mesh& mesh = imported.meshes[0];
    ASSERT_EQ(mesh.colours.size(), mesh.positions.size());
    EXPECT_EQ(imported.materials[mesh.material].albedo, glm::vec3(1.0F));
    for (const glm::uvec3& t : mesh.triangles) {
        // A vertex belongs to the voxels of one colour; the triangle's middle lies in its own.
        const glm::vec3 middle = (mesh.positions[t.x] + mesh.positions[t.y] + mesh.positions[t.z]) / 3.0F;
        const glm::vec3 expected = surfaceAt(octree, glm::ivec3(glm::floor(middle))).albedo;
        for (const std::uint32_t vertex : {t.x, t.y, t.z}) {
            ASSERT_LT(glm::length(glm::vec3(mesh.colours[vertex]) - expected), 1e-3F);
        }
    }
}

TEST_F(ExportTest, ObjMaterialsAreLinearAndGlow) {
    const Octree octree = voxelizeScene(soup({20, 20, 20}, 0.2, 30, {0, 0, 0}, 1.0), 20);
    const ExportFigures figures = exportObj(path("c.obj"), octree);
    EXPECT_EQ(figures.colours, 30U);
    std::map<std::tuple<int, int, int>, glm::vec3> light;
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        light[{voxel.voxel.x, voxel.voxel.y, voxel.voxel.z}] = octree.palette[voxel.entry].emission;
    }
    const ImportedModel imported = import("c.obj");
    EXPECT_EQ(imported.materials.size(), 30U);
    std::size_t glowing = 0;
    for (const Mesh& mesh : imported.meshes) {
        const Material& material = imported.materials[mesh.material];
        for (const glm::uvec3& t : mesh.triangles) {
            const glm::ivec3 voxel(
                glm::floor((mesh.positions[t.x] + mesh.positions[t.y] + mesh.positions[t.z]) / 3.0F));
            ASSERT_LT(glm::length(material.albedo - surfaceAt(octree, voxel).albedo), 1e-3F);
            const auto lit = light.find({voxel.x, voxel.y, voxel.z});
            const glm::vec3 radiance = lit == light.end() ? glm::vec3(0.0F) : lit->second;
            ASSERT_LE(glm::length(material.emission - radiance), 1e-5F * glm::length(radiance));
            glowing += lit == light.end() ? 0U : 1U;
        }
    }
    EXPECT_GT(glowing, 100U);
}

} // namespace
} // namespace aureole::test
