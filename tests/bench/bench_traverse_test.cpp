#include <fstream>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>

#include "cli_test.h"

namespace aureole {

namespace {

class BenchTraverseTest : public CliTest {
protected:
    /// The JSON of a run on few rays.
    nlohmann::json bench(Arguments arguments) const {
        const std::string file = path("traverse.json");
        arguments.insert(arguments.begin(), {"bench", "traverse", "--allow-cpu", "--repeats", "1", "--json", file});
        log_ = expectDone(arguments).err;
        return readJson(file);
    }

    /// The JSON of a run on a scene's primary rays and first bounces.
    nlohmann::json benchFew(Arguments arguments) const {
        arguments.insert(arguments.end(), {"--size", "24x16", "--rays", "primary,bounce1"});
        return bench(arguments);
    }

    std::string voxelized(const std::string& name, const Arguments& more) const {
        std::string file = path(name);
        Arguments arguments = {"voxelize", write("scene.json", boxScene()), "-o", file, "--resolution", "40"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        expectDone(arguments);
        return file;
    }

    mutable std::string log_; ///< of the last run
};

/// The table whose title begins so.
nlohmann::json tableOf(const nlohmann::json& document, const std::string& title) {
    for (const nlohmann::json& table : document.at("tables")) {
        if (table.at("title").get<std::string>().starts_with(title)) {
            return table;
        }
    }
    ADD_FAILURE() << "no table " << title << " in " << document.dump(1);
    return {};
}

nlohmann::json rowsOf(const nlohmann::json& document, const std::string& title) {
    return tableOf(document, title).at("rows");
}

/// What the rays of every set do: the same for all strategies, which the rows of the first table must show, but those
/// that start later.
std::map<std::string, std::vector<double>> raysIn(const nlohmann::json& document) {
    std::map<std::string, std::vector<double>> sets;
    for (const nlohmann::json& row : document.at("tables").at(0).at("rows")) {
        if (row.at("") == "coarse-start") {
            EXPECT_LE(row.at("steps/ray"), sets.at(row.at("rays of"))[0]);
            EXPECT_EQ(row.at("hits"), sets.at(row.at("rays of"))[2]);
            continue;
        }
        const std::vector<double> figures = {row.at("steps/ray"), row.at("bytes/ray"), row.at("hits")};
        const auto [at, isNew] = sets.emplace(row.at("rays of"), figures);
        EXPECT_EQ(at->second, figures) << row.dump();
    }
    return sets;
}

TEST_F(BenchTraverseTest, ValuesOfTheSceneAreReplaced) {
    const std::string scene = write("scene.json", boxScene());
    const auto title = [&](const Arguments& more) {
        Arguments arguments = {scene, "--strategy", "thread"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return benchFew(arguments).at("tables").at(0).at("title").get<std::string>();
    };
    const std::string replaced = title({"--set", "/voxels/resolution=24"});
    EXPECT_EQ(replaced, title({"--resolution", "24"}));
    EXPECT_NE(replaced, title({}));
    expectFailure(kUsage, {"bench", "traverse", "--set", "/voxels/resolution=24"}, {"--set", "without SCENE"});
}

TEST_F(BenchTraverseTest, MeasuresEverySetByEveryStrategy) {
    // Fewer tiles than fit, and ones that stick out.
    const nlohmann::json document = bench({"--gyroid", "64", "--size", "61x35"});
    EXPECT_EQ(document.at("benchmark"), "traverse");
    const nlohmann::json rows = rowsOf(document, "gyroid 64: tree, 50760 voxels, 3 levels, 61x35");
    // The last one is for primary rays only.
    ASSERT_EQ(rows.size(), 6U * 5 + 1);
    const std::vector<std::string> strategies = {
        "thread", "persistent 4/6", "compacted", "compacted-persistent 4/6", "sorted 4/6", "coarse-start"};
    const std::vector<std::string> sets = {"primary", "ambient", "shadow", "bounce1", "bounce2", "bounce4"};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const nlohmann::json& row = rows[i];
        EXPECT_EQ(row.at(""), strategies[i < 6 ? i : (i - 1) % 5]);
        EXPECT_EQ(row.at("rays of"), sets[i < 6 ? 0 : (i - 1) / 5]);
        EXPECT_LE(row.at("quartile 1"), row.at("Mray/s"));
        EXPECT_LE(row.at("Mray/s"), row.at("quartile 3"));
        EXPECT_LE(row.at("with queue"), row.at("Mray/s"));
        EXPECT_GT(row.at("steps/ray"), 1.0);
        EXPECT_GT(row.at("lanes busy"), 0.0);
        EXPECT_LE(row.at("lanes busy"), 1.0);
        EXPECT_GE(row.at("bytes/ray"), 16.0) << "the root at least";
    }
    EXPECT_EQ(raysIn(document).size(), sets.size());
    const nlohmann::json before = rowsOf(document, "what comes before");
    ASSERT_EQ(before.size(), sets.size());
    // As many rays bounce as hit: those that start at the rim of the grid aside.
    const double hits = rows[0].at("hits").get<double>() * before[0].at("rays").get<double>();
    EXPECT_NEAR(before[3].at("rays").get<double>(), hits, 0.05 * hits);
    EXPECT_LT(before[4].at("rays"), before[3].at("rays"));
    const nlohmann::json fastest = rowsOf(document, "Mray/s of the fastest");
    ASSERT_EQ(fastest.size(), 1U);
    EXPECT_EQ(fastest[0].at("voxel size"), 1.0 / 64);
    double most = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
        most = std::max(most, rows[i].at("Mray/s").get<double>());
    }
    EXPECT_EQ(fastest[0].at("primary"), most);
}

TEST_F(BenchTraverseTest, SweepsResolutionsWithTuning) {
    const std::string scene = write("scene.json", boxScene());
    const nlohmann::json document =
        bench({scene, "--resolution", "40,16", "--size", "24x16", "--strategy", "sorted", "--rays", "primary,bounce2",
               "--refill", "2,8", "--round", "3", "--morton-bits", "4"});
    const nlohmann::json rows = rowsOf(document, scene + ": ");
    ASSERT_EQ(rows.size(), 2U) << "a box is convex: there is no second bounce";
    EXPECT_EQ(rows[0].at(""), "sorted 2/3");
    EXPECT_EQ(rows[1].at(""), "sorted 8/3");
    EXPECT_EQ(tableOf(document, scene + ": ").at("notes").at(0), "bounce2: no rays");
    const nlohmann::json table = rowsOf(document, "Mray/s of the fastest");
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[0].at("resolution"), 40);
    EXPECT_EQ(table[1].at("resolution"), 16);
    EXPECT_EQ(table[0].at("voxel size"), 1.0 / 40);
    EXPECT_GT(table[1].at("primary"), 0.0);
    EXPECT_TRUE(table[1].at("bounce2").is_null());
}

/// As one measures by turns, on machines with other work.
TEST_F(BenchTraverseTest, AStrategyGivenTwiceIsMeasuredTwice) {
    const nlohmann::json document = bench(
        {"--gyroid", "64", "--size", "16x16", "--strategy", "thread,compacted,thread", "--rays", "primary,primary"});
    const nlohmann::json rows = rowsOf(document, "gyroid 64: ");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].at(""), "thread");
    EXPECT_EQ(rows[2].at(""), "thread");
}

