#pragma once

// The ranks of a job as they work: they meet, tell how far they are, stop together, and hand rank 0 what they have.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "ranks/messenger.h"

namespace aureole {

/// What a rank has to say where all meet.
struct RankOutcome {
    ExitCode code = ExitCode::Done;
    std::string message{}; ///< of a failure
    std::string data{};    ///< for the others
    std::string name{};    ///< of the rank, filled in by meet()

    bool hasFailed() const { return code != ExitCode::Done && code != ExitCode::Interrupted; }
};

/// How far a rank is. The unit of work is the caller's.
struct RankStanding {
    double done = 0.0;
    double all = 0.0; ///< what it had to do when it began
    std::uint64_t rays = 0;
};

class Crew {
public:
    explicit Crew(std::unique_ptr<Messenger> messenger);
    /// Ends the job where end() was not called: the others would wait for ever.
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    Crew(Crew&&) = delete;
    Crew& operator=(Crew&&) = delete;

    int rank() const { return messenger_->rank(); }
    int size() const { return messenger_->size(); }
    int localRank() const { return messenger_->localRank(); }
    int localSize() const { return messenger_->localSize(); }
    bool leads() const { return rank() == 0; }
    const std::string& host() const { return host_; }
    /// "rank 3 on node7".
    const std::string& name() const { return name_; }

    /// Hands in the own outcome, waits for those of all ranks, and returns them by rank. Where one is no success, the
    /// others are asked to stop (core/interrupt.h), and where it is a failure, they have `patience` seconds to come;
    /// after that the job is aborted with its exit code. `whileWaiting` is called now and then.
    std::vector<RankOutcome> meet(RankOutcome own, double patience, const std::function<void()>& whileWaiting = {});

    /// To be called between steps of the work: tells rank 0 the own standing, ten times a second at most and then where
    /// all meet, and asks this rank to stop where another one has failed or was told to stop. Cheap.
    void watch(const RankStanding& own);
    /// On rank 0: what all ranks together have told so far; `all` counts for those that have told nothing
    /// what it was set to by expect().
    RankStanding total() const;
    void expect(int rank, double all) { standings_[static_cast<std::size_t>(rank)].all = all; }

    /// On rank 0, while the others serve(): what `rank` has by that number.
    std::vector<std::byte> fetch(int rank, std::uint32_t number);
    /// On rank 0: ends the others' serve() with this code.
    void dismiss(ExitCode code);
    /// On other ranks: hands rank 0 what it fetches, until it is done. Returns the code.
    ExitCode serve(const std::function<std::vector<std::byte>(std::uint32_t)>& give);

    /// All ranks call it last.
    void end();
    bool hasEnded() const { return ended_; }

private:
    std::vector<RankOutcome> awaitOutcomes(const RankOutcome& own, double patience, const std::function<void()>& wait);
    void gatherOutcomes(double patience, const std::function<void()>& wait);
    std::vector<RankOutcome> tellOutcomes();
    void tellStanding();
    void collect();
    void stopAll();
    void heedStop();
    void pause();
    [[noreturn]] void abort(const std::string& why, ExitCode code);

    std::unique_ptr<Messenger> messenger_;
    std::string host_;
    std::string name_;
    bool ended_ = false;
    bool stopped_ = false;                             ///< the others were asked to, or this one
    double lastTold_ = 0.0;                            ///< of the steady clock, in seconds
    std::optional<RankStanding> untold_;               ///< the last one, unless rank 0 was told of it
    std::vector<std::optional<RankOutcome>> outcomes_; ///< on rank 0: of this meeting
    std::vector<RankStanding> standings_;              ///< on rank 0
};

/// What becomes of the job: done; or interrupted; or the first failure, told with the names of the ranks that had it
/// unless all did. Of no failure, the message is empty.
RankOutcome summarize(const std::vector<RankOutcome>& outcomes);

} // namespace aureole
