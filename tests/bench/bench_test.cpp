#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <sys/wait.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "test_files.h"

namespace aureole {

namespace {

/// Of radices as in "16x16x4".
std::uint64_t productOf(const std::string& radices) {
    std::istringstream text(radices);
    std::uint64_t product = 1;
    for (std::string factor; std::getline(text, factor, 'x');) {
        product *= std::stoul(factor);
    }
    return product;
}

class BenchTest : public CliTest {};

/// What a command line writes to standard output, and its exit code.
std::pair<std::string, int> shell(const std::string& command) {
    FILE* const pipe = ::popen(command.c_str(), "r");
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        text += static_cast<char>(c);
    }
    const int status = ::pclose(pipe);
    return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

TEST_F(BenchTest, ScanTablesForPeopleAndPrograms) {
    const std::string file = path("scan.json");
    const Outcome outcome =
        expectDone({"bench",       "scan",     "--items",          "4096,9999", "--workgroup", "64,128",
                    "--rows",      "1",        "--sort-workgroup", "64",        "--sort-keys", "4",
                    "--subgroups", "emulated", "--method",         "two-pass",  "--repeats",   "2",
                    "--json",      file,       "--allow-cpu"});
    const nlohmann::json document = readJson(file);
    EXPECT_EQ(document.at("benchmark"), "scan");
    EXPECT_NE(outcome.out.find(document.at("device").get<std::string>()), std::string::npos);
    const nlohmann::json& tables = document.at("tables");
    ASSERT_EQ(tables.size(), 3U);
    // Of each size a copy, and for either workgroup a reduction and a scan; subgroups and workgroups of three sizes,
    // native and emulated; of each size a sort of pairs and one of keys.
    EXPECT_EQ(tables[0].at("rows").size(), 2U * (1 + 2 * 2));
    EXPECT_EQ(tables[1].at("rows").size(), 2U * 3 * 2);
    EXPECT_EQ(tables[2].at("rows").size(), 2U * 2);
    for (const nlohmann::json& table : tables) {
        EXPECT_NE(outcome.out.find(table.at("title").get<std::string>()), std::string::npos);
        for (const nlohmann::json& row : table.at("rows")) {
            EXPECT_GT(row.at("us").get<double>(), 0.0);
        }
    }
}

TEST_F(BenchTest, SortsAreSweptInEitherForm) {
    const std::string file = path("sort.json");
    for (const std::string method : {"portable", "onesweep"}) {
        expectDone({"bench",       "scan", "--items",       "5000", "--workgroup",      "64",
                    "--rows",      "1",    "--sort-method", method, "--sort-workgroup", "64",
                    "--sort-keys", "4,12", "--sort-bits",   "20",   "--sort-look-back", "2",
                    "--repeats",   "1",    "--json",        file,   "--allow-cpu"});
        const nlohmann::json document = readJson(file);
        const nlohmann::json& table = document.at("tables").at(2);
        EXPECT_NE(table.at("title").get<std::string>().find("20-bit"), std::string::npos);
        ASSERT_EQ(table.at("rows").size(), method == "onesweep" ? 4U : 2U); // 12 keys are for onesweep alone
        const std::string last = method + (method == "onesweep" ? " 64x12 back 2" : " 64x4");
        EXPECT_EQ(table.at("rows").at(table.at("rows").size() - 2).at(""), last);
        EXPECT_EQ(table.at("rows").back().at(""), last + ", keys alone");
    }
}

TEST_F(BenchTest, FftRowsOfEachLengthAndOrder) {
    const std::string file = path("fft.json");
    expectDone({"bench", "fft", "--lengths", "2,60,64", "--batch", "9", "--repeats", "2", "--exchange", "shuffle",
                "--json", file, "--device", "0", "--allow-cpu"});
    const nlohmann::json document = readJson(file);
    EXPECT_EQ(document.at("benchmark"), "fft");
    ASSERT_EQ(document.at("tables").size(), 2U) << "complex and real lines, no images";
    EXPECT_EQ(document.at("tables").at(1).at("rows").size(), 3U * 2);
    EXPECT_EQ(document.at("tables").at(1).at("rows").at(2).at(""), "60 real, natural order");
    const nlohmann::json& rows = document.at("tables").at(0).at("rows");
    ASSERT_EQ(rows.size(), 3U * 2);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t length = std::vector<std::uint32_t>{2, 60, 64}.at(i / 2);
        EXPECT_EQ(rows[i].at("length"), length);
        EXPECT_EQ(rows[i].at("batch"), 9);
        EXPECT_EQ(productOf(rows[i].at("radices").get<std::string>()), length);
        EXPECT_EQ(rows[i].at("shuffles"), length == 64 ? 1 : 0); // 8x8
        EXPECT_GT(rows[i].at("us").get<double>(), 0.0);
        EXPECT_GT(rows[i].at("of copy").get<double>(), 0.0);
        // Eight bytes a value read and as many written.
        const double bytes = rows[i].at("GB/s").get<double>() * rows[i].at("us").get<double>() * 1e3;
        EXPECT_NEAR(bytes, 16.0 * length * 9, 1e-6 * bytes);
    }
}

TEST_F(BenchTest, FftRowsOfImages) {
    const std::string file = path("images.json");
    expectDone({"bench", "fft", "--sizes", "12x15,7x4", "--batch", "3", "--repeats", "1", "--json", file, "--device",
                "0", "--allow-cpu"});
    const nlohmann::json document = readJson(file);
    ASSERT_EQ(document.at("tables").size(), 1U);
    const nlohmann::json& rows = document.at("tables").at(0).at("rows");
    ASSERT_EQ(rows.size(), 3U * 2) << "7x4 is complex alone";
    EXPECT_EQ(rows.at(2).at(""), "12x15 real, natural order");
    // Four bytes a value read and as many written, twice.
    const double bytes = rows.at(2).at("GB/s").get<double>() * rows.at(2).at("us").get<double>() * 1e3;
    EXPECT_NEAR(bytes, 16.0 * 12 * 15 * 3, 1e-6 * bytes);
}

TEST_F(BenchTest, FftWithHalvesAndValuesOfAnInvocation) {
    const std::string file = path("half.json");
    expectDone({"bench", "fft", "--sizes", "32x16", "--half", "--elements", "8", "--batch", "2", "--repeats", "1",
                "--json", file, "--device", "0", "--allow-cpu"});
    const nlohmann::json rows = readJson(file).at("tables").at(0).at("rows");
    ASSERT_EQ(rows.size(), 2U * 2);
    EXPECT_EQ(rows.at(0).at(""), "32x16 complex, natural order, half");
    EXPECT_EQ(rows.at(0).at("elements"), 8);
    // Eight bytes a value read, four written, four read and eight written.
    const double bytes = rows.at(0).at("GB/s").get<double>() * rows.at(0).at("us").get<double>() * 1e3;
    EXPECT_NEAR(bytes, 24.0 * 32 * 16 * 2, 1e-6 * bytes);
}

TEST_F(BenchTest, TexturesOfEachSizeAndTiling) {
    const std::string file = path("texture.json");
    expectDone({"bench",     "texture", "--sizes", "40,70",   "--sweep",  "50",        "--lanes",
                "8x4,16x2",  "--rows",  "2,4",     "--fused", "1,3",      "--storage", "fp16",
                "--repeats", "1",       "--json",  file,      "--device", "0",         "--allow-cpu"});
    const nlohmann::json document = readJson(file);
    EXPECT_EQ(document.at("benchmark"), "texture");
    ASSERT_EQ(document.at("tables").size(), 2U);
    const nlohmann::json& sizes = document.at("tables").at(0).at("rows");
    ASSERT_EQ(sizes.size(), 2U * (1 + 2));
    EXPECT_EQ(sizes.at(0).at("tile"), "none");
    EXPECT_EQ(sizes.at(3).at("size"), 70);
    // Of 2 rows in 8x4 lanes, tiles of 8 rows are enough for 3 steps, and in 16x2 lanes tiles of 4 rows are not.
    const nlohmann::json& tilings = document.at("tables").at(1);
    ASSERT_EQ(tilings.at("rows").size(), 2U * 2 * 2 - 1);
    EXPECT_EQ(tilings.at("rows").at(1).at(""), "fp16 8x4 of 4x2, 3 fused");
    EXPECT_EQ(tilings.at("rows").at(1).at("tile"), "32x8");
    ASSERT_EQ(tilings.at("notes").size(), 1U);
    EXPECT_NE(tilings.at("notes").at(0).get<std::string>().find("found tiles of 64x4 cells"), std::string::npos);
    for (const nlohmann::json& table : document.at("tables")) {
        for (const nlohmann::json& row : table.at("rows")) {
            // Four bytes a cell read and as many written.
            const auto size = row.at("size").get<double>();
            const double bytes = row.at("GB/s").get<double>() * row.at("us a step").get<double>() * 1e3;
            EXPECT_NEAR(bytes, 8.0 * size * size, 1e-6 * bytes);
            EXPECT_NEAR(row.at("steps/s").get<double>() * row.at("us a step").get<double>(), 1e6, 1.0);
            EXPECT_GT(row.at("of copy").get<double>(), 0.0);
        }
    }
}

TEST_F(BenchTest, BloomTakesTuningAndBothKernels) {
    const std::string file = path("bloom.json");
    expectDone({"bench",
                "bloom",
                "--size",
                "21x13",
                "--kernel-size",
                "8",
                "--symmetric",
                "--axis",
                "columns",
                "--first-period",
                "24",
                "--second-period",
                "32",
                "--pairs",
                "2",
                "--bins",
                "1",
                "--repeats",
                "2",
                "--json",
                file,
                "--allow-cpu"});
    const nlohmann::json document = readJson(file);
    EXPECT_EQ(document.at("benchmark"), "bloom");
    const nlohmann::json& tables = document.at("tables");
    ASSERT_EQ(tables.size(), 2U);
    ASSERT_EQ(tables[0].at("rows").size(), 2U);
    for (const nlohmann::json& row : tables[0].at("rows")) {
        EXPECT_EQ(row.at("first axis"), "columns");
        EXPECT_EQ(row.at("1st period"), 24);
        EXPECT_EQ(productOf(row.at("1st radices").get<std::string>()), 24U);
        EXPECT_EQ(row.at("2nd period"), 32);
        EXPECT_EQ(productOf(row.at("2nd radices").get<std::string>()), 32U);
    }
    const nlohmann::json& rows = tables[1].at("rows");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at(""), "21x13, 8 general");
    EXPECT_EQ(rows[1].at(""), "21x13, 9 symmetric");
    for (const nlohmann::json& row : rows) {
        for (const char* time : {"whole us", "first us", "second us", "third us", "floor us"}) {
            EXPECT_GT(row.at(time).get<double>(), 0.0) << time;
        }
        const double whole = row.at("whole us").get<double>();
        EXPECT_NEAR(row.at("of floor").get<double>() * row.at("floor us").get<double>(), whole, 1e-6 * whole);
    }
    // Image, spectrum (24 by 11 pairs) and kernel (13 bins by 32), as often as the passes read and write them; the
    // symmetric kernel takes half.
    EXPECT_NEAR(rows[0].at("MB").get<double>(), 3e-6 * (2 * 4 * 21 * 13 + 4 * 8 * 24 * 11 + 8 * 13 * 32), 1e-9);
    EXPECT_NEAR(rows[1].at("MB").get<double>(), 3e-6 * (2 * 4 * 21 * 13 + 4 * 8 * 24 * 11 + 4 * 13 * 32), 1e-9);
}

