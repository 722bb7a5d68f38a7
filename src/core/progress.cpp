#include "core/progress.h"

#include <algorithm>
#include <cstdio>
#include <exception>

#include <unistd.h>

#include <fmt/format.h>

#include "core/log.h"

namespace aureole {

namespace {

ProgressStyle configuredStyle = ProgressStyle::Auto;

ProgressStyle resolvedStyle() {
    if (configuredStyle != ProgressStyle::Auto) {
        return configuredStyle;
    }
    return ::isatty(STDERR_FILENO) != 0 ? ProgressStyle::Bar : ProgressStyle::None;
}

void writeStderr(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

} // namespace

void setProgressStyle(ProgressStyle style) {
    configuredStyle = style;
    setLogStyle(style == ProgressStyle::Json ? LogStyle::JsonLines : LogStyle::Text);
}

std::string formatDuration(double seconds) {
    if (seconds < 60.0) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto whole = static_cast<std::uint64_t>(seconds);
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress(std::string stage, std::uint64_t total)
    : stage_(std::move(stage))
    , total_(std::max<std::uint64_t>(total, 1))
    , style_(resolvedStyle())
    , start_(Clock::now())
    , lastShown_(start_) {}

Progress::~Progress() {
    if (style_ == ProgressStyle::Json && isNew_) {
        show();
    } else if (style_ == ProgressStyle::Bar && shown_) {
        writeStderr("\r\x1b[K");
    }
}

void Progress::update(std::uint64_t done, const std::string& note, Figures figures) noexcept {
    if (style_ == ProgressStyle::None) {
        return;
    }
    try {
        done_ = std::min(done, total_);
        note_ = note;
        figures_ = figures;
    } catch (const std::exception&) {
        return;
    }
    isNew_ = true;
    if (Clock::now() - lastShown_ >= std::chrono::milliseconds(100)) {
        show();
    }
}

void Progress::show() {
    isNew_ = false;
    lastShown_ = Clock::now();
    try {
        writeStderr(line(std::chrono::duration<double>(lastShown_ - start_).count()));
        shown_ = true;
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): the work goes on without
    }
}

std::string Progress::line(double seconds) const {
    const double share = static_cast<double>(done_) / static_cast<double>(total_);
    const double left = share > 0.0 ? seconds * (1.0 - share) / share : 0.0;
    if (style_ == ProgressStyle::Json) {
        std::string more;
        for (const auto& [name, value] : figures_) {
            more += fmt::format(R"(,"{}":{:.6g})", name, value);
        }
        return fmt::format(R"({{"stage":"{}","done":{},"total":{},"seconds":{:.3f},"eta":{:.3f}{}}})"
                           "\n",
                           stage_, done_, total_, seconds, left, more);
    }
    constexpr int kWidth = 30;
    const int filled = static_cast<int>(share * kWidth);
    return fmt::format("\r\x1b[K{} [{:#<{}}{:.<{}}] {:3.0f} %  {} left  {}", stage_, "", filled, "", kWidth - filled,
                       share * 100.0, formatDuration(left), note_);
}

} // namespace aureole
