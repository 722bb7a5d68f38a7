#include <bit>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "vox_bytes.h"

namespace aureole::test {
namespace {

using vox::chunk;
using vox::dictionary;
using vox::groupNode;
using vox::model;
using vox::number;
using vox::shapeNode;
using vox::transformNode;
using vox::voxFile;

/// The world position of the middle of each voxel, rounded to a thousandth.
std::set<std::array<int, 3>> worldVoxels(const ImportedModel& imported) {
    std::set<std::array<int, 3>> result;
    for (const VoxelInstance& instance : imported.voxelInstances) {
        const VoxelModel& grid = imported.voxelModels[instance.model];
        for (std::uint32_t z = 0; z < grid.size.z; ++z) {
            for (std::uint32_t y = 0; y < grid.size.y; ++y) {
                for (std::uint32_t x = 0; x < grid.size.x; ++x) {
                    if (grid.cells[x + grid.size.x * (y + grid.size.y * z)] == 0) {
                        continue;
                    }
                    const glm::dvec4 p = instance.worldFromModel * glm::dvec4(x + 0.5, y + 0.5, z + 0.5, 1.0);
                    result.insert(
                        {int(std::lround(1000 * p.x)), int(std::lround(1000 * p.y)), int(std::lround(1000 * p.z))});
                }
            }
        }
    }
    return result;
}

TEST(ImportVox, TurnsZUpIntoYUp) {
    const TemporaryFolder folder;
    // 2 x 3 x 4 with one voxel in the far corner along x and up, at the front (y = 0 is MagicaVoxel's front).
    const ImportedModel imported = folder.import("a.vox", voxFile(model(2, 3, 4, {{1, 0, 3, 5}})));
    ASSERT_EQ(imported.voxelModels.size(), 1U);
    const VoxelModel& grid = imported.voxelModels[0];
    EXPECT_EQ(grid.size, glm::uvec3(2, 4, 3));
    ASSERT_EQ(grid.cells.size(), 24U);
    EXPECT_EQ(grid.cells[1 + 2 * (3 + 4 * 2)], 5); // (1, 3, 2): what was in front faces +Z
    ASSERT_EQ(imported.voxelInstances.size(), 1U);
    EXPECT_EQ(imported.materials.size(), 1U);
    EXPECT_EQ(grid.materials[5], 0U);
    EXPECT_EQ(grid.materials[0], kNone);
    EXPECT_EQ(grid.materials[6], kNone);
}

TEST(ImportVox, ThePaletteStartsAtIndexOne) {
    const TemporaryFolder folder;
    std::string palette(1024, '\0');
    palette.replace(0, 4, std::string("\x80\xff\x00\xff", 4));
    palette.replace(4, 4, std::string("\x00\x00\xff\xff", 4));
    const ImportedModel imported =
        folder.import("a.vox", voxFile(model(2, 1, 1, {{0, 0, 0, 1}, {1, 0, 0, 2}}) + chunk("RGBA", palette)));
    const VoxelModel& grid = imported.voxelModels.at(0);
    const glm::vec3 first = imported.materials.at(grid.materials[1]).albedo;
    EXPECT_NEAR(first.x, std::pow((128.0 / 255.0 + 0.055) / 1.055, 2.4), 1e-6); // made linear
    EXPECT_EQ(first.y, 1.0F);
    EXPECT_EQ(first.z, 0.0F);
    EXPECT_EQ(imported.materials.at(grid.materials[2]).albedo, glm::vec3(0, 0, 1));
    // The last of 256 entries is no voxel's; Teardown's files are without it.
    const std::string cell = model(1, 1, 1, {{0, 0, 0, 1}});
    palette.resize(1020);
    EXPECT_EQ(folder.import("b.vox", voxFile(cell + chunk("RGBA", palette))).voxelModels.size(), 1U);
    palette.resize(1019);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("b.vox", voxFile(cell + chunk("RGBA", palette))); }),
                            {"chunk RGBA", "found 1019 bytes", "expected 1020"}));
}