TEST_F(BenchTest, BloomOfResampledKernels) {
    const std::string file = path("bloom.json");
    expectDone({"bench", "bloom", "--size", "21x13", "--kernel-size", "8", "--mode", "resampled", "--repeats", "1",
                "--json", file, "--allow-cpu"});
    const nlohmann::json document = readJson(file);
    const nlohmann::json& shape = document.at("tables")[0].at("rows")[0];
    const nlohmann::json& row = document.at("tables")[1].at("rows")[0];
    // Both axes at once are 8 texels at twice as many frequencies.
    const bool columns = shape.at("first axis") == "columns";
    const double first = shape.at("1st period").get<double>() * (columns ? 11 : 7);
    EXPECT_NEAR(row.at("MB").get<double>(), 3e-6 * (2 * 4 * 21 * 13 + 4 * 8 * first + 8 * 9 * 16), 1e-9);
    expectDone({"bench", "bloom", "--size", "21x13", "--kernel-size", "8", "--mode", "resampled", "--resample",
                "bilinear", "--repeats", "1", "--allow-cpu"});
    expectFailure(kUsage, {"bench", "bloom", "--resample", "kaiser"}, {"--resample", "--mode resampled"});
}

TEST_F(BenchTest, BloomOfASinglePixel) {
    expectDone({"bench", "bloom", "--size", "1x1", "--kernel-size", "4", "--repeats", "1", "--allow-cpu"});
}

