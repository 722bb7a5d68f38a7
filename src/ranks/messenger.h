#pragma once

// What aureole wants of MPI. Messengers come from a library that is opened at run time (open_messenger.h), so that the
// program needs no MPI to start: this header has no code that one side would look for in the other.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace aureole {

/// Processes of one job, the ranks 0 to size() - 1, that send each other bytes. For one thread. A failure of the
/// network or of another process ends the job, which is MPI's default.
class Messenger {
public:
    struct Message {
        int from = 0;
        std::vector<std::byte> bytes;
    };

    Messenger() = default;
    virtual ~Messenger() = default;
    Messenger(const Messenger&) = delete;
    Messenger& operator=(const Messenger&) = delete;
    Messenger(Messenger&&) = delete;
    Messenger& operator=(Messenger&&) = delete;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual int localRank() const = 0; ///< among the ranks of this host
    virtual int localSize() const = 0; ///< how many those are

    /// Sends less than 2^31 bytes. Returns at once; the bytes leave while any function of this class is called.
    /// Messages from one rank to another arrive in their order, whatever their tags.
    virtual void send(int to, int tag, std::vector<std::byte> bytes) = 0;
    /// Whether all that was sent has left.
    virtual bool hasSent() = 0;
    /// A message of the tag that has arrived, if any.
    virtual std::optional<Message> receive(int tag) = 0;

    /// All ranks call it, once nothing is under way any more; the last call.
    virtual void end() = 0;
    /// Ends the processes of all ranks, this one too.
    virtual void abort(int code) = 0;
};

/// What the library exports as kOpenMessengerName: joins the job that this process was started in. Null where `version`
/// is another than the library's own.
using OpenMessenger = Messenger*(const char* version);
inline constexpr const char* kOpenMessengerName = "aureoleOpenMessenger";

} // namespace aureole