TEST(ImportVox, HasTheDefaultPalette) {
    const TemporaryFolder folder;
    const ImportedModel imported = folder.import(
        "a.vox", voxFile(model(5, 1, 1, {{0, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 0, 36}, {3, 0, 0, 216}, {4, 0, 0, 255}})));
    const VoxelModel& grid = imported.voxelModels.at(0);
    const auto linear = [](double code) { return std::pow((code / 255.0 + 0.055) / 1.055, 2.4); };
    const auto albedo = [&](std::size_t index) { return imported.materials.at(grid.materials.at(index)).albedo; };
    // From the format's text, as ABGR: [1] ffffffff, [2] ffccffff, [36] ff0000ff, [216] ff0000ee, [255] ff111111.
    EXPECT_EQ(albedo(1), glm::vec3(1.0F));
    EXPECT_NEAR(albedo(2).z, linear(0xcc), 1e-5);
    EXPECT_EQ(albedo(2).x, 1.0F);
    EXPECT_EQ(albedo(36), glm::vec3(1, 0, 0));
    EXPECT_NEAR(albedo(216).x, linear(0xee), 1e-5);
    EXPECT_EQ(albedo(216).y, 0.0F);
    EXPECT_NEAR(albedo(255).y, linear(0x11), 1e-5);
}

TEST(ImportVox, ReadsMaterials) {
    const TemporaryFolder folder;
    const std::string materials =
        chunk("MATL", number(1) + dictionary({{"_type", "_emit"}, {"_emit", "0.5"}, {"_flux", "2"}})) +
        chunk("MATL", number(36) + dictionary({{"_type", "_metal"}, {"_metal", "0.75"}, {"_rough", "0.25"}})) +
        chunk("MATL", number(2) + dictionary({{"_type", "_diffuse"}, {"_emit", "1"}}));
    const ImportedModel imported =
        folder.import("a.vox", voxFile(model(3, 1, 1, {{0, 0, 0, 1}, {1, 0, 0, 36}, {2, 0, 0, 2}}) + materials));
    const VoxelModel& grid = imported.voxelModels.at(0);
    EXPECT_EQ(imported.materials[grid.materials[1]].emission, glm::vec3(50.0F)); // white * 0.5 * 10^2
    EXPECT_EQ(imported.materials[grid.materials[36]].metalness, 0.75F);
    EXPECT_EQ(imported.materials[grid.materials[36]].roughness, 0.25F);
    EXPECT_EQ(imported.materials[grid.materials[2]].emission, glm::vec3(0.0F));
}

TEST(ImportVox, ReadsModelsOfMaterials) {
    const TemporaryFolder folder;
    const std::string materials =
        chunk("MATL", number(1) + dictionary({{"_type", "_glass"}, {"_ri", "1.5"}, {"_rough", "0.1"}})) +
        chunk("MATL", number(2) + dictionary({{"_type", "_glass"}, {"_ior", "0.4"}})) +
        chunk("MATL", number(36) + dictionary({{"_type", "_metal"}, {"_rough", "0.25"}}));
    const ImportedModel imported =
        folder.import("a.vox", voxFile(model(3, 1, 1, {{0, 0, 0, 1}, {1, 0, 0, 36}, {2, 0, 0, 2}}) + materials));
    const auto material = [&](std::size_t index) {
        return imported.materials[imported.voxelModels.at(0).materials.at(index)];
    };
    EXPECT_EQ(material(1).model, MaterialModel::Dielectric);
    EXPECT_EQ(material(1).ior, 1.5F);
    EXPECT_EQ(material(1).roughness, 0.1F);
    EXPECT_FLOAT_EQ(material(2).ior, 1.4F);
    EXPECT_EQ(material(2).roughness, 0.0F);
    EXPECT_EQ(material(36).model, MaterialModel::MetallicRoughness);
}

