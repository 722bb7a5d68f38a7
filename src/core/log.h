#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace aureole {

enum class LogLevel { Quiet, Error, Warning, Info, Debug };

/// Messages above this level are dropped; Info by default. Not meant to change while threads log.
void setLogLevel(LogLevel level);

enum class LogStyle {
    Text,      ///< a line, prefixed with its level unless that is Info
    JsonLines, ///< one object per line: {"log": "warning", "message": "..."}
};

/// Text by default. Not meant to change while threads log.
void setLogStyle(LogStyle style);
LogStyle logStyle();

/// Who writes, at the beginning of every message from now on, as in "rank 3 on node7"; nobody by default.
void setLogOrigin(std::string origin);

/// Has messages go elsewhere than to stderr. The sink must be safe to call from any thread; it is not meant to change
/// while threads log.
void setLogSink(std::function<void(LogLevel, std::string_view)> sink);

/// Writes one line to stderr. Safe to call from any thread.
void logMessage(LogLevel level, std::string_view message);

template <typename... Args>
void logInfo(fmt::format_string<Args...> format, Args&&... args) {
    logMessage(LogLevel::Info, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void logWarning(fmt::format_string<Args...> format, Args&&... args) {
    logMessage(LogLevel::Warning, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void logError(fmt::format_string<Args...> format, Args&&... args) {
    logMessage(LogLevel::Error, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace aureole
