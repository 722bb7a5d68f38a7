#include "core/log.h"

#include <atomic>
#include <cstdio>
#include <string>

namespace aureole {

namespace {
std::atomic<LogLevel> currentLevel{LogLevel::Info};
}

void setLogLevel(LogLevel level) {
    currentLevel = level;
}

void logMessage(LogLevel level, std::string_view message) {
    if (level > currentLevel.load()) {
        return;
    }
    const char* prefix = level == LogLevel::Error     ? "error: "
                         : level == LogLevel::Warning ? "warning: "
                         : level == LogLevel::Debug   ? "debug: "
                                                      : "";
    // One write per line, so that lines of several threads do not mix.
    const std::string line = fmt::format("{}{}\n", prefix, message);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace aureole
