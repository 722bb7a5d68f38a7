// Has the tests of a program read models and pictures through workers where AUREOLE_TEST_ISOLATION is set: whatever
// they expect, error messages included, holds there too.

#include <cstdlib>

#include <gtest/gtest.h>

#include "sandbox/settings.h"
#include "test_files.h"

namespace {

class Isolated : public testing::Environment {
public:
    void SetUp() override {
        if (std::getenv("AUREOLE_TEST_ISOLATION") != nullptr) { // NOLINT(concurrency-mt-unsafe)
            aureole::sandbox::configure({.isolation = aureole::sandbox::Isolation::Strict,
                                         .memory = std::uint64_t{1} << 32U,
                                         .seconds = 300.0,
                                         .files = 100,
                                         .worker = aureole::testFile(AUREOLE_WORKER)});
        }
    }
};

const testing::Environment* const kIsolated = testing::AddGlobalTestEnvironment(new Isolated);

} // namespace
