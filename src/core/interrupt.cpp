#include "core/interrupt.h"

#include <csignal>

namespace aureole {

namespace {

volatile std::sig_atomic_t requested = 0;
volatile std::sig_atomic_t saveRequested = 0;

void onSignal(int signal) {
    requested = 1;
    // The next one is not caught: a person who asks twice wants out.
    std::signal(signal, SIG_DFL);
}

void onSaveSignal(int signal) {
    saveRequested = 1;
    std::signal(signal, onSaveSignal);
}

} // namespace

void catchInterrupts() {
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

void catchSaveRequests() {
    std::signal(SIGUSR1, onSaveSignal);
}

bool takeSaveRequest() {
    const bool asked = saveRequested != 0;
    saveRequested = 0;
    return asked;
}

bool interruptRequested() {
    return requested != 0;
}

} // namespace aureole
