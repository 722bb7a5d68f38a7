#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/metrics/flip.h"
#include "image/metrics/metrics.h"

namespace aureole {

namespace {

using Json = nlohmann::json;

class BenchDenoiseTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", shadedScene());
    }

    /// The JSON of a run on a small picture, without Open Image Denoise unless variables name it.
    Json bench(const Arguments& more, const Variables& variables) const {
        const std::string file = path("denoise.json");
        Arguments arguments = {"bench",  "denoise", scene_,        "--size",   "24x16", "--resolution", "16",
                               "--json", file,      "--allow-cpu", "--device", "0",     "--repeats",    "1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments, variables);
        return readJson(file);
    }

    /// What `render` makes of the scene for comparison.
    Image rendered(const Arguments& more) const {
        Arguments arguments = {"render",       scene_, "-o",          path("a.exr"), "--size",   "24x16",
                               "--resolution", "16",   "--allow-cpu", "--no-bloom",  "--device", "0"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments, oidn_);
        return readExr(path("a.exr"));
    }

    /// What `denoise` makes of that.
    Image denoised(const Arguments& more) const {
        Arguments arguments = {"denoise", path("a.exr"), "-o", path("clean.exr")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments, oidn_);
        return coloursOf(readExr(path("clean.exr")));
    }

    static Image coloursOf(Image image) {
        std::erase_if(image.channels, [](const Channel& channel) { return channel.name.size() > 1; });
        return image;
    }

    std::string scene_;
    Variables oidn_ = {{"AUREOLE_OIDN", FAKE_OIDN "/good"}};
};

const Json& rowsOf(const Json& document, std::size_t table) {
    return document.at("tables").at(table).at("rows");
}

TEST_F(BenchDenoiseTest, ErrorsAreThoseOfRenderedPictures) {
    Json several = Json::parse(boxScene());
    for (Json& asset : several.at("assets")) {
        asset["voxels"] = {{"resolution", 16}};
    }
    const std::string box = write("box.json", several.dump());
    const Json document = bench(
        {box, "--spp", "16,8", "--reference", "32", "--pictures", "--denoise-quality", "fast", "--denoise-rays", "0"},
        oidn_);
    ASSERT_GE(document.at("tables").size(), 4U);
    EXPECT_TRUE(document.at("tables").at(0).at("title").get<std::string>().starts_with(scene_ + ": "));
    EXPECT_TRUE(document.at("tables").at(1).at("title").get<std::string>().starts_with(box + ": "));
    const Json& rows = rowsOf(document, 0);
    ASSERT_EQ(rows.size(), 2U * 3);
    const std::vector<std::string> names = {"noisy", "builtin", "oidn"};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at(""), names[i % 3]);
        EXPECT_EQ(rows[i].at("samples"), i < 3 ? 8 : 16);
    }
    const Json& pictures = document.at("pictures");
    ASSERT_EQ(pictures.size(), 2U * 2 * 2);
    EXPECT_EQ(pictures[0].at("title"), scene_ + ", 8 samples");
    EXPECT_EQ(pictures[0].at("first").at("name"), "noisy");
    EXPECT_EQ(pictures[1].at("first").at("name"), "builtin");
    EXPECT_EQ(pictures[1].at("second").at("name"), "oidn");
    EXPECT_EQ(pictures[2].at("title"), scene_ + ", 16 samples");
    const Image truth = rendered({"--spp", "32", "--seed", "2"});
    const Image noisy = coloursOf(rendered({"--spp", "16", "--aov", "albedo,normal,depth,emission,halves"}));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Json& row = rows[3 + i];
        const Image image = i == 0   ? noisy
                            : i == 1 ? denoised({"--denoiser", "builtin"})
                                     : denoised({"--denoiser", "oidn", "--denoise-quality", "fast"});
        const NamedImage a{image, "image"};
        const NamedImage b{truth, "truth"};
        EXPECT_NEAR(row.at("relmse").get<double>() / compareImages(Metric::RelMse, a, b), 1.0, 1e-4) << row.dump();
        EXPECT_NEAR(row.at("rmse").get<double>() / compareImages(Metric::Rmse, a, b), 1.0, 1e-4) << row.dump();
        EXPECT_NEAR(row.at("flip").get<double>() / hdrFlip(a, b).mean, 1.0, 1e-3) << row.dump();
        const double brighter = meanLuminance(a) / meanLuminance({noisy, "noisy"}) - 1.0;
        EXPECT_NEAR(row.at("mean %").get<double>(), 100.0 * brighter, 1e-3) << row.dump();
    }
}

/// Against a reference of hardly more samples than the picture, RMSE would fall too slowly.
TEST_F(BenchDenoiseTest, NoiseFallsAsIfTheReferenceHadNone) {
    const Json document = bench({"--spp", "8,16,32,64", "--reference", "64"}, {{"AUREOLE_OIDN", FAKE_OIDN "/empty"}});
    const Json& rows = rowsOf(document, 0);
    ASSERT_EQ(rows.size(), 4U * 2) << "there is no Open Image Denoise";
    const Json& slopes = rowsOf(document, 1);
    ASSERT_EQ(slopes.size(), 1U);
    EXPECT_EQ(slopes[0].at(""), scene_);
    const double withReference = std::log2(rows[0].at("rmse").get<double>() / rows[6].at("rmse").get<double>()) / 3.0;
    const double noisy = slopes[0].at("noisy").get<double>();
    EXPECT_GT(noisy, 0.45) << "Sobol points are no worse than independent ones";
    EXPECT_LT(noisy, 0.85);
    EXPECT_GT(noisy, withReference + 0.05);
    EXPECT_TRUE(slopes[0].at("builtin").is_number());
    const Json& times = rowsOf(document, 2);
    ASSERT_EQ(times.size(), 1U);
    EXPECT_GT(times[0].at("filter ms"), 0.0);
    EXPECT_GT(times[0].at("host ms"), 0.0);
    EXPECT_NEAR(times[0].at("ms").get<double>(),
                times[0].at("filter ms").get<double>() + times[0].at("host ms").get<double>(), 1e-9);
    const Json& notes = document.at("tables").at(2).at("notes");
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(notes[0], "builtin: aureole's own filter");
    EXPECT_NE(notes[1].get<std::string>().find("found no function oidnNewDevice"), std::string::npos);
}

TEST_F(BenchDenoiseTest, WrongOptionsAreNamed) {
    const auto refused = [&](Arguments more, const std::vector<std::string>& fragments) {
        more.insert(more.begin(), {"bench", "denoise", scene_, "--allow-cpu"});
        expectFailure(kUsage, more, fragments);
    };
    refused({"--spp", "16,48"}, {"--spp", "48", "power of two"});
    refused({"--spp", "16,"}, {"--spp"});
    refused({"--reference", "100"}, {"--reference", "100", "power of two"});
    refused({"--json", path("scene.json")}, {"scene.json"});
    expectFailure(kUsage, {"bench", "denoise", "--allow-cpu"}, {"SCENE"});
    expectFailure(kBadInput, {"bench", "denoise", path("none.json"), "--allow-cpu"}, {"none.json"});
}

} // namespace

} // namespace aureole
