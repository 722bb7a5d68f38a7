#pragma once

namespace aureole {

/// Makes SIGINT, SIGTERM, SIGXCPU and, where it is not ignored, SIGHUP end the program with the exit code of an
/// interruption: at once, or where a file is under way, once that is whole or removed. A second SIGINT or SIGTERM ends
/// the program whatever it is at.
void exitOnInterrupts();

/// From now on, the same signals ask for an orderly stop; a second SIGINT or SIGTERM ends the program at once.
void catchInterrupts();

/// Makes SIGUSR2 do what SIGTERM does, which launchers of many processes follow with a SIGKILL soon; they pass this one
/// on as it is.
void catchForwardedInterrupts();

/// Makes SIGUSR1 ask for a checkpoint.
void catchSaveRequests();

/// Whether one was asked for since the last call.
bool takeSaveRequest();

/// Asks for an orderly stop without a signal: whatever was set before, the program is not ended at once.
void requestInterrupt();

/// Whether a stop has been asked for. Cheap; long work checks it between steps.
bool interruptRequested();

/// A file is half-written while this is there.
class FileUnderWay {
public:
    FileUnderWay();
    ~FileUnderWay();
    FileUnderWay(const FileUnderWay&) = delete;
    FileUnderWay& operator=(const FileUnderWay&) = delete;
    FileUnderWay(FileUnderWay&&) = delete;
    FileUnderWay& operator=(FileUnderWay&&) = delete;
};

} // namespace aureole