TEST(ImportVox, PlacesModelsByTheSceneGraph) {
    const TemporaryFolder folder;
    // Two cells in a row along x, of a 2 x 2 x 2 model, whose middle is (1, 1, 1).
    const std::string cells = model(2, 2, 2, {{0, 0, 0, 1}, {1, 0, 0, 1}});
    // _r = 17: rows (0 1 0), (1 0 0), (0 0 1) would be 1 | 0 << 2; with bit 4 the first row is negative: x' = -y, y' =
    // x.
    const std::string graph = transformNode(0, 1, dictionary({})) + groupNode(1, {2, 4}) +
                              transformNode(2, 3, dictionary({{"_t", "10 20 30"}})) + shapeNode(3, 0) +
                              transformNode(4, 5, dictionary({{"_r", "17"}, {"_t", "0 0 -5"}})) + shapeNode(5, 0);
    const ImportedModel imported = folder.import("a.vox", voxFile(cells + graph));
    ASSERT_EQ(imported.voxelInstances.size(), 2U);
    // By hand, in the file's axes: middles (-0.5, -0.5, -0.5) and (0.5, -0.5, -0.5) about the model's middle.
    // First: + (10, 20, 30) = (9.5, 19.5, 29.5), (10.5, 19.5, 29.5), then (x, y, z) -> (x, z, -y).
    // Second: (-y, x, z) = (0.5, -0.5, -0.5), (0.5, 0.5, -0.5), + (0, 0, -5).
    const std::set<std::array<int, 3>> expected = {
        {9500, 29500, -19500}, {10500, 29500, -19500}, {500, -5500, 500}, {500, -5500, -500}};
    EXPECT_EQ(worldVoxels(imported), expected);
}

TEST(ImportVox, LeavesHiddenThingsOut) {
    const TemporaryFolder folder;
    const std::string cells = model(1, 1, 1, {{0, 0, 0, 1}});
    const std::string layer = chunk("LAYR", number(7) + dictionary({{"_hidden", "1"}}) + number(~0U));
    const std::string graph = transformNode(0, 1, dictionary({})) + groupNode(1, {2, 4, 6}) +
                              transformNode(2, 3, dictionary({}), dictionary({{"_hidden", "1"}})) + shapeNode(3, 0) +
                              transformNode(4, 5, dictionary({}), dictionary({}), 7) + shapeNode(5, 0) +
                              transformNode(6, 7, dictionary({})) + shapeNode(7, 0);
    EXPECT_EQ(folder.import("a.vox", voxFile(cells + graph + layer)).voxelInstances.size(), 1U);
}

TEST(ImportVox, TakesTheFirstFrameOfAnAnimation) {
    const TemporaryFolder folder;
    const std::string cells = model(1, 1, 1, {{0, 0, 0, 1}}) + model(1, 1, 1, {{0, 0, 0, 2}});
    // Frames and models out of order: those at time 0 count.
    const auto frame = [](const char* time, const char* place) { return dictionary({{"_f", time}, {"_t", place}}); };
    const std::string moved = chunk("nTRN", number(0) + dictionary({}) + number(1) + number(~0U) + number(0) +
                                                number(2) + frame("30", "9 9 9") + frame("0", "1 2 3"));
    const std::string changing = chunk("nSHP", number(1) + dictionary({}) + number(2) + number(0) +
                                                   dictionary({{"_f", "5"}}) + number(1) + dictionary({{"_f", "0"}}));
    const ImportedModel imported = folder.import("a.vox", voxFile(cells + moved + changing));
    ASSERT_EQ(imported.voxelInstances.size(), 1U);
    EXPECT_EQ(imported.voxelInstances[0].model, 1U);
    const std::set<std::array<int, 3>> expected = {{1500, 3500, -2500}};
    EXPECT_EQ(worldVoxels(imported), expected);
}