/// Either is checked by what it computes.
TEST_F(BenchTest, BloomTakesBothExchanges) {
    for (const char* const exchange : {"memory", "shuffle"}) {
        expectDone({"bench", "bloom", "--size", "21x13", "--kernel-size", "9", "--exchange", exchange, "--repeats", "1",
                    "--allow-cpu"});
    }
    expectFailure(kUsage, {"bench", "bloom", "--exchange", "shufle"}, {"--exchange", "did you mean 'shuffle'?"});
}

/// What all benchmarks have; report_test.py draws it.
TEST_F(BenchTest, EachTakesADeviceAndWritesWhatWasMeasured) {
    const std::string scene = write("scene.json", boxScene());
    const std::vector<Arguments> benchmarks = {
        {"scan", "--items", "4096", "--workgroup", "64", "--rows", "1", "--sort-workgroup", "64", "--sort-keys", "4"},
        {"fft", "--lengths", "16"},
        {"bloom", "--size", "8x6", "--kernel-size", "5"},
        {"traverse", scene, "--resolution", "16", "--size", "8x6", "--rays", "primary", "--strategy", "thread"},
        {"render", scene, "--resolution", "16", "--size", "8x6", "--spp", "8", "--reference", "8", "--strategy", "mis"},
    };
    for (const Arguments& benchmark : benchmarks) {
        const std::string file = path(benchmark[0] + ".json");
        const auto on = [&](const std::string& device) {
            Arguments arguments = {"bench"};
            arguments.insert(arguments.end(), benchmark.begin(), benchmark.end());
            arguments.insert(arguments.end(), {"--device", device, "--allow-cpu", "--repeats", "1", "--json", file});
            return arguments;
        };
        expectFailure(kNoDevice, on("77"), {"'77'"});
        EXPECT_FALSE(std::filesystem::exists(file));
        const Outcome outcome = expectDone(on("0"));
        const nlohmann::json document = readJson(file);
        EXPECT_TRUE(outcome.out.starts_with(document.at("device").get<std::string>() + ", ")) << file << outcome.out;
        EXPECT_EQ(document.at("aureole"), AUREOLE_VERSION) << file;
        EXPECT_EQ(document.at("repeats"), 1) << file;
        EXPECT_TRUE(document.at("command").get<std::string>().starts_with("aureole bench " + benchmark[0] + " "));
        EXPECT_TRUE(document.at("pictures").empty()) << "not asked for";
    }
}

