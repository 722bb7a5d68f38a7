#include <fstream>

#include <nlohmann/json.hpp>

#include "cli_test.h"

namespace aureole {

namespace {

constexpr int kUsage = 2;
constexpr int kCannotWrite = 5;

class BenchTest : public CliTest {};

TEST_F(BenchTest, ScanTablesForPeopleAndPrograms) {
    const std::string file = path("scan.json");
    const Outcome outcome =
        expectDone({"bench",       "scan",     "--items",          "4096,9999", "--workgroup", "64,128",
                    "--rows",      "1",        "--sort-workgroup", "64",        "--sort-keys", "4",
                    "--subgroups", "emulated", "--method",         "two-pass",  "--repeats",   "2",
                    "--json",      file,       "--allow-cpu"});
    const nlohmann::json document = nlohmann::json::parse(std::ifstream(file));
    EXPECT_EQ(document.at("benchmark"), "scan");
    EXPECT_NE(outcome.out.find(document.at("device").get<std::string>()), std::string::npos);
    const nlohmann::json& tables = document.at("tables");
    ASSERT_EQ(tables.size(), 3U);
    // Of each size a copy, and for either workgroup a reduction and a scan; subgroups and workgroups of three sizes,
    // native and emulated; of each size a sort.
    EXPECT_EQ(tables[0].at("rows").size(), 2U * (1 + 2 * 2));
    EXPECT_EQ(tables[1].at("rows").size(), 2U * 3 * 2);
    EXPECT_EQ(tables[2].at("rows").size(), 2U);
    for (const nlohmann::json& table : tables) {
        EXPECT_NE(outcome.out.find(table.at("title").get<std::string>()), std::string::npos);
        for (const nlohmann::json& row : table.at("rows")) {
            EXPECT_GT(row.at("us").get<double>(), 0.0);
        }
    }
}

TEST_F(BenchTest, WrongOptionsAreNamed) {
    expectFailure(kUsage, {"bench"}, {"subcommand", "aureole bench --help"});
    expectFailure(kUsage, {"bench", "skan"}, {"'skan'", "aureole bench", "scan"});
    expectFailure(kUsage, {"bench", "scan", "--item", "5"}, {"'--item'", "aureole bench scan", "--items"});
    expectFailure(kUsage, {"bench", "scan", "--items", "12,x"}, {"--items", "'x'"});
    expectFailure(kUsage, {"bench", "scan", "--workgroup", "63"}, {"--workgroup", "63", "multiples of"});
    expectFailure(kUsage, {"bench", "scan", "--sort-keys", "5"}, {"--sort-keys", "4, 8 or 16"});
    expectFailure(kUsage, {"bench", "scan", "--method", "one-pas"}, {"--method", "one-pass"});
    expectFailure(kCannotWrite, {"bench", "scan", "--json", path("none/scan.json")}, {"none"});
}

} // namespace

} // namespace aureole
