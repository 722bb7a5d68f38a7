#include "cli_test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "full_sweep.h"
#include "test_files.h"

namespace aureole {

namespace fs = std::filesystem;

namespace {

std::map<std::string, std::set<std::string>>& recordedOptions() {
    static std::map<std::string, std::set<std::string>> options;
    return options;
}

/// Adds the options that this program's tests gave to those beside the program, for tests/cli/options_covered_test.py.
class OptionRecord : public testing::Environment {
public:
    void TearDown() override {
        if (testing::GTEST_FLAG(list_tests)) {
            return;
        }
        const std::string record = std::filesystem::read_symlink("/proc/self/exe").string() + ".options";
        std::ofstream file(record, std::ios::app); // the sweeps are another run of the program than the other tests
        for (const auto& [command, options] : recordedOptions()) {
            for (const std::string& option : options) {
                file << command << '\t' << option << '\n';
            }
        }
        ASSERT_TRUE(file.flush()) << record << " cannot be written";
    }
};

const testing::Environment* const kOptionRecord = testing::AddGlobalTestEnvironment(new OptionRecord);

/// What was started and has not been waited for.
std::map<pid_t, Arguments>& startedRuns() {
    static std::map<pid_t, Arguments> runs;
    return runs;
}

std::set<std::string> optionsIn(const Arguments& arguments) {
    std::set<std::string> options;
    for (const std::string& argument : arguments) {
        // Not what is a negative number.
        if (argument.starts_with("--") ||
            (argument.starts_with("-") && argument.size() > 1 && std::isalpha(argument.back()) != 0)) {
            options.insert(argument.substr(0, argument.find('=')));
        }
    }
    return options;
}

/// Of a run that ended with `code`; one that was refused has not tried what its options do.
void recordOptions(const Arguments& arguments, int code) {
    if (code != kUsage) {
        recordedOptions()[commandOf(arguments)].merge(optionsIn(arguments));
    }
}

/// Whether the validation layer looks on, where the environment of the tests has it do so. It doubles the time of a
/// small run, so it does with AUREOLE_FULL=1 alone, at those of a command with an option that no run before had.
bool isValidated(const Arguments& arguments) {
    const char* const asked = std::getenv("AUREOLE_VALIDATION"); // NOLINT(concurrency-mt-unsafe): none is set
    if (asked == nullptr || std::string_view(asked) == "0" || !fullSweep()) {
        return false;
    }
    static std::map<std::string, std::set<std::string>> validated;
    const auto [known, isFirst] = validated.try_emplace(commandOf(arguments));
    const std::size_t before = known->second.size();
    known->second.merge(optionsIn(arguments));
    return isFirst || known->second.size() > before;
}

/// The program under test.
std::string binary() {
    return testFile(AUREOLE_BINARY);
}

/// Empty for what is no file, such as an output that was sent to a device.
std::string readText(const fs::path& file) {
    if (!fs::is_regular_file(file)) {
        return {};
    }
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A cache of this test run's own, so that the user's stays as it is.
class CacheFolder {
public:
    CacheFolder()
        : path_(fs::temp_directory_path() / ("aureole_cli_cache_" + std::to_string(::getpid()))) {
        fs::create_directories(path_);
    }
    ~CacheFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;
    CacheFolder(CacheFolder&&) = delete;
    CacheFolder& operator=(CacheFolder&&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

const CacheFolder& sharedCache() {
    static const CacheFolder cache;
    return cache;
}

/// The environment of this process with `variables` put in.
std::vector<std::string> environmentWith(Variables variables) {
    variables.try_emplace("XDG_CACHE_HOME", sharedCache().path().string());
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (!variables.contains(text.substr(0, text.find('=')))) {
            result.push_back(text);
        }
    }
    for (const auto& [name, value] : variables) {
        result.push_back(std::string(name).append("=").append(value));
    }
    return result;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

constexpr const char* kBoxScene = R"({
  "version": 1,
  "materials": {"grey": {"albedo": 0.5}},
  "assets": {"block": {"box": {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}}},
  "instances": {"block": {"asset": "block", "material": "grey"}},
  "cameras": {
    "front": {"position": [0, 0, 3], "target": [0, 0, 0], "verticalFov": 40},
    "back": {"position": [0, 0.7, -3], "target": [0, 0.7, 0], "verticalFov": 40}
  },
  "camera": "front",
  "environment": {"type": "constant", "radiance": 1},
  "film": {"size": [32, 24], "filter": "box", "exposure": 0, "tonemap": "linear"},
  "voxels": {"resolution": 16, "normals": "face"},
  "integrator": {"samplesPerPixel": 4, "seed": 1}BLOOM
})";

constexpr const char* kClosedBox = R"({
  "version": 1,
  "materials": {"wall": {"albedo": 0.5, "emission": 1}},
  "assets": {
    "near": {"box": {"min": [-1, -1, 0.875], "max": [1, 1, 1]}},
    "far": {"box": {"min": [-1, -1, -1], "max": [1, 1, -0.875]}},
    "left": {"box": {"min": [-1, -1, -1], "max": [-0.875, 1, 1]}},
    "right": {"box": {"min": [0.875, -1, -1], "max": [1, 1, 1]}},
    "floor": {"box": {"min": [-1, -1, -1], "max": [1, -0.875, 1]}},
    "ceiling": {"box": {"min": [-1, 0.875, -1], "max": [1, 1, 1]}}
  },
  "instances": {
    "near": {"asset": "near", "material": "wall"},
    "far": {"asset": "far", "material": "wall"},
    "left": {"asset": "left", "material": "wall"},
    "right": {"asset": "right", "material": "wall"},
    "floor": {"asset": "floor", "material": "wall"},
    "ceiling": {"asset": "ceiling", "material": "wall"}
  },
  "cameras": {"inside": {"position": [0, 0, 0.5], "target": [0.1, 0.2, -0.5]}},
  "film": {"size": [16, 12]},
  "voxels": {"resolution": 16, "normals": "face"},
  "integrator": {"samplesPerPixel": 32}
})";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    return text.replace(text.find(what), what.size(), by);
}

} // namespace

