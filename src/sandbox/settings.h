#pragma once

#include <cstdint>
#include <filesystem>

namespace aureole::sandbox {

/// How files from strangers are read.
enum class Isolation {
    Strict, ///< by a worker process that has limits, and no way to files, the network or other processes
    Limits, ///< by a worker process that has limits
    None,   ///< by the process itself
};

struct Settings {
    Isolation isolation = Isolation::None;
    std::uint64_t memory = 0;     ///< bytes that reading one asset may take, and a scene (scene/scene_memory.h); 0: any
    double seconds = 600.0;       ///< that it may take
    std::uint32_t files = 0;      ///< that it may open
    std::filesystem::path worker; ///< the worker's program; empty: looked for beside this one (worker_process.h)
};

inline constexpr double kDefaultSeconds = 600.0;
inline constexpr std::uint32_t kDefaultFiles = 4096;

/// Three quarters of this machine's memory.
std::uint64_t defaultMemory();

/// From now on. Until then, assets are read by the process itself, as the tests of readers want it. Not meant to change
/// while assets are read.
void configure(const Settings& settings);
const Settings& settings();

} // namespace aureole::sandbox
