// Ranks as threads of one process. What needs MPI is in tests/mpi.

#include "ranks/crew.h"

#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace aureole {

namespace {

/// What is under way between the threads.
struct Post {
    std::mutex mutex;
    std::map<std::pair<int, int>, std::deque<Messenger::Message>> boxes; ///< by receiver and tag
};

class ThreadMessenger : public Messenger {
public:
    ThreadMessenger(Post& post, int rank, int size)
        : post_(&post)
        , rank_(rank)
        , size_(size) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int localRank() const override { return rank_; }
    int localSize() const override { return size_; }
    void send(int to, int tag, std::vector<std::byte> bytes) override {
        const std::lock_guard lock(post_->mutex);
        post_->boxes[{to, tag}].push_back({rank_, std::move(bytes)});
    }
    bool hasSent() override { return true; }
    std::optional<Message> receive(int tag) override {
        const std::lock_guard lock(post_->mutex);
        auto& box = post_->boxes[{rank_, tag}];
        if (box.empty()) {
            return std::nullopt;
        }
        Message message = std::move(box.front());
        box.pop_front();
        return message;
    }
    void end() override {}
    void abort(int /*code*/) override { ADD_FAILURE() << "rank " << rank_ << " aborts"; }

private:
    Post* post_;
    int rank_;
    int size_;
};

/// Runs `body` as each of `size` ranks.
void asRanks(int size, const std::function<void(Crew&)>& body) {
    Post post;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank) {
        threads.emplace_back([&, rank] {
            Crew crew(std::make_unique<ThreadMessenger>(post, rank, size));
            body(crew);
            crew.end();
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const auto& [address, box] : post.boxes) {
        EXPECT_TRUE(box.empty()) << "rank " << address.first << " left a message of tag " << address.second;
    }
}

TEST(Crew, AllHearOfAllWhereTheyMeet) {
    for (const int size : {1, 2, 5}) {
        asRanks(size, [&](Crew& crew) {
            for (int round = 0; round < 3; ++round) {
                const std::string data = std::to_string(10 * round + crew.rank());
                const std::vector<RankOutcome> all = crew.meet({ExitCode::Done, "", data}, 30.0);
                ASSERT_EQ(all.size(), static_cast<std::size_t>(size));
                for (int rank = 0; rank < size; ++rank) {
                    EXPECT_EQ(all[static_cast<std::size_t>(rank)].data, std::to_string(10 * round + rank));
                    EXPECT_TRUE(
                        all[static_cast<std::size_t>(rank)].name.starts_with("rank " + std::to_string(rank) + " on "));
                }
            }
        });
    }
}

TEST(Crew, RankZeroFetchesWhatOthersHave) {
    constexpr std::size_t kBytes = 100'000'001; // more than goes into one message
    asRanks(3, [&](Crew& crew) {
        if (!crew.leads()) {
            const ExitCode code = crew.serve([&](std::uint32_t number) {
                return std::vector<std::byte>(number == 7 ? kBytes : 0, static_cast<std::byte>(crew.rank()));
            });
            EXPECT_EQ(code, ExitCode::CannotWrite);
            return;
        }
        for (const int rank : {2, 1}) {
            const std::vector<std::byte> bytes = crew.fetch(rank, 7);
            ASSERT_EQ(bytes.size(), kBytes);
            EXPECT_EQ(bytes.front(), static_cast<std::byte>(rank));
            EXPECT_EQ(bytes.back(), static_cast<std::byte>(rank));
            EXPECT_TRUE(crew.fetch(rank, 1).empty());
        }
        crew.dismiss(ExitCode::CannotWrite);
    });
}

TEST(Crew, TheStandingOfAllIsTheSum) {
    asRanks(4, [](Crew& crew) {
        if (crew.leads()) {
            crew.expect(3, 50.0);
        }
        if (crew.rank() != 3) { // which tells nothing
            crew.watch({0.5, 10.0, 50});
            crew.watch({1.0 + crew.rank(), 10.0, 100}); // too soon to be told before all meet
        }
        crew.meet({}, 30.0);
        if (crew.leads()) {
            const RankStanding total = crew.total();
            EXPECT_EQ(total.done, 6.0);
            EXPECT_EQ(total.all, 80.0);
            EXPECT_EQ(total.rays, 300U);
        }
    });
}

/// Rank 0 of two: all that rank 1 sends arrives right after rank 0 has asked in vain `probes` times.
class LateMessenger final : public ThreadMessenger {
public:
    LateMessenger(Post& post, int probes, std::promise<void>& mayStart, std::future<void> hasSent)
        : ThreadMessenger(post, 0, 2)
        , probes_(probes)
        , mayStart_(&mayStart)
        , hasSent_(std::move(hasSent)) {}

    std::optional<Message> receive(int tag) override {
        if (probes_ == 0) {
            return ThreadMessenger::receive(tag);
        }
        if (--probes_ == 0) {
            mayStart_->set_value();
            hasSent_.wait();
        }
        return std::nullopt;
    }

private:
    int probes_; ///< that are left; none: rank 1 has sent all
    std::promise<void>* mayStart_;
    std::future<void> hasSent_;
};

TEST(Crew, TheLastStandingCountsWheneverItArrives) {
    for (int probes = 1; probes <= 6; ++probes) {
        SCOPED_TRACE(probes);
        Post post;
        std::promise<void> mayStart;
        std::promise<void> hasSent;
        std::thread other([&] {
            mayStart.get_future().wait();
            Crew crew(std::make_unique<ThreadMessenger>(post, 1, 2));
            crew.watch({2.0, 10.0, 100});
            bool told = false;
            crew.meet({}, 30.0, [&] { // called once the outcome is sent
                if (!std::exchange(told, true)) {
                    hasSent.set_value();
                }
            });
            crew.end();
        });
        Crew crew(std::make_unique<LateMessenger>(post, probes, mayStart, hasSent.get_future()));
        crew.meet({}, 30.0);
        EXPECT_EQ(crew.total().done, 2.0);
        crew.end();
        other.join();
    }
}

TEST(Crew, FailuresAreToldWithTheRanksThatHadThem) {
    const RankOutcome good{ExitCode::Done, "", "", "rank 0 on a"};
    const RankOutcome stopped{ExitCode::Interrupted, "", "", "rank 1 on a"};
    const RankOutcome lost{ExitCode::NoDevice, "the device is lost", "", "rank 2 on b"};
    const RankOutcome full{ExitCode::CannotWrite, "the disk is full", "", "rank 3 on b"};
    EXPECT_EQ(summarize({good, good}).code, ExitCode::Done);
    EXPECT_EQ(summarize({good, stopped}).code, ExitCode::Interrupted);
    EXPECT_EQ(summarize({stopped, lost}).code, ExitCode::NoDevice);
    EXPECT_EQ(summarize({stopped, lost}).message, "rank 2 on b: the device is lost");
    const RankOutcome both = summarize({good, full, lost, full});
    EXPECT_EQ(both.code, ExitCode::CannotWrite);
    EXPECT_EQ(both.message, "rank 2 on b: the device is lost\nrank 3 on b, rank 3 on b: the disk is full");
    // What all have needs no names.
    EXPECT_EQ(summarize({lost, lost}).message, "the device is lost");
}

} // namespace

} // namespace aureole
