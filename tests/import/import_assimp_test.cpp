// What other programs write that assimp reads otherwise than it was meant.

#include <cmath>

#include <gtest/gtest.h>

#include "import_files.h"

namespace aureole::test {
namespace {

TEST(ImportDae, TransparencyByItsWordIsToldByWhatWouldNotBeSeen) {
    const TemporaryFolder folder;
    const auto alphas = [&](const char* first, const char* second) {
        std::string effects;
        std::string materials;
        std::string triangles;
        std::string bound;
        int number = 0;
        for (const char* transparency : {first, second}) {
            const std::string n = std::to_string(number++);
            effects += "<effect id='e" + n +
                       "'><profile_COMMON><technique sid='t'><lambert><diffuse><color>1 1 1 1</color></diffuse>"
                       "<transparent><color>1 1 1 1</color></transparent><transparency><float>" +
                       transparency + "</float></transparency></lambert></technique></profile_COMMON></effect>";
            materials += "<material id='m" + n + "'><instance_effect url='#e" + n + "'/></material>";
            triangles += "<triangles count='1' material='s" + n +
                         "'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>";
            bound += "<instance_material symbol='s" + n + "' target='#m" + n + "'/>";
        }
        std::string text =
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><library_effects>" +
            effects + "</library_effects><library_materials>" + materials +
            "</library_materials><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='pa' "
            "count='9'>0 0 0 1 0 0 0 0 1</float_array><technique_common><accessor source='#pa' count='3' "
            "stride='3'><param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
            "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
            "source='#p'/></vertices>" +
            triangles +
            "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node id='n'>"
            "<instance_geometry url='#g'><bind_material><technique_common>" +
            bound +
            "</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>"
            "<scene><instance_visual_scene url='#s'/></scene></COLLADA>";
        std::vector<float> found;
        for (const Material& material : folder.import("a.dae", text).materials) {
            found.push_back(material.alpha);
        }
        return found;
    };
    EXPECT_EQ(alphas("0.0", "0.25"), (std::vector<float>{1.0F, 0.75F}));
    EXPECT_EQ(alphas("0.0", "1.0"), (std::vector<float>{0.0F, 1.0F})) << "as the format has it";
    EXPECT_EQ(alphas("0.5", "0.25"), (std::vector<float>{0.5F, 0.25F}));
}

/// A triangle and a camera at (0, -5, 1) with a lens of 40 mm, which looks along +Y of the file: straight ahead.
std::string cameraIn3ds(bool hasKeys) {
    const auto chunk = [](std::uint16_t id, const std::string& bytes) {
        std::string all;
        append(all, id);
        append(all, static_cast<std::uint32_t>(bytes.size() + 6));
        return all + bytes;
    };
    const auto packed = [](auto... values) {
        std::string bytes;
        (append(bytes, values), ...);
        return bytes;
    };
    using Half = std::uint16_t;
    const std::string corners = packed(Half{3}, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F);
    const std::string mesh =
        chunk(0x4110, corners) + chunk(0x4120, packed(Half{1}, Half{0}, Half{1}, Half{2}, Half{0}));
    const std::string camera = packed(0.0F, -5.0F, 1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 40.0F);
    std::string main = chunk(0x3d3d, chunk(0x4000, std::string("tri") + '\0' + chunk(0x4100, mesh)) +
                                         chunk(0x4000, std::string("eye") + '\0' + chunk(0x4700, camera)));
    if (hasKeys) {
        const auto node = [&](std::uint16_t id, const char* name, const std::string& tracks) {
            const std::string header = std::string(name) + '\0' + packed(Half{0}, Half{0}, Half{0xffff});
            return chunk(id, chunk(0xb010, header) + tracks);
        };
        const std::string places =
            packed(Half{0}, std::uint64_t{0}, std::uint32_t{1}, std::uint32_t{0}, Half{0}, 0.0F, -5.0F, 1.0F);
        main += chunk(0xb000, node(0xb002, "tri", "") + node(0xb003, "eye", chunk(0xb020, places)));
    }
    return chunk(0x4d4d, main);
}

TEST(Import3ds, CamerasStandOnceAndLookByTheirLens) {
    const TemporaryFolder folder;
    for (const bool hasKeys : {false, true}) {
        const ImportedModel model = folder.import("a.3ds", cameraIn3ds(hasKeys));
        ASSERT_EQ(model.cameras.size(), 1U);
        const Camera& camera = model.cameras.front();
        // The file's +Z is up.
        EXPECT_LT(glm::distance(camera.position, glm::dvec3(0.0, 1.0, 5.0)), 1e-6);
        EXPECT_LT(glm::distance(camera.target, glm::dvec3(0.0, 1.0, 4.0)), 1e-6);
        EXPECT_LT(glm::distance(camera.up, glm::dvec3(0.0, 1.0, 0.0)), 1e-6);
        // 60 degrees wide, of pictures 16 to 9.
        EXPECT_NEAR(std::tan(glm::radians(0.5 * camera.verticalFov)), std::tan(kPi / 6.0) * 9.0 / 16.0, 1e-5);
    }
}

/// A number of a vertex that begins with its point was not counted, and the vertex left out.
TEST(ImportObj, NumbersMayBeginWithTheirPoint) {
    const std::string bare = "v -.5 .5 .25\nv .5 +.5\t.75 # .5\nv 1 -.25 -.5\nvt .25 .5\nvt -.5 .75\nvt 0 .125\n"
                             "vn .6 -.8 0\nvn 0 .8 .6\nvn .8 +.6 .0\n";
    const std::string whole = "v -0.5 0.5 0.25\nv 0.5 0.5 0.75\nv 1 -0.25 -0.5\nvt 0.25 0.5\nvt -0.5 0.75\n"
                              "vt 0 0.125\nvn 0.6 -0.8 0\nvn 0 0.8 0.6\nvn 0.8 0.6 0.0\n";
    const std::string faces = "f 1/1/1 2/2/2 3/3/3\n";
    const TemporaryFolder folder;
    const auto mesh = [&](const std::string& text) { return folder.import("a.obj", text).meshes.at(0); };
    const Mesh expected = mesh(whole + faces);
    ASSERT_EQ(expected.positions.at(1), glm::vec3(0.5F, 0.5F, 0.75F));
    std::string returns;
    for (const char letter : bare + faces) {
        returns += letter == '\n' ? "\r\n" : std::string(1, letter);
    }
    for (const std::string& text : {bare + faces, returns, "\xEF\xBB\xBF" + bare + faces}) {
        const Mesh read = mesh(text);
        EXPECT_EQ(read.positions, expected.positions) << text;
        EXPECT_EQ(read.normals, expected.normals) << text;
        EXPECT_EQ(read.uvs, expected.uvs) << text;
    }
    // Beside indices of texture coordinates that are not there, and with the numbers of a colour.
    const Mesh both = mesh("v .5 0 0 .5 1 0\nv 2 .5 0 1 .5 0\nv 0 2 .5 0 0 .5\nvn 0 0 1\nf 1/7/1 2/7/1 3/7/1\n");
    EXPECT_EQ(both.positions.at(0), glm::vec3(0.5F, 0.0F, 0.0F));
    EXPECT_EQ(both.normals.size(), 3U);
    EXPECT_EQ(both.colours.size(), 3U);
}

} // namespace
} // namespace aureole::test