TEST(ImportVox, GroupsTurnTogether) {
    const TemporaryFolder folder;
    // _r = 1 | 0 << 2 | 1 << 4: x' = -y, y' = x, of a group that was moved inside; its model is 3 x 1 x 1.
    const std::string cells = model(3, 1, 1, {{0, 0, 0, 1}, {2, 0, 0, 1}});
    const std::string graph = transformNode(0, 1, dictionary({{"_r", "17"}, {"_t", "100 0 0"}})) + groupNode(1, {2}) +
                              transformNode(2, 3, dictionary({{"_t", "10 0 0"}})) + groupNode(3, {4}) +
                              transformNode(4, 5, dictionary({})) + shapeNode(5, 0);
    // The model's middle is (1, 0, 0): cells at x = -1 to 0 and 1 to 2, y = 0 to 1; + 10 along x; then turned, + 100.
    const std::set<std::array<int, 3>> expected = {{99500, 500, -9500}, {99500, 500, -11500}};
    EXPECT_EQ(worldVoxels(folder.import("a.vox", voxFile(cells + graph))), expected);
}

TEST(ImportVox, TheOrderOfThePaletteOnTheScreenChangesNothing) {
    const TemporaryFolder folder;
    std::string order(256, '\0');
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = static_cast<char>(255 - i);
    }
    const std::string cells = model(1, 1, 1, {{0, 0, 0, 36}});
    const std::string light = chunk("MATL", number(36) + dictionary({{"_type", "_emit"}, {"_emit", "1"}}));
    const ImportedModel imported = folder.import("a.vox", voxFile(cells + chunk("IMAP", order) + light));
    ASSERT_EQ(imported.materials.size(), 1U);
    EXPECT_EQ(imported.materials[0].albedo, glm::vec3(1, 0, 0));
    EXPECT_EQ(imported.materials[0].emission, glm::vec3(1, 0, 0));
}

TEST(ImportVox, MixturesAreWhatMostOfTheirLightDoes) {
    const TemporaryFolder folder;
    const auto materialOf = [&](const std::vector<std::pair<std::string, std::string>>& properties) {
        return folder
            .import("a.vox",
                    voxFile(model(1, 1, 1, {{0, 0, 0, 36}}) + chunk("MATL", number(36) + dictionary(properties))))
            .materials.at(0);
    };
    const Material metal = materialOf({{"_type", "_blend"}, {"_metal", "0.75"}, {"_rough", "0.25"}, {"_trans", "0.4"}});
    EXPECT_EQ(metal.model, MaterialModel::MetallicRoughness);
    EXPECT_EQ(metal.metalness, 0.75F);
    EXPECT_EQ(metal.roughness, 0.25F);
    EXPECT_EQ(materialOf({{"_type", "_blend"}}).metalness, 0.0F);
    for (const char* const key : {"_trans", "_alpha"}) {
        const Material glass = materialOf({{"_type", "_blend"}, {"_metal", "0.75"}, {key, "0.6"}, {"_ri", "1.45"}});
        EXPECT_EQ(glass.model, MaterialModel::Dielectric) << key;
        EXPECT_EQ(glass.ior, 1.45F);
        EXPECT_EQ(glass.metalness, 0.0F);
    }
}

