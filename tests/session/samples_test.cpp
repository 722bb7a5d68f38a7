#include "cli_test.h"
#include "film/film.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

class SamplesTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", shadedScene());
    }

    Image render(const std::string& output, const Arguments& options) const {
        Arguments arguments = {"render", scene_, "-o", path(output)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path(output));
    }

    std::string scene_;
};

TEST_F(SamplesTest, SameSeedGivesTheSameBytes) {
    const Image first = render("a.exr", {"--seed", "5"});
    const Image second = render("b.exr", {"--seed", "5"});
    const Image other = render("c.exr", {"--seed", "6"});
    ASSERT_EQ(first.channels.size(), second.channels.size());
    for (std::size_t c = 0; c < first.channels.size(); ++c) {
        EXPECT_EQ(first.channels[c].values, second.channels[c].values) << first.channels[c].name;
    }
    EXPECT_GT(largestDifference(first, other), 0.0) << "the seed changes nothing";
}

TEST_F(SamplesTest, PartsMergeIntoTheWhole) {
    const Image whole = render("whole.exr", {"--spp", "12", "--backend", "reference"});
    const Image first = render("first.exr", {"--samples", "0:5", "--backend", "reference"});
    const Image second = render("second.exr", {"--samples", "5:12", "--backend", "reference"});
    EXPECT_GT(largestDifference(first, second), 1e-3) << "the parts do not differ";
    EXPECT_NE(first.find("halfA.R"), nullptr);
    // Whatever the order.
    expectDone({"merge", path("second.exr"), path("first.exr"), "-o", path("merged.exr")});
    const Image merged = readExr(path("merged.exr"));
    EXPECT_LE(largestDifference(merged, whole), 1e-6);
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:12");
    EXPECT_EQ(merged.attributes.at("aureole.command"),
              "aureole merge " + path("first.exr") + " " + path("second.exr") + " -o " + path("merged.exr"));
    EXPECT_EQ(merged.attributes.at("aureole.parts"), readExr(path("first.exr")).attributes.at("aureole.command") +
                                                         "\n" +
                                                         readExr(path("second.exr")).attributes.at("aureole.command"));
    expectDone({"merge", path("merged.exr"), "-o", path("again.exr")});
    EXPECT_EQ(readExr(path("again.exr")).attributes.at("aureole.parts"), merged.attributes.at("aureole.parts"));
    EXPECT_EQ(merged.attributes.at("aureole.scene_hash"), whole.attributes.at("aureole.scene_hash"));
}

TEST_F(SamplesTest, PartsOfDifferentPicturesDoNotMerge) {
    render("a.exr", {"--samples", "0:1", "--backend", "reference"});
    render("b.exr", {"--samples", "1:2", "--seed", "2", "--backend", "reference"});
    render("c.exr", {"--spp", "1", "--backend", "reference"});
    render("d.exr", {"--samples", "1:2"});
    const std::string out = path("out.exr");
    expectFailure(kBadInput, {"merge", path("a.exr"), path("b.exr"), "-o", out}, {"b.exr", "aureole.seed"});
    expectFailure(kBadInput, {"merge", path("a.exr"), path("d.exr"), "-o", out}, {"d.exr", "aureole.backend"});
    expectFailure(kBadInput, {"merge", path("a.exr"), path("a.exr"), "-o", out}, {"overlap"});
    expectFailure(kBadInput, {"merge", path("c.exr"), "-o", out}, {"c.exr", "moment.R"});
}

TEST_F(SamplesTest, CropIsAPartOfThePicture) {
    const Image whole = render("whole.exr", {"--backend", "reference"});
    const Image part = render("part.exr", {"--crop", "5,7,21,19", "--backend", "reference"});
    ASSERT_EQ(part.width, 16U);
    ASSERT_EQ(part.height, 12U);
    EXPECT_EQ(part.attributes.at("aureole.crop"), "5,7,21,19");
    EXPECT_EQ(part.attributes.at("aureole.size"), "32x24");
    for (std::uint32_t y = 0; y < part.height; ++y) {
        for (std::uint32_t x = 0; x < part.width; ++x) {
            ASSERT_EQ(pixel(part, x, y), pixel(whole, x + 5, y + 7)) << x << ", " << y;
        }
    }
}

TEST_F(SamplesTest, TimeEndsTheRenderWithAnHonestCount) {
    const Image image = render("a.exr", {"--time", "0.5s", "--backend", "reference"});
    const IndexRanges ranges = parseRanges(image.attributes.at("aureole.samples"));
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].first, 0U);
    // The same samples again, counted out.
    const Image counted = render("b.exr", {"--spp", std::to_string(ranges[0].second), "--backend", "reference"});
    EXPECT_EQ(largestDifference(image, counted), 0.0);
}

} // namespace

} // namespace aureole
