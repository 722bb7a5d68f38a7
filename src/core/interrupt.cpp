#include "core/interrupt.h"

#include <csignal>

namespace aureole {

namespace {

volatile std::sig_atomic_t requested = 0;

void onSignal(int signal) {
    requested = 1;
    // The next one is not caught: a person who asks twice wants out.
    std::signal(signal, SIG_DFL);
}

} // namespace

void catchInterrupts() {
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

bool interruptRequested() {
    return requested != 0;
}

} // namespace aureole
