#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/input_file.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class InputFileTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("aureole_input_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        std::mt19937 random(5);
        content_.resize(300'000); // several of a stream's buffers
        for (char& c : content_) {
            c = static_cast<char>('a' + random() % 20);
        }
        std::ofstream(folder_ / "file", std::ios::binary) << content_;
    }
    void TearDown() override { fs::remove_all(folder_); }

    static std::string errorOf(const fs::path& path) {
        try {
            InputFile::open(path);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::BadInput);
            return error.what();
        }
        return {};
    }

    fs::path folder_;
    std::string content_;
};

TEST_F(InputFileTest, WhatIsNoFileIsRefusedAtOnce) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(errorOf(folder_ / "pipe"), (folder_ / "pipe").string() + ": not a regular file");
    EXPECT_EQ(errorOf(folder_), folder_.string() + ": not a regular file");
    EXPECT_EQ(errorOf("/dev/zero"), "/dev/zero: not a regular file");
    EXPECT_EQ(errorOf(folder_ / "none"), (folder_ / "none").string() + ": no such file");
    const std::string tooLong = (folder_ / std::string(256, 'n')).string();
    EXPECT_EQ(errorOf(tooLong), tooLong + ": cannot be read: File name too long");
}

TEST_F(InputFileTest, ReadsFromAnyPlaceToTheEnd) {
    const InputFile file = InputFile::open(folder_ / "file");
    const InputFile other = file.duplicate();
    EXPECT_EQ(other.size(), content_.size());
    std::vector<std::byte> bytes(1000);
    EXPECT_EQ(file.readAt(content_.size() - 10, bytes), 10U);
    EXPECT_EQ(static_cast<char>(bytes[0]), content_[content_.size() - 10]);
    EXPECT_EQ(file.readAt(content_.size() + 10, bytes), 0U);
    EXPECT_EQ(other.readStart(5, 1'000'000).size(), 5U);
    EXPECT_EQ(other.readAll(1'000'000).size(), content_.size());
    EXPECT_THROW(other.readAll(1000), Error);
}

TEST_F(InputFileTest, AFileThatShrinksIsNoticed) {
    const InputFile file = InputFile::open(folder_ / "file");
    fs::resize_file(folder_ / "file", 10);
    EXPECT_THROW(file.readAll(1'000'000), Error);
}

TEST_F(InputFileTest, AStreamSeeksAndReadsAsTheStandardOneDoes) {
    InputStream ours(InputFile::open(folder_ / "file"));
    std::ifstream theirs(folder_ / "file", std::ios::binary);
    std::mt19937 random(6);
    for (int i = 0; i < 2000; ++i) {
        const auto size = static_cast<std::streamsize>(random() % (i % 10 == 0 ? 200'000 : 300));
        std::string a(static_cast<std::size_t>(size), ' ');
        std::string b = a;
        if (random() % 4 == 0) {
            const auto place = static_cast<std::streamoff>(random() % content_.size());
            ours.seekg(place);
            theirs.seekg(place);
        } else if (random() % 4 == 0) {
            const auto step = static_cast<std::streamoff>(random() % 1000);
            ours.seekg(step, std::ios::cur);
            theirs.seekg(step, std::ios::cur);
        }
        ours.read(a.data(), size);
        theirs.read(b.data(), size);
        ASSERT_EQ(ours.gcount(), theirs.gcount()) << i;
        ASSERT_EQ(a, b) << i;
        ASSERT_EQ(ours.eof(), theirs.eof()) << i;
        ours.clear();
        theirs.clear();
        ASSERT_EQ(ours.tellg(), theirs.tellg()) << i;
    }
}

} // namespace

} // namespace aureole
