#include <algorithm>
#include <set>

#include "cli_test.h"
#include "core/error.h"
#include "matches.h"

namespace aureole {

namespace {

/// The names that a help text lists below a heading, as in "\n  render    Render a scene".
std::vector<std::string> listedNames(const std::string& help, const std::string& heading) {
    const std::size_t begin = std::min(help.find("\n" + heading + ":\n"), help.size());
    const std::string list = help.substr(begin, help.find("\n\n", begin) - begin);
    std::vector<std::string> names;
    for (const std::vector<std::string>& line : matchesOf(list, "\\n  ([a-z]+) ")) {
        names.push_back(line[1]);
    }
    return names;
}

/// The option names that a help text lists.
std::set<std::string> listedOptions(const std::string& help) {
    std::set<std::string> names;
    // "  -o,--output OUT    ...": names stand at the beginning of a line, two spaces in.
    for (const std::vector<std::string>& line : matchesOf(help, "(?:^|\\n)  (?:(-[a-z]),)?(--[a-z-]+)")) {
        names.insert(line[2]);
    }
    return names;
}

class HelpTest : public CliTest {
protected:
    std::vector<std::string> commands() const { return listedNames(expectDone({"--help"}).out, "Commands"); }
    std::vector<std::string> benchmarks() const {
        return listedNames(expectDone({"bench", "--help"}).out, "Benchmarks");
    }
};

TEST_F(HelpTest, OfTheProgramListsCommandsAndExitCodes) {
    const Outcome outcome = expectDone({"--help"});
    EXPECT_EQ(commands().front(), "render");
    EXPECT_EQ(commands().back(), "completion");
    EXPECT_EQ(benchmarks().front(), "scan");
    std::string text = outcome.out;
    std::replace(text.begin(), text.end(), '\n', ' ');
    for (const ExitCodeMeaning& code : kExitCodes) {
        const std::string told = std::to_string(static_cast<int>(code.code)) + " " + std::string(code.meaning);
        EXPECT_NE(text.find(told), std::string::npos) << told;
    }
    EXPECT_NE(outcome.out.find("Examples:"), std::string::npos);
    EXPECT_EQ(outcome.err, "");
}

TEST_F(HelpTest, OfEveryCommandShowsUsageAndExamples) {
    for (const std::string& command : commands()) {
        const Outcome outcome = expectDone({command, "--help"});
        EXPECT_NE(outcome.out.find("Usage: aureole " + command), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("Examples:\n  aureole "), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("aureole " + command), std::string::npos);
        EXPECT_EQ(outcome.err, "");
        const std::set<std::string> options = listedOptions(outcome.out);
        EXPECT_TRUE(options.contains("--help"));
    }
}

TEST_F(HelpTest, IsACommandToo) {
    EXPECT_EQ(expectDone({"help"}).out, expectDone({"--help"}).out);
    EXPECT_EQ(expectDone({"help", "convert"}).out, expectDone({"convert", "--help"}).out);
    EXPECT_EQ(expectDone({"help", "bench", "fft"}).out, expectDone({"bench", "fft", "--help"}).out);
    expectFailure(kUsage, {"help", "rendr"}, {"found 'rendr'", "did you mean 'render'?"});
}

TEST_F(HelpTest, OfEveryBenchmarkShowsUsageAndExamples) {
    for (const std::string& benchmark : benchmarks()) {
        const Outcome outcome = expectDone({"bench", benchmark, "--help"});
        EXPECT_NE(outcome.out.find("Usage: aureole bench " + benchmark), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("Examples:\n  aureole bench " + benchmark), std::string::npos) << outcome.out;
        EXPECT_EQ(outcome.err, "");
        const std::set<std::string> options = listedOptions(outcome.out);
        EXPECT_TRUE(options.contains("--repeats") && options.contains("--json") && options.contains("--device"));
    }
}

TEST_F(HelpTest, OptionsAreRecognisedInAHelpText) {
    const std::set<std::string> expected = {"--help", "--output", "--spp"};
    EXPECT_EQ(listedOptions("Options:\n  -h,--help  Print\n  -o,--output OUT (required)\n  --spp N --not this\n"),
              expected);
}

TEST_F(HelpTest, OptionsAreThoseOfACommandOrABenchmark) {
    EXPECT_EQ(commandOf({"bench", "fft", "--lengths", "8"}), "bench fft");
    EXPECT_EQ(commandOf({"bench", "--help"}), "bench");
    EXPECT_EQ(commandOf({"bench"}), "bench");
    EXPECT_EQ(commandOf({"info", "a.exr"}), "info");
}

TEST_F(HelpTest, PrintsTheVersion) {
    EXPECT_EQ(expectDone({"--version"}).out, "aureole " AUREOLE_VERSION "\n");
}

} // namespace

} // namespace aureole
