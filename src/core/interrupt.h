#pragma once

namespace aureole {

/// Makes SIGINT and SIGTERM ask for an orderly stop; a second one ends the program at once.
void catchInterrupts();

/// Makes SIGUSR1 ask for a checkpoint.
void catchSaveRequests();

/// Whether one was asked for since the last call.
bool takeSaveRequest();

/// Whether a stop has been asked for. Cheap; long work checks it between steps.
bool interruptRequested();

} // namespace aureole