std::string boxScene() {
    return replaced(kBoxScene, "BLOOM", "");
}

std::string shadedScene() {
    const std::string coloured = replaced(boxScene(), R"("albedo": 0.5)", R"("albedo": [0.37, 0.61, 0.83])");
    return replaced(coloured, R"("type": "constant", "radiance": 1)",
                    R"("type": "gradient", "zenith": [0.1, 0.3, 0.9], "horizon": 0.7, "ground": [0.3, 0.2, 0.1])");
}

std::string bloomScene() {
    return replaced(kBoxScene, "BLOOM", R"(, "bloom": {"kernel": "default"})");
}

std::string closedBoxScene() {
    return kClosedBox;
}

void CliTest::SetUp() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("aureole-cli-" + std::to_string(::getpid()) + "-" + test->test_suite_name() + "-" + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
}

void CliTest::TearDown() {
    fs::remove_all(folder_);
}

fs::path CliTest::cacheHome() {
    return sharedCache().path();
}

std::string CliTest::ownCache(const std::string& folder) const {
    constexpr auto kNew = fs::copy_options::skip_existing;
    const fs::path own = folder_ / folder;
    fs::create_directories(own / "aureole");
    for (const auto& entry : fs::directory_iterator(cacheHome())) {
        if (entry.path().filename() != "aureole") { // a driver's
            fs::copy(entry.path(), own / entry.path().filename(), kNew | fs::copy_options::recursive);
        }
    }
    if (fs::exists(cacheHome() / "aureole")) {                    // another test may have run before
        fs::copy(cacheHome() / "aureole", own / "aureole", kNew); // files alone
    }
    return own.string();
}

std::string CliTest::write(const std::string& name, const std::string& text) const {
    const fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
}

