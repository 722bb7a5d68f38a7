// A locale that has commas in numbers changes nothing that is read or written.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <langinfo.h>

#include "cli_test.h"
#include "faults.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class LocaleTest : public FaultyRenderTest {
protected:
    /// Makes a locale "comma" in this test's folder, by glibc's localedef, for which no package has to be there.
    Variables commas() const {
        std::string characters = "<code_set_name> ANSI_X3.4-1968\n<comment_char> %\n<escape_char> /\nCHARMAP\n";
        for (unsigned code = 0; code < 128; ++code) {
            constexpr const char* kDigits = "0123456789ABCDEF";
            const std::string hex = {kDigits[code / 16], kDigits[code % 16]};
            characters.append("<U00").append(hex).append("> /x").append(hex).append(" any\n");
        }
        const std::string map = write("ascii.map", characters + "END CHARMAP\n");
        const std::string source =
            write("comma.src", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
        fs::create_directories(path("locales"));
        // It warns of the categories that are left out.
        const std::string make = "localedef -c -i " + source + " -f " + map + " --no-archive " + path("locales/comma") +
                                 " > " + path("localedef.txt") + " 2>&1";
        [[maybe_unused]] const int status = std::system(make.c_str()); // NOLINT(cert-env33-c, concurrency-mt-unsafe)
        noteFault();
        return {{"LOCPATH", path("locales")}, {"LC_ALL", "comma"}, {"LANG", "comma"}};
    }

    /// Whether the C library finds the locale, and commas in it.
    static bool hasCommas(const Variables& variables) {
        ::setenv("LOCPATH", variables.at("LOCPATH").c_str(), 1); // NOLINT(concurrency-mt-unsafe)
        const locale_t locale = ::newlocale(LC_ALL_MASK, "comma", nullptr);
        ::unsetenv("LOCPATH"); // NOLINT(concurrency-mt-unsafe)
        if (locale == nullptr) {
            return false;
        }
        const bool found = std::string(::nl_langinfo_l(RADIXCHAR, locale)) == ",";
        ::freelocale(locale);
        return found;
    }

    std::string bytes(const std::string& name) const {
        std::ifstream stream(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    /// What commands that read and write numbers as text, and pictures with such in their attributes, leave behind.
    std::vector<std::string> results(const Variables& variables) const {
        const Arguments render = {"render",       path("scene.json"),
                                  "-o",           path("out.exr"),
                                  "--set",        "/film/exposure=0.5",
                                  "--set",        "/integrator/clamp=2.25",
                                  "--noise",      "0.25",
                                  "--spp",        "8",
                                  "--checkpoint", checkpoint_,
                                  "--every",      "0.5s",
                                  "--stats-json", path("stats.json"),
                                  "--backend",    "reference",
                                  "--progress",   "json"};
        fs::remove(checkpoint_);
        std::istringstream lines(expectDone(render, variables).err);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_TRUE(parseJson(line).is_object());
        }
        expectDone({"convert", path("out.exr"), "-o", path("out.png"), "--exposure", "-0.75"}, variables);
        expectDone({"voxelize", path("m.obj"), "--asset-isolation", "none", "-o", path("m.avo"), "--resolution", "20"},
                   variables);
        expectDone({"export", path("m.avo"), "-o", path("m.ply")}, variables);
        std::vector<std::string> found;
        for (const char* const name : {"out.exr", "out.png", "a.ckpt", "m.avo", "m.ply"}) {
            found.push_back(bytes(name));
        }
        for (const Arguments& command : {Arguments{"info", path("out.exr")},
                                         {"info", path("out.exr"), "--json"},
                                         {"info", path("m.avo")},
                                         {"compare", path("out.exr"), path("out.exr")}}) {
            found.push_back(expectDone(command, variables).out);
        }
        nlohmann::json stats = readJson(path("stats.json"));
        stats["seconds"]["total"].get<double>(); // a number, not half of one
        for (const char* const time : {"seconds", "rays_per_second", "devices"}) {
            stats.erase(time);
        }
        found.push_back(stats.dump());
        return found;
    }
};

TEST_F(LocaleTest, WithDecimalCommasEverythingIsTheSame) {
    write("scene.json", shadedScene());
    write("m.mtl", "newmtl red\nKd 0.75 0.25 0.5\n");
    write("m.obj", "mtllib m.mtl\nusemtl red\nv 0 0 0\nv 2.5 0 0\nv 0 1.25 0\nv 0 0 1.5\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                   "f 2 3 4\n");
    const std::vector<std::string> expected = results({});
    const Variables variables = commas();
    ASSERT_TRUE(hasCommas(variables)) << bytes("localedef.txt");
    const std::vector<std::string> found = results(variables);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_FALSE(expected[i].empty()) << i;
        EXPECT_TRUE(found[i] == expected[i]) << i << '\n' << (i > 4 ? found[i] + '\n' + expected[i] : "");
    }
}

} // namespace

} // namespace aureole
