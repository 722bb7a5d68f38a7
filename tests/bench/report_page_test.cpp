#include "cli/bench/report_page.h"

#include <string>

#include <gtest/gtest.h>

#include "cli/bench/markup.h"
#include "image/png/png.h"
#include "occurrences.h"

namespace aureole::cli {

namespace {

/// A picture of other values in each pixel, which PNG holds exactly.
Image gradient(std::uint32_t width, std::uint32_t height) {
    Image image = makeImage(width, height, {"R", "G", "B"});
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        image.channels[i % 3].values[i] = static_cast<float>(i) / static_cast<float>(image.pixelCount());
    }
    return image;
}

std::vector<std::byte> fromBase64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::byte> bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text.substr(0, text.find('='))) {
        bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes.push_back(static_cast<std::byte>(bits >> static_cast<unsigned>(held) & 255U));
        }
    }
    return bytes;
}

TEST(Markup, TextStaysText) {
    EXPECT_EQ(escapeMarkup("<script>alert(\"1\")</script> & \x01\n"),
              "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;   ");
    EXPECT_EQ(escapeMarkup("caf\xC3\xA9"), "caf\xC3\xA9");
    EXPECT_EQ(escapeMarkup("\xFF"), "\xEF\xBF\xBD") << "no UTF-8";
}

TEST(Markup, PicturesAreWholeInTheirUri) {
    for (const std::uint32_t width : {1U, 2U, 3U, 4U}) { // of other numbers of bytes
        const Image image = gradient(width, 5);
        const std::string uri = pngDataUri(image, "picture");
        const std::string begin = "data:image/png;base64,";
        ASSERT_TRUE(uri.starts_with(begin));
        EXPECT_EQ((uri.size() - begin.size()) % 4, 0U);
        EXPECT_EQ(fromBase64(uri.substr(begin.size())), encodePng(image, {}, "picture"));
    }
}

TEST(ReportPicture, IsShrunkByWholeBlocks) {
    Image image = makeImage(9, 4, {"R", "G", "B"});
    image.channels[0].values = {0, 2, 1, 1, 0, 0, 0, 0, 9, 4, 6, 1, 1, 0, 0, 0, 0, 9,
                                0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 9};
    const Image shrunk = shrunkTo(image, 5);
    EXPECT_EQ(shrunk.width, 4U) << "a block of one pixel's width is left out";
    EXPECT_EQ(shrunk.height, 2U);
    EXPECT_EQ(shrunk.channels[0].values, (std::vector<float>{3, 1, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(shrunkTo(image, 9).channels[0].values, image.channels[0].values);
}

TEST(ReportPicture, EqualPicturesHaveNoDifference) {
    const Image image = gradient(12, 12);
    const PicturePair same = compared("t", "", {"a", image}, {"b", image});
    EXPECT_TRUE(same.differences.empty());
    EXPECT_NE(same.note.find("equal"), std::string::npos);
    Image other = image;
    other.channels[1].values[40] = 1.0F;
    const PicturePair pair = compared("t", "", {"a", image}, {"b", other});
    ASSERT_EQ(pair.differences.size(), 1U);
    EXPECT_NE(pair.note.find("FLIP"), std::string::npos);
    EXPECT_EQ(occurrences(pairMarkup(pair), "<img"), 3U);
    EXPECT_EQ(occurrences(pairMarkup(same), "<img"), 2U);
}

TEST(ReportPage, HoldsWhatItIsGiven) {
    ReportPage page;
    page.content.title = "A & B";
    page.content.measured = "Much <b>.";
    page.facts = {{"Device", "a <device>"}};
    page.commandLine = "aureole bench '<x>'";
    const nlohmann::ordered_json tables = {
        {{"title", "t<1>"},
         {"rows", {{{"", "<i>"}, {"whole us", 12.3456789}, {"n", 3}, {"none", nullptr}}}},
         {"notes", {"a note & more"}}},
        {{"title", "empty"}, {"rows", nlohmann::ordered_json::array()}, {"notes", {"why"}}}};
    const std::string html = reportPage(page, tables);
    for (const char* part :
         {"A &amp; B", "Much &lt;b&gt;.", "a &lt;device&gt;", "<span>'&lt;x&gt;'</span>", "t&lt;1&gt;", "&lt;i&gt;",
          "a note &amp; more", R"(<td data-value="12.3456789">12.3</td>)", R"(<td data-value="3">3</td>)", "<td>-</td>",
          R"(data-key="whole us">whole µs</th>)", "<li>why</li>"}) {
        EXPECT_NE(html.find(part), std::string::npos) << part << '\n' << html;
    }
    EXPECT_EQ(occurrences(html, "<table"), 1U);
    EXPECT_EQ(html.find("Plots"), std::string::npos) << "there are none";
    EXPECT_EQ(occurrences(html, "<script"), 1U);
}

} // namespace

} // namespace aureole::cli