pid_t CliTest::start(const Arguments& arguments, const Variables& variables) const {
    std::vector<std::string> words = {binary()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Variables all = variables; // what a test sets stays
    all.insert({"AUREOLE_VALIDATION", validates && isValidated(arguments) ? "1" : "0"});
    std::vector<std::string> environment = environmentWith(all);

    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    const std::string out = path("stdout.txt");
    const std::string err = path("stderr.txt");
    constexpr mode_t kMode = 0600;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, kMode);
    for (const int stream : closedStreams) {
        posix_spawn_file_actions_addclose(&actions, stream);
    }
    pid_t process = -1;
    const int status = ::posix_spawn(&process, words.front().c_str(), &actions, nullptr, pointersTo(words).data(),
                                     pointersTo(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(status, 0) << "cannot start " << words.front();
    startedRuns()[process] = arguments;
    return process;
}

Outcome CliTest::finish(pid_t process) const {
    int status = 0;
    EXPECT_EQ(::waitpid(process, &status, 0), process);
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    recordOptions(startedRuns()[process], outcome.code);
    startedRuns().erase(process);
    outcome.out = readText(path("stdout.txt"));
    outcome.err = errorsSoFar();
    EXPECT_EQ(outcome.err.find("Vulkan validation:"), std::string::npos) << outcome.err;
    return outcome;
}

Outcome CliTest::run(const Arguments& arguments, const Variables& variables) const {
    return finish(start(arguments, variables));
}

std::string CliTest::errorsSoFar() const {
    return readText(path("stderr.txt"));
}

bool CliTest::waitUntil(pid_t process, const std::function<bool()>& done) {
    while (!done()) {
        siginfo_t ended{};
        constexpr int kLeaveIt = WEXITED | WNOHANG | WNOWAIT; // for finish()
        if (::waitid(P_PID, static_cast<id_t>(process), &ended, kLeaveIt) != 0 || ended.si_pid != 0) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

bool CliTest::waitForFile(pid_t process, const fs::path& file) {
    return waitUntil(process, [&] { return fs::exists(file); });
}

bool CliTest::waitForError(pid_t process, const std::string& text) const {
    return waitUntil(process, [&] { return errorsSoFar().find(text) != std::string::npos; });
}

namespace {

std::string joined(const Arguments& arguments) {
    std::ostringstream line;
    line << "aureole";
    for (const std::string& argument : arguments) {
        line << ' ' << argument;
    }
    return line.str();
}

} // namespace

Outcome CliTest::expectDone(const Arguments& arguments, const Variables& variables) const {
    Outcome outcome = run(arguments, variables);
    EXPECT_EQ(outcome.code, 0) << joined(arguments) << '\n' << outcome.err;
    return outcome;
}

nlohmann::json parseJson(const std::string& text) {
    return nlohmann::json::parse(text);
}

nlohmann::json readJson(const fs::path& file) {
    return parseJson(readText(file));
}

nlohmann::json CliTest::info(const std::string& file) const {
    return parseJson(expectDone({"info", file, "--json"}).out);
}

Outcome CliTest::expectFailure(int code, const Arguments& arguments, const std::vector<std::string>& fragments,
                               const Variables& variables) const {
    Outcome outcome = run(arguments, variables);
    EXPECT_EQ(outcome.code, code) << joined(arguments) << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find("aureole: error: "), std::string::npos) << joined(arguments) << '\n' << outcome.err;
    for (const std::string& fragment : fragments) {
        EXPECT_NE(outcome.err.find(fragment), std::string::npos)
            << joined(arguments) << "\nexpected '" << fragment << "' in\n"
            << outcome.err;
    }
    return outcome;
}

std::vector<float> pixel(const Image& image, std::uint32_t x, std::uint32_t y) {
    std::vector<float> colour;
    for (const char* name : {"R", "G", "B"}) {
        const Channel* channel = image.find(name);
        colour.push_back(channel != nullptr ? channel->values.at(std::size_t{y} * image.width + x)
                                            : std::numeric_limits<float>::quiet_NaN());
    }
    return colour;
}

double largestDifference(const Image& a, const Image& b) {
    if (a.width != b.width || a.height != b.height) {
        return std::numeric_limits<double>::infinity();
    }
    double largest = 0.0;
    for (std::uint32_t y = 0; y < a.height; ++y) {
        for (std::uint32_t x = 0; x < a.width; ++x) {
            const std::vector<float> first = pixel(a, x, y);
            const std::vector<float> second = pixel(b, x, y);
            for (std::size_t c = 0; c < 3; ++c) {
                const double difference = std::abs(double{first[c]} - second[c]);
                // NaN counts as a difference.
                largest = difference <= largest ? largest : difference;
            }
        }
    }
    return largest;
}

std::string commandOf(const Arguments& arguments) {
    if (arguments.empty()) {
        return {};
    }
    const bool ofBenchmark = arguments.front() == "bench" && arguments.size() > 1 && !arguments[1].starts_with("-");
    return ofBenchmark ? "bench " + arguments[1] : arguments.front();
}

} // namespace aureole
