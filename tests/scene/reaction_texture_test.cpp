// Simulated textures in scenes.

#include "json_test_util.h"

namespace aureole {
namespace {

class ReactionTextureTest : public SceneJsonTest {
protected:
    static std::vector<SceneOverride> with(const std::string& slot, const std::string& value) {
        return {{"/materials/wall/" + slot, value}};
    }
};

TEST_F(ReactionTextureTest, StandsInTheScene) {
    const Scene scene = load(minimalScene(), with("emissionTexture", R"({ "mapping": "triplanar", "tile": 0.25,
        "texture": { "type": "reaction_diffusion", "size": [30, 20], "feed": 0.03, "palette": ["#000000", "#ff0000"] } })"));
    ASSERT_EQ(scene.simulated.size(), 1U);
    const SimulatedTexture& use = scene.simulated[0];
    const TextureSlot& slot = scene.materials[0].emissionTexture;
    EXPECT_EQ(slot.texture, use.texture);
    EXPECT_TRUE(slot.triplanar);
    EXPECT_EQ(slot.tile, 0.25);
    EXPECT_TRUE(use.srgb);
    EXPECT_FALSE(use.roughness);
    EXPECT_EQ(use.simulation.pointer, "/materials/wall/emissionTexture/texture");
    EXPECT_EQ(use.simulation.size, glm::uvec2(30, 20));
    EXPECT_EQ(use.simulation.pixels, glm::uvec2(30, 20));
    EXPECT_EQ(use.simulation.feed.from, 0.03F);
    EXPECT_EQ(use.simulation.kill.to, 0.06F);
    EXPECT_EQ(std::get<ColourList>(use.simulation.palette).at(1), glm::dvec3(1, 0, 0));
    EXPECT_EQ(scene.materials[0].emission, glm::vec3(1.0F));   // as with a file
    ASSERT_EQ(scene.textures.at(use.texture).rgba.size(), 4U); // white until it is made
}

TEST_F(ReactionTextureTest, RoughnessLeavesMetalnessAlone) {
    const std::string texture = R"({ "texture": { "type": "reaction_diffusion" } })";
    const Scene scene = load(minimalScene(), with("metallicRoughnessTexture", texture));
    EXPECT_TRUE(scene.simulated.at(0).roughness);
    EXPECT_FALSE(scene.simulated.at(0).srgb);
    EXPECT_EQ(scene.materials[0].metalness, 0.0F);
    EXPECT_EQ(scene.materials[0].roughness, 1.0F);
}

TEST_F(ReactionTextureTest, WhatIsWrongIsNamed) {
    const auto expect = [&](const std::string& slot, const std::string& value, const std::string& pointer,
                            const std::string& words) {
        const std::vector<SceneProblem> found = problems(minimalScene(), with(slot, value));
        ASSERT_EQ(found.size(), 1U) << value << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, "/materials/wall/" + pointer) << join(found);
        EXPECT_NE(found[0].message.find(words), std::string::npos) << join(found);
    };
    const std::string simple = R"("texture": { "type": "reaction_diffusion" })";
    expect("albedoTexture", "{}", "albedoTexture", "neither 'file' nor 'texture'");
    expect("albedoTexture", "{" + simple + R"(, "tile": 2 })", "albedoTexture/tile", "'triplanar'");
    expect("albedoTexture", "{" + simple + R"(, "mapping": "cube" })", "albedoTexture/mapping", "'triplanar'");
    expect("albedoTexture", R"({ "texture": { "type": "noise" } })", "albedoTexture/texture/type",
           "'reaction_diffusion'");
    expect("emissionTexture", R"({ "texture": { "type": "reaction_diffusion", "dt": 9 } })",
           "emissionTexture/texture/dt", "'dt' of at most 1.4");
    // Two numbers, but one float.
    expect("albedoTexture", R"({ "texture": { "type": "reaction_diffusion", "range": [0.1, 0.1000000001] } })",
           "albedoTexture/texture/range", "the first below the second");
    const auto expectIn = [&](const std::string& keys, const std::string& pointer, const std::string& words) {
        expect("albedoTexture", R"({ "texture": { "type": "reaction_diffusion", "steps": 40, )" + keys + " } }",
               "albedoTexture/texture/" + pointer, words);
    };
    expectIn(R"("warp": { "swirl": {}, "every": 41 })", "warp/every",
             "found 41 with 40 steps, expected at most as many");
    expectIn(R"("feed": { "keys": [[0, 0.03], [9, 1.5]] })", "feed/keys/1/1",
             "found 1.5, expected a number from 0 to 1");
    expectIn(R"("kill": { "keys": [[-1, 0.06]] })", "kill/keys/0/0", "found -1, expected a whole number from 0 to");
    expectIn(R"("feed": { "keys": [[5, 0], [4, 0]] })", "feed/keys/1",
             "found step 4 after step 5, expected ascending steps");
    expectIn(R"("feed": { "keys": [] })", "feed/keys", "at least one [step, value]");
    EXPECT_TRUE(problems(minimalScene(), with("albedoTexture", R"({ "texture": { "type": "reaction_diffusion",
        "steps": 40, "warp": { "swirl": {}, "every": 40 } } })"))
                    .empty());
    const std::string warps = join(problems(minimalScene(), with("albedoTexture", R"({ "texture": {
        "type": "reaction_diffusion", "warp": { "swirl": {}, "noise": 3 } } })")));
    EXPECT_NE(warps.find("found several of 'noise', 'swirl' and 'image'"), std::string::npos) << warps;
    const std::string normals = join(problems(minimalScene(), with("normalTexture", "{" + simple + "}")));
    EXPECT_NE(normals.find("/normalTexture/texture: found the unknown key 'texture'"), std::string::npos) << normals;
}

} // namespace
} // namespace aureole
