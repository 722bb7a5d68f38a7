#pragma once

#include "sandbox/settings.h"

namespace aureole::sandbox {

/// Closes every descriptor but the standard streams and the channel.
void closeInherited();

/// Limits this process for good: memory beyond what it has, processor
/// time, open files, no files written, no core dumps, no new privileges. It dies with the thread that started it, and
/// leaves the terminal's signals to that. To be called before it has threads.
void limitProcess(const Settings& settings);

/// Refuses this process (and its threads to come) all system calls for good but those that memory, threads, the clock
/// and open descriptors need: no files, sockets, processes, signals to others, executable memory. What is refused fails
/// with EPERM. Returns 0, or the errno of a kernel or container that has no such filters; then nothing is refused.
/// Under AddressSanitizer it does nothing.
int refuseSystemCalls();

} // namespace aureole::sandbox
