// Scenes without a surface: the picture shows their environment.

#include <cmath>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

class EmptyScene : public CliTest {
protected:
    std::string skyScene(const std::string& environment) const {
        return write("sky.json", R"({"version":1,"cameras":{"c":{"position":[0,0,5],"target":[0,1,0]}},
            "film":{"size":[32,24]},"integrator":{"samplesPerPixel":8},"bloom":{}, "environment":)" +
                                     environment + "}");
    }
    Image render(const std::string& scene, Arguments options) const {
        options.insert(options.begin(), {"render", scene, "-o", path("out.exr")});
        expectDone(options);
        return readExr(path("out.exr"));
    }
};

void expectEvery(const Image& image, const std::string& channel, float value) {
    for (const float found : image.find(channel)->values) {
        ASSERT_NEAR(found, value, 1e-3F * value) << channel;
    }
}

TEST_F(EmptyScene, ShowsItsSky) {
    const std::string scene = skyScene(R"({"type":"constant","radiance":[0.5,1,2]})");
    for (const char* backend : {"gpu", "reference"}) {
        for (const Arguments& more : {Arguments{}, Arguments{"--noise", "0.1", "--spp", "32"}}) {
            Arguments options = {"--backend", backend, "--aov", "all", "--transparent", "--no-bloom"};
            options.insert(options.end(), more.begin(), more.end());
            const Image image = render(scene, options);
            expectEvery(image, "A", 0.0F);
            expectEvery(image, "emission.G", 0.0F); // a transparent picture has no background
            expectEvery(image, "depth.Z", 0.0F);
            for (const Channel& channel : image.channels) {
                for (const float value : channel.values) {
                    ASSERT_TRUE(std::isfinite(value)) << backend << ' ' << channel.name;
                }
            }
        }
        const Image seen = render(scene, {"--backend", backend, "--no-bloom"});
        expectEvery(seen, "R", 0.5F);
        expectEvery(seen, "B", 2.0F);
        const Image bloomed = render(scene, {"--backend", backend});
        for (const float value : bloomed.find("B")->values) {
            ASSERT_TRUE(std::isfinite(value) && value > 0.0F && value < 2.01F);
        }
    }
}

TEST_F(EmptyScene, WithoutAnythingIsBlackAndSaysSo) {
    const std::string scene = skyScene(R"({"type":"constant","radiance":0})");
    for (const char* backend : {"gpu", "reference"}) {
        const Outcome outcome = expectDone({"render", scene, "-o", path("out.exr"), "--backend", backend});
        EXPECT_NE(outcome.err.find("neither an instance nor an environment"), std::string::npos) << outcome.err;
        expectEvery(readExr(path("out.exr")), "G", 0.0F);
    }
    EXPECT_EQ(expectDone({"validate", scene}).code, 0);
}

TEST_F(EmptyScene, GivesNoModel) {
    const std::string scene = skyScene(R"({"type":"constant","radiance":1})");
    expectFailure(3, {"voxelize", scene, "-o", path("out.avo"), "--resolution", "32"},
                  {"sky.json", "nothing to voxelise"});
}

} // namespace

} // namespace aureole
