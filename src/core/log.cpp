#include "core/log.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/held_log.h"
#include "core/printable.h"
#include "core/quiet_log.h"

namespace aureole {

namespace {

std::atomic<LogLevel> currentLevel{LogLevel::Info};
std::atomic<LogStyle> currentStyle{LogStyle::Text};

/// Where this thread's messages are kept; null where they are written.
std::vector<LogLine>*& heldLines() {
    thread_local std::vector<LogLine>* lines = nullptr;
    return lines;
}

std::string& currentOrigin() {
    static std::string origin;
    return origin;
}

std::function<void(LogLevel, std::string_view)>& currentSink() {
    static std::function<void(LogLevel, std::string_view)> sink;
    return sink;
}

const char* nameOf(LogLevel level) {
    return level == LogLevel::Error     ? "error"
           : level == LogLevel::Warning ? "warning"
           : level == LogLevel::Debug   ? "debug"
                                        : "info";
}

std::string jsonLine(LogLevel level, std::string_view message) {
    // Names of files need not be UTF-8.
    const std::string text =
        nlohmann::json(std::string(message)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return fmt::format(R"({{"log":"{}","message":{}}})"
                       "\n",
                       nameOf(level), text);
}

std::string textLine(LogLevel level, std::string_view message) {
    const std::string text = printable(message);
    return level == LogLevel::Info ? fmt::format("{}\n", text) : fmt::format("{}: {}\n", nameOf(level), text);
}

} // namespace

void setLogLevel(LogLevel level) {
    currentLevel = level;
}

QuietLog::QuietLog()
    : before_(currentLevel) {
    setLogLevel(std::min(before_, LogLevel::Error));
}

QuietLog::~QuietLog() {
    setLogLevel(before_);
}

HeldLog::HeldLog()
    : before_(std::exchange(heldLines(), &lines_)) {}

HeldLog::~HeldLog() {
    heldLines() = before_;
}

std::vector<LogLine> HeldLog::take() {
    return std::exchange(lines_, {});
}

void setLogStyle(LogStyle style) {
    currentStyle = style;
}

LogStyle logStyle() {
    return currentStyle;
}

void setLogOrigin(std::string origin) {
    currentOrigin() = std::move(origin);
}

void setLogSink(std::function<void(LogLevel, std::string_view)> sink) {
    currentSink() = std::move(sink);
}

void logMessage(LogLevel level, std::string_view message) {
    if (level > currentLevel.load()) {
        return;
    }
    if (std::vector<LogLine>* const held = heldLines()) {
        held->push_back({level, std::string(message)});
        return;
    }
    if (currentSink()) {
        currentSink()(level, message);
        return;
    }
    const std::string& origin = currentOrigin();
    const std::string whole = origin.empty() ? std::string(message) : fmt::format("{}: {}", origin, message);
    // One write per line, so that lines of several threads do not mix.
    const std::string line = logStyle() == LogStyle::JsonLines ? jsonLine(level, whole) : textLine(level, whole);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace aureole
