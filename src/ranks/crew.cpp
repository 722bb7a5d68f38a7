#include "ranks/crew.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <thread>

#include <unistd.h>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/interrupt.h"
#include "core/log.h"
#include "core/stopwatch.h"

namespace aureole {

namespace {

using Json = nlohmann::json;

enum Tag { kOutcome = 1, kOutcomes, kStanding, kStop, kAsk, kBytes, kDismiss };

constexpr double kTellSeconds = 0.1;
constexpr std::size_t kChunkBytes = std::size_t{64} << 20U;

std::vector<std::byte> bytesOf(const std::string& text) {
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string textOf(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename T>
std::vector<std::byte> bytesOf(const T& value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

template <typename T>
T valueOf(const std::vector<std::byte>& bytes) {
    if (bytes.size() != sizeof(T)) {
        fail(ExitCode::Internal, "found a message of {} bytes, expected {}", bytes.size(), sizeof(T));
    }
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

Json toJson(const RankOutcome& outcome) {
    return {static_cast<int>(outcome.code), outcome.message, outcome.data, outcome.name};
}

RankOutcome fromJson(const Json& json) {
    return {static_cast<ExitCode>(json.at(0).get<int>()), json.at(1).get<std::string>(), json.at(2).get<std::string>(),
            json.at(3).get<std::string>()};
}

std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace); // names of files need not be UTF-8
}

std::string hostName() {
    std::string name(256, '\0');
    if (::gethostname(name.data(), name.size() - 1) != 0) {
        return "an unnamed host";
    }
    name.resize(std::strlen(name.data()));
    return name;
}

} // namespace

Crew::Crew(std::unique_ptr<Messenger> messenger)
    : messenger_(std::move(messenger))
    , host_(hostName())
    , name_(fmt::format("rank {} on {}", messenger_->rank(), host_))
    , outcomes_(static_cast<std::size_t>(messenger_->size()))
    , standings_(static_cast<std::size_t>(messenger_->size())) {}

Crew::~Crew() {
    if (!ended_) {
        messenger_->abort(static_cast<int>(ExitCode::Internal));
    }
}

void Crew::end() {
    ended_ = true;
    messenger_->end();
}

void Crew::abort(const std::string& why, ExitCode code) {
    logError("{}", why);
    messenger_->abort(static_cast<int>(code));
    std::_Exit(static_cast<int>(code)); // abort does not return, but does not say so
}

/// Long waits must leave the processor to ranks that work: MPI's own would not.
void Crew::pause() {
    messenger_->hasSent();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// On rank 0: takes what the others have sent.
void Crew::collect() {
    // Outcomes come first: once one has arrived, so have the standings that its rank sent before. The other way round,
    // both could arrive between the loops, and the last standing would not count where all meet.
    while (const auto message = messenger_->receive(kOutcome)) {
        outcomes_[static_cast<std::size_t>(message->from)] = fromJson(Json::parse(textOf(message->bytes)));
    }
    while (const auto message = messenger_->receive(kStanding)) {
        standings_[static_cast<std::size_t>(message->from)] = valueOf<RankStanding>(message->bytes);
    }
    const bool anyStops = std::any_of(outcomes_.begin(), outcomes_.end(),
                                      [](const auto& outcome) { return outcome && outcome->code != ExitCode::Done; });
    if (anyStops || interruptRequested()) {
        stopAll();
    }
}

void Crew::stopAll() {
    if (stopped_) {
        return;
    }
    stopped_ = true;
    requestInterrupt();
    for (int other = 1; other < size(); ++other) {
        messenger_->send(other, kStop, {});
    }
}

/// On other ranks: does what rank 0 asks for.
void Crew::heedStop() {
    if (messenger_->receive(kStop)) {
        stopped_ = true;
        requestInterrupt();
    }
}

std::vector<RankOutcome> Crew::meet(RankOutcome own, double patience, const std::function<void()>& whileWaiting) {
    own.name = name_;
    tellStanding();
    const auto wait = [&] {
        if (whileWaiting) {
            whileWaiting();
        }
        pause();
    };
    if (!leads()) {
        return awaitOutcomes(own, patience, wait);
    }
    outcomes_[0] = std::move(own);
    gatherOutcomes(patience, wait);
    return tellOutcomes();
}

/// On other ranks: sends rank 0 the own outcome and waits for those of all.
std::vector<RankOutcome> Crew::awaitOutcomes(const RankOutcome& own, double patience,
                                             const std::function<void()>& wait) {
    messenger_->send(0, kOutcome, bytesOf(dump(toJson(own))));
    const Stopwatch waited;
    // Rank 0 gives up first, as it can tell of all.
    while (!own.hasFailed() || waited.seconds() < 1.5 * patience) {
        heedStop();
        if (const auto message = messenger_->receive(kOutcomes)) {
            std::vector<RankOutcome> all;
            for (const Json& outcome : Json::parse(textOf(message->bytes))) {
                all.push_back(fromJson(outcome));
            }
            return all;
        }
        wait();
    }
    abort(fmt::format("{}: {}; rank 0 does not answer", name_, own.message), own.code);
}

/// On rank 0: waits until all have handed in their outcomes, for `patience` seconds once one has failed.
void Crew::gatherOutcomes(double patience, const std::function<void()>& wait) {
    Stopwatch sinceFailure;
    while (std::any_of(outcomes_.begin(), outcomes_.end(), [](const auto& outcome) { return !outcome; })) {
        collect();
        const auto failed = std::find_if(outcomes_.begin(), outcomes_.end(),
                                         [](const auto& outcome) { return outcome && outcome->hasFailed(); });
        if (failed == outcomes_.end()) {
            sinceFailure = {};
        } else if (sinceFailure.seconds() > patience) {
            std::vector<std::size_t> missing;
            for (std::size_t i = 0; i < outcomes_.size(); ++i) {
                if (!outcomes_[i]) {
                    missing.push_back(i);
                }
            }
            abort(fmt::format("{}: {}; ranks {} did not stop within {:g} s", (*failed)->name, (*failed)->message,
                              fmt::join(missing, ", "), patience),
                  (*failed)->code);
        }
        wait();
    }
}

/// On rank 0: sends all outcomes to the others, forgets them for the next meeting, and returns them.
std::vector<RankOutcome> Crew::tellOutcomes() {
    std::vector<RankOutcome> all;
    Json list = Json::array();
    for (std::optional<RankOutcome>& outcome : outcomes_) {
        list.push_back(toJson(*outcome));
        all.push_back(std::move(*outcome));
        outcome.reset();
    }
    for (int other = 1; other < size(); ++other) {
        messenger_->send(other, kOutcomes, bytesOf(dump(list)));
    }
    return all;
}

void Crew::watch(const RankStanding& own) {
    untold_ = own;
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    if (now - lastTold_ < kTellSeconds) {
        return;
    }
    lastTold_ = now;
    if (leads()) {
        tellStanding();
        collect();
        return;
    }
    heedStop();
    if (messenger_->hasSent()) {
        tellStanding();
    }
}

void Crew::tellStanding() {
    if (!untold_) {
        return;
    }
    if (leads()) {
        standings_[0] = *untold_;
    } else {
        messenger_->send(0, kStanding, bytesOf(*untold_));
    }
    untold_.reset();
}

RankStanding Crew::total() const {
    RankStanding total;
    for (const RankStanding& standing : standings_) {
        total.done += standing.done;
        total.all += standing.all;
        total.rays += standing.rays;
    }
    return total;
}

std::vector<std::byte> Crew::fetch(int rank, std::uint32_t number) {
    messenger_->send(rank, kAsk, bytesOf(number));
    std::vector<std::byte> bytes;
    std::uint64_t expected = std::numeric_limits<std::uint64_t>::max();
    while (bytes.size() < expected) {
        const auto message = messenger_->receive(kBytes);
        if (!message) {
            pause();
        } else if (expected == std::numeric_limits<std::uint64_t>::max()) {
            expected = valueOf<std::uint64_t>(message->bytes);
            bytes.reserve(expected);
        } else {
            bytes.insert(bytes.end(), message->bytes.begin(), message->bytes.end());
        }
    }
    return bytes;
}

void Crew::dismiss(ExitCode code) {
    for (int other = 1; other < size(); ++other) {
        messenger_->send(other, kDismiss, bytesOf(static_cast<int>(code)));
    }
}

ExitCode Crew::serve(const std::function<std::vector<std::byte>(std::uint32_t)>& give) {
    while (true) {
        if (const auto message = messenger_->receive(kAsk)) {
            const std::vector<std::byte> bytes = give(valueOf<std::uint32_t>(message->bytes));
            messenger_->send(0, kBytes, bytesOf(std::uint64_t{bytes.size()}));
            for (std::size_t first = 0; first < bytes.size(); first += kChunkBytes) {
                const std::size_t end = std::min(first + kChunkBytes, bytes.size());
                messenger_->send(0, kBytes,
                                 {bytes.begin() + static_cast<std::ptrdiff_t>(first),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(end)});
                while (!messenger_->hasSent()) {
                    std::this_thread::yield();
                }
            }
        } else if (const auto last = messenger_->receive(kDismiss)) {
            return static_cast<ExitCode>(valueOf<int>(last->bytes));
        } else {
            heedStop();
            pause();
        }
    }
}

RankOutcome summarize(const std::vector<RankOutcome>& outcomes) {
    RankOutcome summary;
    std::map<std::string, std::vector<std::string>> failed; // the ranks with each message
    std::string first;
    for (const RankOutcome& outcome : outcomes) {
        if (outcome.hasFailed()) {
            if (failed.empty()) {
                summary.code = outcome.code;
                first = outcome.message;
            }
            failed[outcome.message].push_back(outcome.name);
        } else if (outcome.code == ExitCode::Interrupted && failed.empty()) {
            summary.code = outcome.code;
        }
    }
    if (failed.empty()) {
        return summary;
    }
    if (failed[first].size() == outcomes.size()) {
        summary.message = first;
        return summary;
    }
    for (const auto& [message, ranks] : failed) {
        summary.message +=
            fmt::format("{}{}: {}", summary.message.empty() ? "" : "\n", fmt::join(ranks, ", "), message);
    }
    return summary;
}

} // namespace aureole
