#include "bench/peers/peer_program.h"

#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "bench_peer_sources.h"
#include "core/error.h"

// The environment, which POSIX declares nowhere.
extern char** environ; // NOLINT(readability-redundant-declaration)

namespace aureole::bench {

namespace {

namespace fs = std::filesystem;

constexpr int kNoDevice = 3; ///< the status of programs that find no such device
constexpr const char* kCudaCompiler = "/usr/local/cuda/bin/nvcc";

std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The beginning of a message, where compilers have the cause.
std::string firstLines(const std::string& text) {
    constexpr std::size_t kMost = 1500;
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

/// Runs a program, whose output goes to the files "out" and "err" of the folder. Returns its status, or -1 where there
/// is no such program.
int runProgram(const fs::path& folder, std::vector<std::string> words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    const std::string out = folder / "out";
    const std::string err = folder / "err";
    constexpr int kHow = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kHow, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kHow, 0600);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        return -1;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

PeerSource cudaSource(const std::string& name, std::string_view text) {
    return {name, {{name + ".cu", text}, {"cuda_timing.cuh", sources::cuda_timing_cuh()}}, true, {}, "CUDA"};
}

} // namespace

PeerSource cubSource() {
    return cudaSource("cub", sources::cub_cu());
}

PeerSource tree64Source() {
    PeerSource source = cudaSource("tree64", sources::tree64_cu());
    source.name = "tree64-cuda";
    return source;
}

PeerSource bloomSource(const std::string& name) {
    PeerSource source;
    if (name == "fftw") {
        source = {name,
                  {{"fftw.cxx", sources::fftw_cxx()}},
                  false,
                  {"-fopenmp", "-lfftw3f_threads", "-lfftw3f"},
                  "FFTW (libfftw3-dev)"};
    } else if (name == "cufft") {
        source = cudaSource(name, sources::cufft_cu());
        source.flags = {"-lcufft"};
    } else {
        source = cudaSource(name, sources::vkfft_cu());
        source.flags = {"-lnvrtc", "-lcuda"};
        source.needs = "CUDA and VkFFT (libvkfft-dev)";
    }
    source.files.push_back({"bloom_task.hpp", sources::bloom_task_hpp()});
    source.files.push_back({"cuda_bloom.cuh", sources::cuda_bloom_cuh()});
    return source;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = fs::temp_directory_path() / "aureole-bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
        fail(ExitCode::CannotWrite, "{}: cannot be made: {}", name, std::strerror(errno));
    }
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

PeerProgram::PeerProgram(PeerSource source)
    : source_(std::move(source)) {
    for (const SourceFile& file : source_.files) {
        std::ofstream(folder() / file.name, std::ios::binary) << file.text;
    }
    std::vector<std::string> words = {source_.isCuda ? "nvcc" : "c++", "-std=c++17", "-O3"};
    if (source_.isCuda) {
        words.emplace_back("-arch=native");
    }
    words.insert(words.end(), {"-o", folder() / "program", folder() / source_.files.front().name});
    words.insert(words.end(), source_.flags.begin(), source_.flags.end());
    int status = runProgram(folder(), words);
    if (status == -1 && source_.isCuda) {
        words.front() = kCudaCompiler;
        status = runProgram(folder(), words);
    }
    if (status == -1) {
        fail(ExitCode::Usage, "--against: found '{}', but no {} to compile it: it takes {}", source_.name,
             source_.isCuda ? "nvcc, in PATH or in /usr/local/cuda/bin," : "c++ in PATH", source_.needs);
    }
    if (status != 0) {
        fail(ExitCode::Usage, "--against: found '{}', which does not compile here; it takes {}:\n{}", source_.name,
             source_.needs, firstLines(textOf(folder() / "err")));
    }
}

nlohmann::json PeerProgram::run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {folder() / "program"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const int status = runProgram(folder(), words);
    if (status == kNoDevice) {
        fail(ExitCode::Usage, "--against: found '{}', which does not run on this device: {}", source_.name,
             firstLines(textOf(folder() / "err")));
    }
    const std::string text = textOf(folder() / "out");
    nlohmann::json answer = nlohmann::json::parse(text, nullptr, false);
    if (status != 0 || answer.is_discarded()) {
        fail(ExitCode::Internal, "{}: its program ended with status {}:\n{}", source_.name, status,
             firstLines(textOf(folder() / "err") + (status == 0 ? text : "")));
    }
    return answer;
}

} // namespace aureole::bench
