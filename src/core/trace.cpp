#include "core/trace.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/file.h"

namespace aureole {

namespace {

constexpr int kThreads = 1; // process numbers in the file
constexpr int kOthers = 2;

struct Event {
    int process = kThreads;
    int track = 0;
    std::string name;
    TraceClock::time_point begin;
    TraceClock::time_point end;
};

class Trace {
public:
    void start() {
        begin_ = TraceClock::now();
        on_ = true;
    }
    bool isOn() const { return on_.load(std::memory_order_relaxed); }

    void add(Event event) {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
    }

    /// The lowest number that no living thread has, so that short-lived ones take turns on few tracks.
    int takeTrack() {
        const std::lock_guard lock(mutex_);
        const auto free = std::find(taken_.begin(), taken_.end(), false);
        const auto track = static_cast<int>(free - taken_.begin());
        if (free == taken_.end()) {
            taken_.push_back(true);
        } else {
            *free = true;
        }
        return track;
    }
    void freeTrack(int track) {
        const std::lock_guard lock(mutex_);
        taken_[static_cast<std::size_t>(track)] = false;
    }

    int otherTrack(const std::string& name) {
        const std::lock_guard lock(mutex_);
        return others_.emplace(name, static_cast<int>(others_.size())).first->second;
    }

    std::string json() const {
        const std::lock_guard lock(mutex_);
        nlohmann::json list = nlohmann::json::array();
        const auto nameTrack = [&](int process, int track, const std::string& name) {
            list.push_back(
                {{"name", "thread_name"}, {"ph", "M"}, {"pid", process}, {"tid", track}, {"args", {{"name", name}}}});
        };
        for (std::size_t track = 0; track < taken_.size(); ++track) {
            nameTrack(kThreads, static_cast<int>(track), track == 0 ? "main" : "thread " + std::to_string(track));
        }
        for (const auto& [name, track] : others_) {
            nameTrack(kOthers, track, name);
        }
        const auto microseconds = [](TraceClock::duration time) {
            return std::chrono::duration<double, std::micro>(time).count();
        };
        for (const Event& event : events_) {
            list.push_back({{"name", event.name},
                            {"ph", "X"},
                            {"pid", event.process},
                            {"tid", event.track},
                            {"ts", microseconds(event.begin - begin_)},
                            {"dur", microseconds(event.end - event.begin)}});
        }
        // Names of devices come from drivers.
        return nlohmann::json{{"traceEvents", list}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
               "\n";
    }

private:
    std::atomic<bool> on_ = false;
    TraceClock::time_point begin_;
    mutable std::mutex mutex_;
    std::vector<Event> events_;
    std::vector<bool> taken_; ///< by a living thread
    std::map<std::string, int> others_;
};

Trace& theTrace() {
    static auto* const trace = new Trace; // threads may end after statics are gone
    return *trace;
}

/// A thread's track, from its first span to its end.
struct ThreadTrack {
    ThreadTrack()
        : number(theTrace().takeTrack()) {}
    ~ThreadTrack() { theTrace().freeTrack(number); }
    ThreadTrack(const ThreadTrack&) = delete;
    ThreadTrack& operator=(const ThreadTrack&) = delete;
    ThreadTrack(ThreadTrack&&) = delete;
    ThreadTrack& operator=(ThreadTrack&&) = delete;

    int number;
};

int trackOfThread() {
    thread_local const ThreadTrack track;
    return track.number;
}

} // namespace

void startTrace() {
    theTrace().start();
    trackOfThread(); // the first is the main thread's
}

bool tracing() {
    return theTrace().isOn();
}

TraceSpan::TraceSpan(const char* name)
    : name_(tracing() ? name : nullptr) {
    if (name_ != nullptr) {
        trackOfThread(); // no other thread may have it from here on
        begin_ = TraceClock::now();
    }
}

TraceSpan::~TraceSpan() {
    if (name_ == nullptr) {
        return;
    }
    try {
        theTrace().add({kThreads, trackOfThread(), name_, begin_, TraceClock::now()});
    } catch (...) { // no memory for it: the timeline lacks a span
        return;
    }
}

void addTraceSpan(const std::string& track, std::string name, TraceClock::time_point begin,
                  TraceClock::time_point end) {
    theTrace().add({kOthers, theTrace().otherTrack(track), std::move(name), begin, end});
}

void writeTrace(const std::filesystem::path& path) {
    const std::string text = theTrace().json();
    writeFileAtomically(path, std::as_bytes(std::span(text)));
}

} // namespace aureole