/// One voxel, seen by one ray.
TEST_F(BenchTraverseTest, TheLeastThereIsToTrace) {
    const nlohmann::json document = bench({"--gyroid", "64", "--level", "6", "--size", "1x1"});
    for (const nlohmann::json& row : rowsOf(document, "gyroid 64, level 6: tree, 1 voxel, ")) {
        EXPECT_EQ(row.at("hits"), row.at("rays of") == "primary" ? 1.0 : 0.0) << row.dump();
    }
    EXPECT_EQ(rowsOf(document, "what comes before").at(0).at("rays"), 1);
}

TEST_F(BenchTraverseTest, LooksThroughTheCameraThatIsNamedOrChosen) {
    const std::string scene = write("scene.json", boxScene());
    std::string chooses = boxScene();
    chooses.replace(chooses.find(R"("camera": "front")"), 17, R"("camera": "back")");
    // The box stands in the middle of the one picture, and at the rim of the other.
    const auto raysAtBox = [&](const Arguments& arguments) {
        return rowsOf(benchFew(arguments), "what comes before").at(0).at("rays").get<int>();
    };
    const int front = raysAtBox({scene, "--strategy", "thread"});
    const int back = raysAtBox({scene, "--strategy", "thread", "--camera", "back"});
    EXPECT_LT(back, front);
    EXPECT_EQ(raysAtBox({write("other.json", chooses), "--strategy", "thread"}), back);
    expectFailure(kUsage, {"bench", "traverse", "--allow-cpu", scene, "--camera", "bck"},
                  {"--camera", "'bck'", "'back'", "'front'"});
}

TEST_F(BenchTraverseTest, TakesTheOctreeFromTheCache) {
    std::string text = boxScene();
    text.replace(text.find("[0.5, 0.5, 0.5]"), 15, "[0.5, 0.5, 0.56]"); // of no other test
    const std::string scene = write("scene.json", text);
    const Arguments arguments = {scene, "--strategy", "thread"};
    const auto first = raysIn(benchFew(arguments));
    EXPECT_EQ(log_.find("from the cache"), std::string::npos) << log_;
    EXPECT_EQ(raysIn(benchFew(arguments)), first);
    EXPECT_NE(log_.find("from the cache"), std::string::npos) << log_;
    EXPECT_EQ(raysIn(benchFew({scene, "--strategy", "thread", "--no-cache"})), first);
    EXPECT_EQ(log_.find("from the cache"), std::string::npos) << log_;
}