TEST(ImportVox, MediaThatAbsorbHaveTheirColourAfterOneOverTheirDensity) {
    const TemporaryFolder folder;
    // Index 36 of the default palette is red, 1 white.
    const auto materialOf = [&](std::uint8_t index,
                                const std::vector<std::pair<std::string, std::string>>& properties) {
        return folder
            .import("a.vox",
                    voxFile(model(1, 1, 1, {{0, 0, 0, index}}) + chunk("MATL", number(index) + dictionary(properties))))
            .materials.at(0);
    };
    const Material red =
        materialOf(36, {{"_type", "_glass"}, {"_media_type", "_absorb"}, {"_d", "0.25"}, {"_ri", "1.5"}});
    EXPECT_EQ(red.model, MaterialModel::Dielectric);
    EXPECT_EQ(red.albedo, glm::vec3(1.0F));
    EXPECT_NEAR(std::exp(-4.0F * red.absorption.y), 1e-3F, 1e-5F); // black, as far as that goes
    EXPECT_EQ(red.absorption.x, 0.0F);
    EXPECT_EQ(red.ior, 1.5F);
    const Material fog = materialOf(36, {{"_type", "_media"}, {"_d", "0.5"}, {"_media_type", "_absorb"}});
    EXPECT_EQ(fog.model, MaterialModel::Dielectric);
    EXPECT_EQ(fog.ior, 1.0F);
    EXPECT_NEAR(std::exp(-2.0F * fog.absorption.y), 1e-3F, 1e-5F);
    const Material usual = materialOf(36, {{"_type", "_media"}, {"_ri", "1.3"}, {"_rough", "0.1"}});
    EXPECT_EQ(usual.ior, 1.0F) << "all materials of MagicaVoxel say an index";
    EXPECT_EQ(usual.roughness, 0.0F);
    EXPECT_NEAR(std::exp(-20.0F * usual.absorption.y), 1e-3F, 1e-5F);
    // Without a density, and as other media, glass is tinted at its surface.
    EXPECT_EQ(materialOf(36, {{"_type", "_glass"}, {"_media_type", "_absorb"}}).albedo, glm::vec3(1, 0, 0));
    EXPECT_EQ(materialOf(36, {{"_type", "_glass"}, {"_d", "1"}}).absorption, glm::vec3(0.0F));
}

TEST(ImportVox, MediaScatterByTheirColour) {
    const TemporaryFolder folder;
    const auto materialOf = [&](const std::vector<std::pair<std::string, std::string>>& properties) {
        // Index 36 of the default palette is red.
        const std::string bytes = model(1, 1, 1, {{0, 0, 0, 36}}) + chunk("MATL", number(36) + dictionary(properties));
        return folder.import("a.vox", voxFile(bytes)).materials.at(0);
    };
    const Material cloud =
        materialOf({{"_type", "_media"}, {"_d", "0.5"}, {"_media_type", "_scatter"}, {"_g", "0.25"}, {"_ri", "1.3"}});
    EXPECT_EQ(cloud.model, MaterialModel::Dielectric);
    EXPECT_EQ(cloud.ior, 1.0F);
    EXPECT_EQ(cloud.scattering, glm::vec3(0.5F, 0.0F, 0.0F)); // of red all, of the rest nothing
    EXPECT_EQ(cloud.absorption, glm::vec3(0.0F, 0.5F, 0.5F));
    EXPECT_EQ(cloud.anisotropy, 0.25F);
    EXPECT_EQ(cloud.albedo, glm::vec3(1.0F));
    const Material milk = materialOf({{"_type", "_glass"}, {"_d", "2"}, {"_media_type", "_sss"}, {"_ri", "1.4"}});
    EXPECT_EQ(milk.ior, 1.4F);
    EXPECT_EQ(milk.scattering.r, 2.0F);
    const Material glow = materialOf({{"_type", "_media"}, {"_d", "0.5"}, {"_media_type", "_emit"}});
    EXPECT_EQ(glow.emission, glm::vec3(0.5F, 0.0F, 0.0F));
    testing::internal::CaptureStderr();
    EXPECT_EQ(materialOf({{"_type", "_metal"}, {"_rough", "smooth"}}).roughness, 1.0F);
    EXPECT_TRUE(containsAll(testing::internal::GetCapturedStderr(), {"_rough 'smooth' of material 36"}));
}

