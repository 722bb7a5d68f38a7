#include <cstring>
#include <list>
#include <utility>

#include <mpi.h>

#include "ranks/messenger.h"

namespace aureole {

namespace {

class MpiMessenger final : public Messenger {
public:
    MpiMessenger() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm local = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
        MPI_Comm_rank(local, &localRank_);
        MPI_Comm_size(local, &localSize_);
        MPI_Comm_free(&local);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int localRank() const override { return localRank_; }
    int localSize() const override { return localSize_; }

    // hasSent() and end() wait for what is sent. NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
    void send(int to, int tag, std::vector<std::byte> bytes) override {
        Sending& sending = underWay_.emplace_back();
        sending.bytes = std::move(bytes);
        MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD,
                  &sending.request);
    }
    // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

    bool hasSent() override {
        underWay_.remove_if([](Sending& sending) {
            int done = 0;
            MPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
            return done != 0;
        });
        return underWay_.empty();
    }

    // Of one rank's messages, one of another tag that was sent earlier is there too: a receive for any tag would have
    // to take that first (MPI 4.0, 3.5), so that libraries take them in in their order.
    std::optional<Message> receive(int tag) override {
        hasSent();
        int found = 0;
        MPI_Message handle = MPI_MESSAGE_NULL;
        MPI_Status status;
        MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, &handle, &status);
        if (found == 0) {
            return std::nullopt;
        }
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        Message message;
        message.from = status.MPI_SOURCE;
        message.bytes.resize(static_cast<std::size_t>(count));
        MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
        return message;
    }

    void end() override {
        for (Sending& sending : underWay_) {
            // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): that of send()
            MPI_Wait(&sending.request, MPI_STATUS_IGNORE);
        }
        MPI_Finalize();
    }

    void abort(int code) override { MPI_Abort(MPI_COMM_WORLD, code); }

private:
    struct Sending {
        std::vector<std::byte> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    int rank_ = 0;
    int size_ = 1;
    int localRank_ = 0;
    int localSize_ = 1;
    std::list<Sending> underWay_; ///< whose requests and bytes stay where they are
};

} // namespace

} // namespace aureole

/// aureole::OpenMessenger.
extern "C" aureole::Messenger* aureoleOpenMessenger(const char* version) {
    return std::strcmp(version, AUREOLE_VERSION) == 0 ? new aureole::MpiMessenger : nullptr;
}
