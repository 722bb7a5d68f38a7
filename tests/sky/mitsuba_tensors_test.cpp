// Hosek and Wilkie's figures from Mitsuba's file, and the file's faults.

#include "sky/mitsuba_tensors.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "expect_has.h"
#include "hosek_files.h"
#include "json_test_util.h"
#include "sky/hosek_data.h"

namespace aureole {
namespace {

constexpr const char* kKey = R"({ "type": "sky", "model": "hosek-wilkie", "data": "data" })";

class MitsubaTensorsTest : public SceneJsonTest {
protected:
    sky::HosekData read(const std::string& bytes) const {
        return sky::readHosekData(write("data/sunsky_datasets.bin", bytes));
    }
    std::string problemOf(const std::string& bytes) const {
        try {
            read(bytes);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::BadInput);
            return error.what();
        }
        return "none";
    }
    /// What is said of a file with one of its tensors changed.
    template <typename Change>
    std::string changed(std::size_t tensor, const Change& change) const {
        std::vector<MadeUpTensor> tensors = madeUpTensors();
        change(tensors[tensor]);
        return problemOf(mitsubaFile(tensors));
    }
    std::string sceneProblem(const std::string& data) const {
        const std::string key = R"({ "type": "sky", "model": "hosek-wilkie", "data": ")" + data + "\" }";
        return join(problems(minimalScene(), {{"/environment", key}}));
    }

    const std::string whole = mitsubaFile(madeUpTensors());
};

TEST_F(MitsubaTensorsTest, WrongFormatsAreNamed) {
    std::string other = whole;
    other[0] = 'T';
    expectHas(problemOf(other), "sunsky_datasets.bin: found something else than 'tensor_file' at its start");
    other = whole;
    other[12] = 2;
    expectHas(problemOf(other), "found a tensor file of version 2.0, expected 1.0");
    other = whole;
    other[13] = 1;
    expectHas(problemOf(other), "found a tensor file of version 1.1, expected 1.0");
    expectHas(problemOf(std::string((std::size_t{8} << 20) + 1, ' ')), "sunsky_datasets.bin");
    std::vector<MadeUpTensor> tensors = madeUpTensors();
    tensors.push_back(tensors.back());
    expectHas(problemOf(mitsubaFile(tensors)), "found a second tensor 'sun_ld_spec', expected one");
    expectHas(changed(0, [](MadeUpTensor& t) { t.shape.assign(17, 1); }),
              "found a tensor of rank 17, expected at most");
}

TEST_F(MitsubaTensorsTest, WrongTensorsAreNamed) {
    const std::string missing = changed(2, [](MadeUpTensor& t) { t.name = "sky_rad_rbg"; });
    expectHas(missing, "sunsky_datasets.bin: found no tensor 'sky_rad_rgb', expected one of 10 x 2 x 6 x 3 numbers");
    expectHas(missing, "did you mean 'sky_rad_rbg'");
    expectHas(changed(3, [](MadeUpTensor& t) { std::swap(t.shape[1], t.shape[2]); }),
              "tensor 'sun_rad_spec': found 10 x 11 x 45 x 4 numbers, expected 10 x 45 x 11 x 4");
    expectHas(changed(4, [](MadeUpTensor& t) { t.shape = {66}; }), "found 66 numbers, expected 11 x 6");
    expectHas(changed(4, [](MadeUpTensor& t) { t.type = 10; }),
              "tensor 'sun_ld_spec': found numbers of type 10, expected 11: double precision");
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 2e30, -2e30}) {
        expectHas(changed(1, [&](MadeUpTensor& t) { t.numbers[6] = bad; }),
                  "as number 7, expected a number up to 1e+30");
        expectHas(changed(4, [&](MadeUpTensor& t) { t.numbers[65] = bad; }), "tensor 'sun_ld_spec'");
    }
}

/// Wherever it ends, and wherever its numbers are said to stand.
TEST_F(MitsubaTensorsTest, ShortFilesAreNamed) {
    const std::size_t head = whole.find("sun_ld_spec") + 11 + 2 + 1 + 8 + 16;
    for (std::size_t size = 0; size < head; ++size) {
        ASSERT_NE(problemOf(whole.substr(0, size)).find("truncated"), std::string::npos) << size;
    }
    expectHas(problemOf(whole.substr(0, whole.size() - 1)), "tensor 'sun_ld_spec': found the file's end at byte");
    const std::size_t place = whole.find("sky_rad_rgb") + 11 + 2 + 1;
    std::string moved = whole;
    moved.replace(place, 8, 8, '\xff');
    expectHas(problemOf(moved), "tensor 'sky_rad_rgb': found the file's end");
    std::string many = whole;
    many.replace(14, 4, 4, '\xff');
    EXPECT_NE(problemOf(many), "none");
    EXPECT_EQ(problemOf(whole), "none");
}

/// By another name, through a link.
TEST_F(MitsubaTensorsTest, LinksAreFollowed) {
    write("data/other.bin", whole);
    std::filesystem::create_symlink("other.bin", folder / "data/sunsky_datasets.bin");
    EXPECT_TRUE(load(minimalScene(), {{"/environment", kKey}}).environment.sky.hosek);
}

TEST_F(MitsubaTensorsTest, TheToolIsNamedWhereTheFileIsNotThere) {
    write("data/readme", "");
    expectHas(sceneProblem("data"),
              "/environment/data: 'data/sunsky_datasets.bin' does not exist; 'tools/sky_figures.sh " +
                  (folder / "data").string() + "' would write it");
    expectHas(sceneProblem("datta"), "'datta/sunsky_datasets.bin' does not exist (did you mean 'data'?); 'tools/");
}

} // namespace
} // namespace aureole