TEST_F(BenchTest, PicturesStandBesideTheJson) {
    const std::string file = path("bloom.json");
    expectDone({"bench", "bloom", "--size", "8x6", "--kernel-size", "5", "--repeats", "1", "--allow-cpu", "--json",
                file, "--pictures"});
    const nlohmann::json pair = readJson(file).at("pictures").at(0);
    EXPECT_EQ(pair.at("first").at("name"), "before");
    for (const char* const place : {"first", "second"}) {
        const std::string name = pair.at(place).at("file");
        EXPECT_EQ(name, fmt::format("bloom-1-{}.png", place));
        EXPECT_TRUE(std::filesystem::exists(path(name)));
    }
    EXPECT_FALSE(pair.contains("difference"));
    expectFailure(kUsage, {"bench", "bloom", "--pictures"}, {"--pictures", "--json"});
}

TEST_F(BenchTest, PicturesOfRendersStandThereToo) {
    const std::string scene = write("scene.json", boxScene());
    const std::string file = path("render.json");
    expectDone({"bench", "render", scene, "--resolution", "16", "--size", "8x6", "--spp", "8", "--reference", "8",
                "--strategy", "mis,bsdf", "--allow-cpu", "--repeats", "1", "--json", file, "--pictures"});
    const nlohmann::json pictures = readJson(file).at("pictures");
    ASSERT_FALSE(pictures.empty()) << file;
    EXPECT_TRUE(std::filesystem::exists(path(pictures[0].at("first").at("file").get<std::string>()))) << file;
}