TEST(ImportVox, AllKindsOfNodesCanBeHidden) {
    const TemporaryFolder folder;
    const std::string cells = model(1, 1, 1, {{0, 0, 0, 1}});
    const std::string hidden = dictionary({{"_hidden", "1"}});
    const std::string graph =
        transformNode(0, 1, dictionary({})) + groupNode(1, {2, 4}) + transformNode(2, 3, dictionary({})) +
        chunk("nSHP", number(3) + hidden + number(1) + number(0) + dictionary({})) +
        transformNode(4, 5, dictionary({})) + chunk("nGRP", number(5) + hidden + number(1) + number(6)) +
        transformNode(6, 7, dictionary({})) + shapeNode(7, 0);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("a.vox", voxFile(cells + graph)); }), {"a.vox", "hidden"}));
}

const std::string kCell = model(1, 1, 1, {{0, 0, 0, 1}});

/// Before MagicaVoxel 0.99 materials were chunks of another kind.
TEST(ImportVox, ReadsMaterialsOfOldFiles) {
    const TemporaryFolder folder;
    const auto old = [](std::uint32_t index, std::uint32_t type, float weight) {
        return chunk("MATT", number(index) + number(type) + number(std::bit_cast<std::uint32_t>(weight)) + number(0));
    };
    const std::string cells = model(4, 1, 1, {{0, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 0, 3}, {3, 0, 0, 4}});
    const ImportedModel model =
        folder.import("a.vox", voxFile(cells + old(1, 0, 1.0F) + old(2, 1, 0.25F) + old(3, 2, 0.5F) + old(4, 3, 0.5F)));
    const auto material = [&](std::size_t index) { return model.materials.at(model.voxelModels[0].materials[index]); };
    EXPECT_EQ(material(1).model, MaterialModel::Lambert);
    EXPECT_FLOAT_EQ(material(2).metalness, 0.25F);
    EXPECT_EQ(material(3).model, MaterialModel::Dielectric);
    EXPECT_EQ(material(4).emission, material(4).albedo * 0.5F);
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("b.vox", voxFile(cells + old(1, 4, 1.0F))); }),
                            {"chunk MATT", "the type 4", "less than 4"}));
}

TEST(ImportVox, CamerasLookFromWhereTheyWereSaved) {
    const TemporaryFolder folder;
    const auto saved = [&](const std::string& angle, const std::string& mode) {
        const auto cameraAt = [&](std::uint32_t index, const std::string& radius) {
            return chunk("rCAM", number(index) + dictionary({{"_mode", mode},
                                                             {"_focus", "1 2.5 3"},
                                                             {"_angle", angle},
                                                             {"_radius", radius},
                                                             {"_fov", "90"}}));
        };
        // Number 0 was never saved, and of number 3 the radius is none.
        const ImportedModel imported =
            folder.import("a.vox", voxFile(kCell + cameraAt(0, "0") + cameraAt(2, "10") + cameraAt(3, "wide")));
        EXPECT_EQ(imported.cameras.size(), 1U);
        return imported.cameras.at(0);
    };
    const auto isNear = [](const glm::dvec3& a, const glm::dvec3& b) { return glm::distance(a, b) < 1e-9; };
    // From the front, which is towards +Z here; the focus is at (1, 3, -2.5).
    const Camera front = saved("0 0 0", "pers");
    EXPECT_EQ(front.name, "camera 2");
    EXPECT_EQ(front.projection, Projection::Perspective);
    EXPECT_TRUE(isNear(front.position, {1.0, 3.0, 7.5}));
    EXPECT_TRUE(isNear(front.target, {1.0, 3.0, -2.5}));
    EXPECT_TRUE(isNear(front.up, {0.0, 1.0, 0.0}));
    EXPECT_DOUBLE_EQ(front.verticalFov, 90.0);
    EXPECT_TRUE(isNear(saved("0 90 0", "free").position, {11.0, 3.0, -2.5})) << "from the right";
    const Camera above = saved("-90 0 0", "pers");
    EXPECT_TRUE(isNear(above.position, {1.0, 13.0, -2.5}));
    EXPECT_TRUE(isNear(above.up, {0.0, 0.0, -1.0})) << "what is in front is below in the picture";
    EXPECT_TRUE(isNear(saved("0 0 90", "pers").up, {-1.0, 0.0, 0.0})) << "turned counter-clockwise";
    const Camera flat = saved("0 0 0", "iso");
    EXPECT_EQ(flat.projection, Projection::Orthographic);
    EXPECT_NEAR(flat.height, 20.0, 1e-9);
    EXPECT_EQ(saved("0 0 0", "pano").projection, Projection::Equirectangular);
}