TEST_F(BenchTraverseTest, EverySurfaceAndEncodingGivesItsHits) {
    const std::string scene = write("scene.json", boxScene());
    const auto with = [&](const Arguments& more, const std::string& encoding) {
        Arguments arguments = {scene, "--resolution", "40"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const nlohmann::json document = benchFew(arguments);
        EXPECT_NE(document.at("tables").at(0).at("title").get<std::string>().find(": " + encoding + ", "),
                  std::string::npos);
        // Rays start at coarse depths to voxels only.
        EXPECT_EQ(document.at("tables").at(0).at("rows").size(), 2U * 5 + (encoding == "tree" || encoding == "dag"));
        return raysIn(document);
    };
    const auto tree = with({}, "tree");
    EXPECT_GT(tree.at("primary").at(2), 0.5);
    const auto dag = with({"--dag"}, "dag");
    const auto field = with({"--surface", "field"}, "field");
    for (const char* set : {"primary", "bounce1"}) {
        // The same steps to the same hits, by other bytes.
        EXPECT_EQ(dag.at(set).at(0), tree.at(set).at(0));
        EXPECT_NE(dag.at(set).at(1), tree.at(set).at(1));
        EXPECT_EQ(dag.at(set).at(2), tree.at(set).at(2));
        EXPECT_GT(field.at(set).at(0), 1.0);
    }
    const auto planes = with({"--surface", "planes", "--error", "0.5"}, "planes");
    EXPECT_LT(planes.at("primary").at(0), tree.at("primary").at(0)) << "merged cells are met earlier";
}

/// A ray that passes by the surface in a voxel goes on, so that fewer hit; and all looked at some.
TEST_F(BenchTraverseTest, SurfacesGetTheSameRays) {
    const std::string scene = write("scene.json", boxScene());
    const Arguments arguments = {scene,     "--resolution", "40",    "--surface",  "field,cubes,planes",
                                 "--error", "0.5",          "--dag", "--strategy", "compacted",
                                 "--paths"};
    const nlohmann::json document = benchFew(arguments);
    const nlohmann::json fastest = rowsOf(document, "Mray/s of the fastest");
    ASSERT_EQ(fastest.size(), 3U);
    std::map<std::string, nlohmann::json> rays; // of each encoding
    std::size_t paths = 0;
    for (const nlohmann::json& table : document.at("tables")) {
        const std::string title = table.at("title");
        for (const char* encoding : {"field", "dag", "planes"}) {
            if (title.find(std::string(": ") + encoding + ", ") != std::string::npos) {
                rays[encoding] = table.at("rows");
            }
        }
        paths += title == "whole paths" ? 1 : 0;
    }
    EXPECT_EQ(paths, 3U);
    ASSERT_EQ(rays.size(), 3U);
    for (std::size_t set = 0; set < 2; ++set) {
        EXPECT_FALSE(rays["dag"][set].contains("surfaces/ray"));
        for (const char* encoding : {"field", "planes"}) {
            const double hits = rays[encoding][set].at("hits");
            EXPECT_LE(hits, rays["dag"][set].at("hits"));
            EXPECT_GE(rays[encoding][set].at("surfaces/ray").get<double>(), hits);
        }
    }
    EXPECT_EQ(fastest[0].at("surface"), "field");
    EXPECT_EQ(fastest[1].at("surface"), "cubes");
    EXPECT_EQ(fastest[2].at("surface"), "planes");
    // Made by the field's voxels, whatever comes next.
    Arguments alone = arguments;
    alone[4] = "field";
    alone.resize(5);
    alone.insert(alone.end(), {"--strategy", "compacted"});
    EXPECT_EQ(rowsOf(benchFew(alone), "what comes before").at(1).at("rays"),
              rowsOf(document, "what comes before").at(1).at("rays"));
}

TEST_F(BenchTraverseTest, TracesOctreeFilesAndTheirLevels) {
    const std::string tree = voxelized("tree.avo", {});
    const std::string dag = voxelized("dag.avo", {"--dag"});
    const std::string planes = voxelized("planes.avo", {"--surface", "planes"});
    const auto rays = raysIn(benchFew({tree, "--dag"}));
    EXPECT_EQ(raysIn(benchFew({dag})), rays);
    EXPECT_EQ(raysIn(benchFew({dag, "--dag"})), rays);
    benchFew({planes, "--strategy", "thread,sorted"});
    const nlohmann::json coarse = benchFew({tree, "--level", "1", "--strategy", "thread"});
    EXPECT_EQ(rowsOf(coarse, "Mray/s of the fastest").at(0).at("resolution"), 20);
    const nlohmann::json gyroid = benchFew({"--gyroid", "64", "--level", "2", "--dag", "--strategy", "thread"});
    EXPECT_EQ(rowsOf(gyroid, "Mray/s of the fastest").at(0).at("resolution"), 16);
    EXPECT_EQ(rowsOf(gyroid, "gyroid 64, level 2: dag, ").size(), 2U);
    const Arguments command = {"bench", "traverse", "--allow-cpu"};
    const auto refused = [&](Arguments more, const std::vector<std::string>& fragments) {
        more.insert(more.begin(), command.begin(), command.end());
        expectFailure(kUsage, more, fragments);
    };
    refused({tree, "--resolution", "64"}, {"--resolution", "64", "tree.avo"});
    refused({tree, "--surface", "field"}, {"--surface", "field", "tree.avo"});
    refused({planes, "--dag"}, {"--dag", "planes.avo", "cubes"});
    expectFailure(kBadInput, {"bench", "traverse", "--allow-cpu", tree, "--level", "30"}, {"30"});
}

TEST_F(BenchTraverseTest, AnEmptySceneHasRaysThatMiss) {
    const std::string scene = write(
        "sky.json",
        R"({"version":1,"cameras":{"c":{"position":[0,0,5],"target":[0,0,0]}}, "environment":{"type":"constant","radiance":1}})");
    const nlohmann::json document = bench({scene, "--size", "24x16"});
    for (const nlohmann::json& row : document.at("tables").at(0).at("rows")) {
        EXPECT_EQ(row.at("rays of"), "primary");
        EXPECT_EQ(row.at("hits"), 0.0);
        EXPECT_EQ(row.at("steps/ray"), row.at("") == "coarse-start" ? 0.0 : 1.0);
    }
    EXPECT_EQ(document.at("tables").at(0).at("notes").size(), 5U);
}

TEST_F(BenchTraverseTest, WholePathsAreMeasuredBeside) {
    const std::string scene = write("scene.json", boxScene());
    const nlohmann::json rows = rowsOf(benchFew({scene, "--resolution", "32", "--paths"}), "whole paths");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].at(""), "waves");
    for (const nlohmann::json& row : rows) {
        EXPECT_GE(row.at("rays/sample"), 1.0);
        EXPECT_NEAR(row.at("Mray/s").get<double>() / row.at("Msamples/s").get<double>(),
                    row.at("rays/sample").get<double>(), 1e-6);
        EXPECT_GT(row.at("of bounce1"), 0.0);
    }
}