/// The program is found beside the other; arguments, output and exit code are its own.
TEST_F(BenchTest, IsAProgramOfItsOwn) {
    const std::filesystem::path folder = path("alone");
    std::filesystem::create_directory(folder);
    const std::filesystem::path program = folder / "aureole";
    std::filesystem::copy_file(testFile(AUREOLE_BINARY), program);
    const std::string expected = "found no aureole-bench, the program of the benchmarks";
    const std::string command = program.string() + " bench fft 2>&1";
    const auto [text, code] = shell(command);
    EXPECT_EQ(code, 1);
    EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_NE(text.find((folder / "aureole-bench").string()), std::string::npos) << text;
    std::ofstream(folder / "aureole-bench") << "#!/bin/sh\necho \"$@\"\nexit 77\n";
    std::filesystem::permissions(folder / "aureole-bench", std::filesystem::perms::owner_all);
    EXPECT_EQ(shell(program.string() + " bench fft --lengths '1 2' --help"),
              (std::pair<std::string, int>("bench fft --lengths 1 2 --help\n", 77)));
    EXPECT_EQ(shell(program.string() + " help bench render").first, "help bench render\n");
}

TEST_F(BenchTest, WrongFftAndBloomOptionsAreNamed) {
    expectFailure(kUsage, {"bench", "fft", "--lengths", "64,11"}, {"--lengths", "11", "such as 12"});
    expectFailure(kUsage, {"bench", "fft", "--lengths", "64", "--half"}, {"--half", "--sizes"});
    expectFailure(kUsage, {"bench", "fft", "--sizes", "64x64,64x13"}, {"--sizes", "13", "such as 16"});
    expectFailure(kUsage, {"bench", "fft", "--allow-cpu", "--lengths", "64", "--batch", "4000000000"},
                  {"--batch", "4000000000", "at most"});
    const Arguments bloom = {"bench", "bloom", "--allow-cpu", "--size", "20x10", "--kernel-size", "9"};
    const auto with = [&](const std::string& option, const std::string& value) {
        Arguments arguments = bloom;
        arguments.insert(arguments.end(), {"--axis", "rows", option, value});
        return arguments;
    };
    expectFailure(kUsage, with("--first-period", "21"), {"--first-period", "21", "at least 24 along the rows"});
    expectFailure(kUsage, with("--second-period", "12"), {"--second-period", "12", "at least 14 along the columns"});
    expectFailure(kUsage, with("--second-period", "15"), {"--second-period", "15", "even"});
    expectFailure(kUsage, with("--pairs", "3"), {"--pairs", "3", "power of two"});
    expectFailure(kUsage, with("--bins", "65"), {"--bins", "65", "64"});
    expectFailure(kUsage, {"bench", "bloom", "--axis", "row"}, {"--axis", "rows"});
    expectFailure(kUsage, {"bench", "bloom", "--size", "20x10"}, {"--size", "--kernel-size"});
    expectFailure(kCannotWrite, {"bench", "bloom", "--json", path("none/bloom.json")}, {"none"});
}

TEST_F(BenchTest, WrongOptionsAreNamed) {
    expectFailure(kUsage, {"bench"}, {"found no command", "aureole bench --help"});
    expectFailure(kUsage, {"bench", "skan"}, {"'skan'", "aureole bench", "scan"});
    expectFailure(kUsage, {"bench", "scan", "--item", "5"}, {"'--item'", "aureole bench scan", "--items"});
    expectFailure(kUsage, {"bench", "scan", "--items", "12,x"}, {"--items", "'x'"});
    expectFailure(kUsage, {"bench", "scan", "--workgroup", "63"}, {"--workgroup", "63", "multiples of"});
    expectFailure(kUsage, {"bench", "scan", "--sort-keys", "5"}, {"--sort-keys", "4, 8, 12, 16"});
    expectFailure(kUsage, {"bench", "scan", "--sort-method", "onesweap"}, {"--sort-method", "onesweep"});
    expectFailure(kUsage, {"bench", "scan", "--sort-bits", "65"}, {"--sort-bits", "64"});
    expectFailure(kUsage, {"bench", "scan", "--method", "one-pas"}, {"--method", "one-pass"});
    expectFailure(kCannotWrite, {"bench", "scan", "--json", path("none/scan.json")}, {"none"});
}

} // namespace

} // namespace aureole
