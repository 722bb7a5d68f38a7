#include "core/interrupt.h"

#include <atomic>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "core/error.h"

namespace aureole {

namespace {

// Handlers may use what is free of locks, and nothing else that other threads use too.
std::atomic<bool> requested = false;
std::atomic<bool> saveRequested = false;
std::atomic<bool> endsAtOnce = false;
std::atomic<int> filesUnderWay = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

[[noreturn]] void endInterrupted() {
    constexpr std::string_view kMessage = "aureole: interrupted\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
    ::_exit(static_cast<int>(ExitCode::Interrupted));
}

void onSignal(int signal) {
    requested = true;
    // The next one is not caught: a person who asks twice wants out.
    std::signal(signal, SIG_DFL);
    // Whoever begins a file afterwards sees the request.
    if (endsAtOnce && filesUnderWay == 0) {
        endInterrupted();
    }
}

// A lost terminal sends one, and its shell another; a limit of time sends one each second. No person asks twice.
void onSystemSignal(int signal) {
    onSignal(signal);
    std::signal(signal, onSystemSignal);
}

void catchSignals() {
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
    std::signal(SIGXCPU, onSystemSignal);
    struct sigaction before {};
    ::sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) { // else nohup started the program, to outlive its terminal
        std::signal(SIGHUP, onSystemSignal);
    }
}

void onSaveSignal(int signal) {
    saveRequested = true;
    std::signal(signal, onSaveSignal);
}

} // namespace

void exitOnInterrupts() {
    endsAtOnce = true;
    catchSignals();
}

void catchInterrupts() {
    endsAtOnce = false;
    catchSignals();
}

void catchForwardedInterrupts() {
    std::signal(SIGUSR2, onSignal);
}

void catchSaveRequests() {
    std::signal(SIGUSR1, onSaveSignal);
}

bool takeSaveRequest() {
    return saveRequested.exchange(false);
}

void requestInterrupt() {
    endsAtOnce = false;
    requested = true;
}

bool interruptRequested() {
    return requested;
}

FileUnderWay::FileUnderWay() {
    ++filesUnderWay;
    if (endsAtOnce && requested) {
        endInterrupted();
    }
}

FileUnderWay::~FileUnderWay() {
    if (--filesUnderWay == 0 && endsAtOnce && requested) {
        endInterrupted();
    }
}

} // namespace aureole
