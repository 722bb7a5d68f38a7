// What `validate` says: everything that is wrong, with its place and the name that was likely meant.

#include <algorithm>

#include "cli_test.h"
#include "occurrences.h"

namespace aureole {

namespace {

/// Two triangles, in a material of a.mtl or none.
std::string openObj(const std::string& name, const std::string& materials = "") {
    return materials + "o " + name + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n" +
           (materials.empty() ? "" : "usemtl first\n") + "f 1/1 2/2 3/3\n" +
           (materials.empty() ? "" : "usemtl second\n") + "f 2/2 4/1 3/3\n";
}

std::string sceneOf(const std::string& assets, const std::string& instances) {
    return R"({ "version": 1,
 "assets": {)" +
           assets + R"(},
 "instances": {)" +
           instances + R"(},
 "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
 "environment": { "type": "constant", "radiance": 1 }, "film": { "size": [8, 8] },
 "integrator": { "samplesPerPixel": 1 },
 "voxels": { "resolution": 16, "surface": "field" } })";
}

class ValidateTest : public CliTest {};

TEST_F(ValidateTest, NamesEveryOpenMeshAndItsFile) {
    write("leaf.obj", openObj("blade"));
    write("flag.obj", openObj("cloth"));
    const std::string scene =
        write("scene.json",
              sceneOf(R"("leaf": {"file": "leaf.obj"}, "flag": {"file": "flag.obj"}, "floor": {"quad": {}},
                   "ball": {"sphere": {}})",
                      R"("a": {"asset": "leaf"}, "b": {"asset": "leaf", "translate": [2, 0, 0]}, "c": {"asset": "flag"},
                   "d": {"asset": "floor"}, "e": {"asset": "ball"})"));
    const std::vector<std::string> meshes = {"of asset 'leaf' (leaf.obj), which is not closed",
                                             "of asset 'flag' (flag.obj), which is not closed",
                                             "mesh 'floor', which is not closed"};
    const Outcome said = expectFailure(kBadInput, {"validate", scene}, meshes);
    EXPECT_EQ(occurrences(said.err, "/voxels/surface: found mesh"), 3U) << said.err;
    expectFailure(kBadInput, {"render", scene, "-o", path("a.exr"), "--allow-cpu", "--no-cache"}, meshes);
    expectFailure(kUsage, {"render", scene, "-o", path("a.exr"), "--allow-cpu", "--no-cache", "--surface", "field"},
                  meshes);
    expectFailure(kBadInput, {"voxelize", scene, "-o", path("a.avo")}, meshes);
}

TEST_F(ValidateTest, NamesEveryTextureThatIsMissingOrDamaged) {
    write("a.obj", openObj("sheet", "mtllib a.mtl\n"));
    write("a.mtl", "newmtl first\nmap_Kd one.png\nnewmtl second\nmap_Kd two.png\n");
    const std::string scene = write("scene.json", sceneOf(R"("a": {"file": "a.obj"})", R"("a": {"asset": "a"})"));
    const Arguments arguments = {"validate", scene, "--set", "/voxels/surface=cubes"};
    const Outcome missing = expectDone(arguments);
    EXPECT_EQ(occurrences(missing.err, "does not exist"), 2U) << missing.err;
    for (const char* const file : {"one.png", "two.png"}) {
        EXPECT_NE(missing.err.find(file), std::string::npos) << missing.err;
        write(file, "not a picture");
    }
    const Outcome damaged = expectFailure(kBadInput, arguments, {"one.png", "two.png"});
    EXPECT_EQ(occurrences(damaged.err, "scene.json:2: /assets/a/file: "), 2U) << damaged.err;
    const Outcome model = expectFailure(kBadInput, {"validate", path("a.obj")}, {"one.png", "two.png"});
    EXPECT_EQ(occurrences(model.err, "\n"), 2U) << model.err;
}

TEST_F(ValidateTest, NamesTheKeyThatWasLikelyMeant) {
    for (const auto& [pointer, meant] :
         std::vector<std::pair<std::string, std::string>>{{"/cameras/front/fov", "verticalFov"},
                                                          {"/integrator/spp", "samplesPerPixel"},
                                                          {"/materials/grey/albedoColour", "albedo"},
                                                          {"/environment/colour", ""},
                                                          {"/environment/group", "lightGroup"}}) {
        nlohmann::json scene = parseJson(boxScene());
        scene[nlohmann::json::json_pointer(pointer)] = 1;
        const std::string file = write("scene.json", scene.dump());
        const std::string hint = meant.empty() ? "" : "did you mean '" + meant + "'?";
        const Outcome said = expectFailure(kBadInput, {"validate", file}, {pointer, hint});
        EXPECT_EQ(meant.empty(), said.err.find("did you mean") == std::string::npos) << said.err;
    }
}

} // namespace

} // namespace aureole
