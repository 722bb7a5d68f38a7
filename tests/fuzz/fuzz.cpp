#include "fuzz.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/log.h"
#include "core/printable.h"

namespace aureole::fuzz {

namespace fs = std::filesystem;

namespace {

class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "aureole-fuzz-XXXXXX").string();
        require(::mkdtemp(name.data()) != nullptr, "a folder for temporary files can be made");
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

} // namespace

void require(bool kept, std::string_view promise) {
    if (!kept) {
        std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
        std::abort();
    }
}

void requireGoodRefusal(const Error& error, ExitCode code, const std::string& file) {
    const std::string message = error.what();
    const auto promise = [&](const char* what) {
        return fmt::format("{}; found code {} and '{}'", what, static_cast<int>(error.code()), printable(message));
    };
    require(error.code() == code, promise("a refusal has the exit code of its kind"));
    require(message.find(file) != std::string::npos, promise("a refusal names what it refuses"));
    require(message.size() > file.size() + 4, promise("a refusal says why"));
}

const fs::path& folder() {
    static const Folder kFolder;
    return kFolder.path();
}

fs::path written(const std::string& name, Bytes bytes) {
    fs::path path = folder() / name;
    constexpr int kMode = 0600;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode); // NOLINT(*-vararg)
    const bool whole = file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    ::close(file);
    require(whole, "a temporary file can be written");
    return path;
}

} // namespace aureole::fuzz

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's names

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    aureole::setLogLevel(aureole::LogLevel::Quiet); // warnings are made all the same
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    aureole::fuzz::runInput(std::as_bytes(std::span(data, size)));
    return 0;
}

// NOLINTEND(readability-identifier-naming)
