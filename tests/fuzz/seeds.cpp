// fuzz_seeds FOLDER: makes the seeds of all targets.

#include "seeds.h"

#include <cstdio>
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"

namespace aureole::fuzz {

void Seeds::add(const std::string& target, const std::string& name, std::span<const std::byte> bytes) const {
    const std::filesystem::path file = folder_ / target / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) {
        fail(ExitCode::CannotWrite, "{}: cannot be written", file.string());
    }
}

void Seeds::addFile(const std::string& target, const std::filesystem::path& file) const {
    constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 24U;
    add(target, file.filename().string(), readFile(file, kMostBytes));
}

} // namespace aureole::fuzz

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
        return 2;
    }
    aureole::setLogLevel(aureole::LogLevel::Warning);
    const aureole::fuzz::Seeds seeds(argv[1]); // NOLINT(*-pointer-arithmetic)
    aureole::fuzz::addImageSeeds(seeds);
    aureole::fuzz::addRefusedSeeds(seeds);
    aureole::fuzz::addSceneSeeds(seeds);
    aureole::fuzz::addVoxelSeeds(seeds);
    return 0;
}