TEST(ImportVox, TheLightIsTheAuthors) {
    const TemporaryFolder folder;
    const auto withSettings = [&](const std::vector<std::pair<std::string, std::string>>& sun,
                                  const std::vector<std::pair<std::string, std::string>>& film) {
        return folder
            .import("a.vox",
                    voxFile(kCell + chunk("rOBJ", dictionary(sun)) + chunk("rOBJ", dictionary(film)) +
                            chunk("rOBJ", dictionary({{"_type", "_uni"}, {"_i", "0.7"}, {"_k", "255 255 255"}}))))
            .daylight;
    };
    const auto sun = [](const std::string& angle, const std::string& intensity) {
        return std::vector<std::pair<std::string, std::string>>{
            {"_type", "_inf"}, {"_i", intensity}, {"_k", "255 0 0"}, {"_angle", angle}, {"_area", "0.1"}};
    };
    EXPECT_FALSE(withSettings({{"_type", "_inf"},
                               {"_i", "0.7"},
                               {"_k", "255 255 255"},
                               {"_angle", "50 50"},
                               {"_area", "0.07"},
                               {"_disk", "0"}},
                              {{"_type", "_film"}, {"_expo", "1"}}))
        << "what each file has from the start";
    const auto red = withSettings(sun("0 90", "2"), {{"_type", "_film"}, {"_expo", "4"}});
    ASSERT_TRUE(red);
    EXPECT_LT(glm::distance(red->sunDirection, {1.0, 0.0, 0.0}), 1e-9) << "where a camera of that yaw stands";
    EXPECT_NEAR(red->sunDiameter, glm::degrees(0.1), 1e-9);
    EXPECT_NEAR(red->sunIrradiance.r, 2.0 * kPi, 1e-5);
    EXPECT_EQ(red->sunIrradiance.g, 0.0F);
    EXPECT_FLOAT_EQ(red->skyRadiance.b, 0.7F);
    EXPECT_NEAR(red->groundAlbedo.r, std::pow((80.0 / 255.0 + 0.055) / 1.055, 2.4), 1e-6);
    EXPECT_DOUBLE_EQ(red->exposure, 2.0);
    const auto ground = [&](const std::string& colour) {
        const std::string bytes = chunk("rOBJ", dictionary({{"_type", "_ground"}, {"_color", colour}}));
        return folder.import("a.vox", voxFile(kCell + bytes)).daylight;
    };
    EXPECT_FALSE(ground("80 80 80"));
    ASSERT_TRUE(ground("255 0 0")) << "it alone says that someone changed the light";
    EXPECT_EQ(ground("255 0 0")->groundAlbedo, glm::vec3(1, 0, 0));
    testing::internal::CaptureStderr();
    const auto zenith = withSettings(sun("90 30", "nan"), {{"_type", "_film"}});
    EXPECT_TRUE(
        containsAll(testing::internal::GetCapturedStderr(), {"a.vox: ", "_i 'nan' of _inf, expected 1 number"}));
    ASSERT_TRUE(zenith);
    EXPECT_LT(glm::distance(zenith->sunDirection, {0.0, 1.0, 0.0}), 1e-9);
    EXPECT_NEAR(zenith->sunIrradiance.r, 0.7 * kPi, 1e-5) << "of a number that is none, what it is from the start";
}

} // namespace
} // namespace aureole::test
