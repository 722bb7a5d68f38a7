#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/bench_compare.h"
#include "cli_test.h"

namespace aureole::bench {

namespace {

/// A report of sorts with these times, and of one table that no other has.
std::string report(double microseconds, double others, const std::string& extra) {
    const nlohmann::ordered_json document = {
        {"benchmark", "scan"},
        {"device", "Some GPU " + extra},
        {"driver", "1"},
        {"tables",
         {{{"title", "sorts"},
           {"rows",
            {{{"", "onesweep"}, {"keys", 1024}, {"us", microseconds}, {"quartile 1", 1.5}, {"at edges", 7}},
             {{"", "onesweep"}, {"keys", 2048}, {"us", others}, {"of copy", nullptr}},
             {{"", "onesweep"}, {"keys", 2048}, {"us", others + 1.0}}}}},
          {{"title", extra}, {"rows", {{{"", "row"}, {"us", 1.0}}}}}}}};
    return document.dump();
}

class BenchCompareTest : public CliTest {};

TEST_F(BenchCompareTest, FindsTheSameRows) {
    const std::string a = write("a.json", report(2.0, 10.0, "a"));
    const std::string b = write("b.json", R"({"reports": [)" + report(3.0, 5.0, "b") + "]}");
    const std::vector<SharedFigure> figures = sharedFigures({readReports(a), readReports(b)});
    ASSERT_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[0].row, "onesweep, 1024 keys");
    EXPECT_EQ(figures[0].column, "us");
    EXPECT_EQ(figures[0].values, (std::vector<double>{2.0, 3.0}));
    EXPECT_EQ(figures[1].values, (std::vector<double>{10.0, 5.0}));
    EXPECT_EQ(figures[2].row, "onesweep, 2048 keys (2)");
    EXPECT_EQ(figures[2].values, (std::vector<double>{11.0, 6.0}));
}

TEST_F(BenchCompareTest, PrintsFiguresBesideEachOther) {
    const std::string a = write("a.json", report(2.0, 10.0, "a"));
    const std::string b = write("b.json", report(3.0, 5.0, "b"));
    const std::string out = expectDone({"bench", "compare", a, b, a}).out;
    EXPECT_NE(out.find("A: " + a + ", Some GPU a, driver 1\nB: " + b), std::string::npos) << out;
    EXPECT_NE(out.find("\nscan: sorts\n"), std::string::npos) << out;
    const std::size_t row = out.find("\nonesweep, 1024 keys");
    ASSERT_NE(row, std::string::npos) << out;
    std::istringstream words(out.substr(row + std::string("\nonesweep, 1024 keys").size()));
    for (const char* expected : {"us", "2.000", "3.000", "2.000", "1.500", "1.000", "onesweep,"}) {
        std::string word;
        words >> word;
        EXPECT_EQ(word, expected);
    }
}

TEST_F(BenchCompareTest, ListsWhatNotAllFilesHave) {
    const auto file = [&](const char* name, const std::string& rows) {
        return write(name,
                     R"({"benchmark": "scan", "device": "", "driver": "", "tables": [{"title": "sorts", "rows": [)" +
                         rows + "]}]}");
    };
    const std::string same = R"({"": "copy", "us": 1.0})";
    const std::string a = file("a.json", same + R"(, {"": "384x20", "keys": 64, "us": 2.0, "GB/s": 3.0})");
    const std::string b = file("b.json", same + R"(, {"": "256x20", "keys": 64, "us": 2.0, "GB/s": 3.0})");
    const std::string c =
        file("c.json", R"({"": "copy", "us": 1.0, "GB/s": 3.0}, {"": "384x20", "keys": 64, "us": 2.0})");
    const std::string d = write("d.json", report(2.0, 10.0, "others"));
    const std::string e = write("e.json", report(2.0, 10.0, "more"));
    EXPECT_NE(expectDone({"bench", "compare", a, b, c})
                  .out.find("\nNot in all files, and so not compared:\n"
                            "AC only: scan: sorts: 384x20, 64 keys\n"
                            "B only: scan: sorts: 256x20, 64 keys\n"
                            "C only: scan: sorts: copy: GB/s\n"),
              std::string::npos);
    EXPECT_NE(expectDone({"bench", "compare", d, e}).out.find("A only: scan: others\nB only: scan: more\n"),
              std::string::npos)
        << "a table is named, not its rows";
    EXPECT_EQ(expectDone({"bench", "compare", a, a}).out.find("Not in all"), std::string::npos);
}

TEST_F(BenchCompareTest, WrongFilesAreNamed) {
    const std::string good = write("good.json", report(2.0, 10.0, "a"));
    expectFailure(kUsage, {"bench", "compare", good}, {"FILE", "found 1", "2 to 26"});
    expectFailure(kBadInput, {"bench", "compare", good, path("none.json")}, {"none.json"});
    for (const char* text :
         {"[]", "3", R"({"reports": []})", R"({"benchmark": "scan"})",
          R"({"benchmark": "scan", "device": "", "driver": "", "tables": [{"title": 3, "rows": []}]})",
          R"({"benchmark": "scan", "device": "", "driver": "", "tables": [{"title": "", "rows": [3]}]})"}) {
        expectFailure(kBadInput, {"bench", "compare", good, write("bad.json", text)}, {"bad.json", "no tables"});
    }
    for (const char* text : {"", R"({"benchmark": "scan",)"}) {
        expectFailure(kBadInput, {"bench", "compare", good, write("bad.json", text)}, {"bad.json", "no JSON"});
    }
    const std::string other = write("other.json", R"({"benchmark": "fft", "device": "", "driver": "", "tables": []})");
    expectFailure(kBadInput, {"bench", "compare", good, other}, {"good.json", "other.json", "no row"});
}

} // namespace

} // namespace aureole::bench