TEST_F(BenchTraverseTest, WrongOptionsAreNamed) {
    const auto refused = [&](Arguments more, const std::vector<std::string>& fragments) {
        more.insert(more.begin(), {"bench", "traverse"});
        expectFailure(kUsage, more, fragments);
    };
    refused({"--gyroid", "96"}, {"--gyroid", "96", "powers of two"});
    refused({"--strategy", "thread,sort"}, {"--strategy", "'sort'", "'sorted'"});
    refused({"--rays", "bounce"}, {"--rays", "primary"});
    refused({"--rays", "primary,"}, {"--rays", "''", "primary"});
    refused({"--strategy", ""}, {"--strategy", "''", "thread"});
    refused({"--allow-cpu", "--gyroid", "64", "--level", "7"}, {"--level", "7", "64", "at most 6"});
    refused({"a.json", "--gyroid", "64"}, {"--gyroid", "a.json"});
    refused({"--morton-bits", "10"}, {"--morton-bits", "9"});
    refused({"--resolution", "64"}, {"--resolution", "SCENE"});
    refused({"--camera", "c"}, {"--camera", "SCENE"});
    refused({"--gyroid", "64", "--surface", "planes"}, {"--surface", "SCENE"});
    refused({"--error", "1"}, {"--error", "SCENE"});
    refused({"--no-cache"}, {"--no-cache", "SCENE"});
    refused({"--paths"}, {"--paths", "SCENE"});
    const std::string scene = write("scene.json", boxScene());
    refused({"--allow-cpu", scene, "--error", "1"}, {"--error", "cubes", "planes"});
    refused({"--allow-cpu", scene, "--dag", "--surface", "field"}, {"--dag", "field", "cubes"});
    refused({"--allow-cpu", scene, "--level", "1"}, {"--level", "scene.json", ".avo"});
    expectFailure(kCannotWrite, {"bench", "traverse", "--json", path("none/t.json")}, {"none"});
}

} // namespace

} // namespace aureole
