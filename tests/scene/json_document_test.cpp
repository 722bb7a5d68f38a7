#include "scene/json/json_document.h"

#include <gtest/gtest.h>

namespace aureole {
namespace {

std::vector<SceneProblem> problemsIn(const std::string& text, const JsonLimits& limits = {}) {
    std::vector<SceneProblem> problems;
    parseJson(text, limits, problems);
    return problems;
}

std::size_t lineOf(const std::string& text, const std::string& pointer) {
    std::vector<SceneProblem> problems = {{pointer, 0, ""}};
    locateProblems(text, problems);
    return problems[0].line;
}

TEST(JsonDocument, KnowsTheLineOfEveryPointer) {
    const std::string text = "{\n"              // 1
                             "  \"a\": 1,\n"    // 2
                             "  \"b\":\n"       // 3: the key counts
                             "    [10,\n"       // 4
                             "     20\n"        // 5: a number that a newline ends
                             "     ,\n"         // 6
                             "     {\"c/d\":\n" // 7
                             "        true}]\n"
                             "}\n";
    EXPECT_EQ(lineOf(text, ""), 1U);
    EXPECT_EQ(lineOf(text, "/a"), 2U);
    EXPECT_EQ(lineOf(text, "/b"), 3U);
    EXPECT_EQ(lineOf(text, "/b/0"), 4U);
    EXPECT_EQ(lineOf(text, "/b/1"), 5U);
    EXPECT_EQ(lineOf(text, "/b/2"), 7U);
    EXPECT_EQ(lineOf(text, "/b/2/c~1d"), 7U);
    EXPECT_EQ(lineOf(text, "/b/3"), 0U);
    EXPECT_EQ(lineOf(text, "/none"), 0U);
}

TEST(JsonDocument, LocatesBrokenSyntaxByLineAndColumn) {
    const auto problems = problemsIn("{\n  \"a\": 1,\n  \"b\" 2\n}");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].line, 3U);
    EXPECT_NE(problems[0].message.find("column 7:"), std::string::npos) << problems[0].message;
    EXPECT_NE(problems[0].message.find("expected ':'"), std::string::npos) << problems[0].message;
    EXPECT_EQ(problems[0].message.find("json.exception"), std::string::npos) << problems[0].message;
}

TEST(JsonDocument, RefusesWhatIsNoJson) {
    for (const char* text : {"", "{", "{\"a\": NaN}", "{\"a\": Infinity}", "{\"a\": 1e999}", "[1,]", "{\"a\": 01}",
                             "{} {}", "// comment\n{}", "{\"a\": \"\xff\"}", "nul"}) {
        EXPECT_EQ(problemsIn(text).size(), 1U) << text;
    }
}

/// Each problem repeats the names of what it is in.
TEST(JsonDocument, KeysAndProblemsHaveLimits) {
    JsonLimits limits;
    limits.keyBytes = 10;
    EXPECT_TRUE(problemsIn(R"({"0123456789": 1})", limits).empty());
    const auto longKey = problemsIn("{\n\"0123456789a\": 1, \"0123456789a\": 2}", limits);
    ASSERT_EQ(longKey.size(), 1U);
    EXPECT_EQ(longKey[0].line, 2U);
    EXPECT_NE(longKey[0].message.find("found a key of 11 bytes"), std::string::npos) << longKey[0].message;

    std::string twice = R"({"a": 0)";
    for (int i = 0; i < 20; ++i) {
        twice += R"(, "a": 0)";
    }
    EXPECT_EQ(problemsIn(twice + "}").size(), 20U);
    limits.problems = 7;
    EXPECT_EQ(problemsIn(twice + "}", limits).size(), 7U);
}

TEST(JsonDocument, EndOfTextIsOnTheLastLine) {
    const auto problems = problemsIn("{\n\"a\": [\n1");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].line, 3U);
}

TEST(JsonDocument, NotesEveryKeyThatStandsTwice) {
    const auto problems = problemsIn("{ \"a\": { \"x\": 1,\n \"x\": 2 },\n \"b\": 1, \"a\": 3 }");
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[0].pointer, "/a/x");
    EXPECT_EQ(problems[0].line, 2U);
    EXPECT_EQ(problems[1].pointer, "/a");
    EXPECT_EQ(problems[1].line, 3U);
    EXPECT_TRUE(problemsIn(R"([{"a": 1}, {"a": 2}, {"b": {"a": 1}}])").empty());
}

TEST(JsonDocument, CapsDepthSizeAndCount) {
    const std::string deep = std::string(64, '[') + std::string(64, ']');
    EXPECT_TRUE(problemsIn(deep).empty());
    EXPECT_EQ(problemsIn("[" + deep + "]").size(), 1U);
    // A bomb is refused without being built.
    EXPECT_EQ(problemsIn(std::string(1'000'000, '[')).size(), 1U);
    EXPECT_EQ(problemsIn("[1, 2, 3]", {.bytes = 8}).size(), 1U);
    EXPECT_TRUE(problemsIn("[1, 2, 3]", {.bytes = 9}).empty());
    EXPECT_EQ(problemsIn("[1, 2, 3]", {.values = 3}).size(), 1U);
    EXPECT_TRUE(problemsIn("[1, 2, 3]", {.values = 4}).empty());
}

TEST(JsonDocument, PointersEscapeAndSplit) {
    EXPECT_EQ(childPointer("/a", "b/c~d"), "/a/b~1c~0d");
    std::vector<std::string> parts;
    ASSERT_TRUE(splitPointer("/a/b~1c~0d/", parts));
    EXPECT_EQ(parts, (std::vector<std::string>{"a", "b/c~d", ""}));
    for (const char* bad : {"", "a", "film/size", "/a~2", "/a~"}) {
        parts.clear();
        EXPECT_FALSE(splitPointer(bad, parts)) << bad;
    }
}

} // namespace
} // namespace aureole
