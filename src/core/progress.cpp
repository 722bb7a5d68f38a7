#include "core/progress.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

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
    if (shown_ && style_ == ProgressStyle::Bar) {
        writeStderr("\r\x1b[K");
    }
}

void Progress::update(std::uint64_t done, const std::string& note, Figures figures) {
    const Clock::time_point now = Clock::now();
    if (style_ == ProgressStyle::None || now - lastShown_ < std::chrono::milliseconds(100)) {
        return;
    }
    lastShown_ = now;
    shown_ = true;
    show(std::min(done, total_), note, figures, std::chrono::duration<double>(now - start_).count());
}

void Progress::show(std::uint64_t done, const std::string& note, Figures figures, double seconds) const {
    const double share = static_cast<double>(done) / static_cast<double>(total_);
    const double left = share > 0.0 ? seconds * (1.0 - share) / share : 0.0;
    if (style_ == ProgressStyle::Json) {
        std::string more;
        for (const auto& [name, value] : figures) {
            more += fmt::format(R"(,"{}":{:.6g})", name, value);
        }
        writeStderr(fmt::format(R"({{"stage":"{}","done":{},"total":{},"seconds":{:.3f},"eta":{:.3f}{}}})"
                                "\n",
                                stage_, done, total_, seconds, left, more));
        return;
    }
    constexpr int kWidth = 30;
    const int filled = static_cast<int>(share * kWidth);
    writeStderr(fmt::format("\r\x1b[K{} [{:#<{}}{:.<{}}] {:3.0f} %  {} left  {}", stage_, "", filled, "",
                            kWidth - filled, share * 100.0, formatDuration(left), note));
}

} // namespace aureole
