#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace aureole::sandbox {

/// The program of workers: aureole-import beside this program, or in ../libexec/aureole. Throws Error (Internal) that
/// names both places.
std::filesystem::path findWorker();

/// A child process that runs a worker's program. It has no terminal, no standard streams, and of the environment what
/// the loader and the libraries need.
class WorkerProcess {
public:
    /// Throws Error (Internal) where it cannot be started.
    explicit WorkerProcess(const std::filesystem::path& program);
    /// Ends the process, if that has not been waited for.
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    WorkerProcess(WorkerProcess&&) = delete;
    WorkerProcess& operator=(WorkerProcess&&) = delete;

    /// This end of the channel; the caller's from now on.
    int takeChannel();

    struct End {
        int signal = 0; ///< that it died of; 0: it ended by itself
        int code = 0;   ///< then this is its exit code
    };
    End wait();

    void kill() const;

private:
    pid_t process_ = -1;
    int channel_ = -1;
};

} // namespace aureole::sandbox
