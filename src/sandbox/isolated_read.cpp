#include "sandbox/isolated_read.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/byte_size.h"
#include "core/error.h"
#include "core/trace.h"
#include "sandbox/worker_process.h"

namespace aureole::sandbox {

namespace {

constexpr std::uint32_t kMostMessages = 100'000;
/// Bytes of all messages for the log.
constexpr std::uint64_t kMostLogged = std::uint64_t{1} << 24U;

/// Runs one worker, from its start to its end.
class Reading {
public:
    explicit Reading(const IsolatedRead& read)
        : read_(read)
        , settings_(settings())
        , process_(settings_.worker.empty() ? findWorker() : settings_.worker)
        , channel_(process_.takeChannel())
        // A result takes no more than what the worker may have of memory; its counters come on top.
        , in_(channel_, settings_.memory + (std::uint64_t{1} << 20U), Unpacker::Ahead::Yes)
        , out_(channel_) {
        constexpr double kForever = 1e9;
        const std::chrono::duration<double> time(std::min(settings_.seconds, kForever));
        channel_.setDeadline(Channel::Clock::now() + std::chrono::duration_cast<Channel::Clock::duration>(time));
    }

    void run() {
        try {
            sendTask();
            if (read_.meanwhile) {
                read_.meanwhile();
            }
            while (!handleMessage()) {
            }
        } catch (const ChannelTimeout&) {
            process_.kill();
            failWith("reading it took longer than {:g} s, the most that --asset-time allows", settings_.seconds);
        } catch (const ChannelClosed&) {
            process_.kill(); // one that lives on without its channel; the dead keep what they died of
            failOfDeath(process_.wait());
        } catch (const Error&) {
            throw;
        } catch (const std::runtime_error& error) {
            failWith("its reader's result is none, as if it had been taken over: {}", error.what());
        }
    }

private:
    template <typename... Args>
    [[noreturn]] void failWith(fmt::format_string<Args...> format, Args&&... args) const {
        throw Error(ExitCode::BadInput, read_.asset.name() + ": " + fmt::format(format, std::forward<Args>(args)...));
    }

    [[noreturn]] void failOfMemory() const {
        failWith("reading it takes more than {} of memory, the most that --asset-memory allows",
                 bytesText(settings_.memory));
    }

    [[noreturn]] void failOfDeath(WorkerProcess::End end) const {
        if (end.signal == SIGXCPU) {
            failWith("reading it took more than {:g} s on each processor, the most that --asset-time allows",
                     settings_.seconds);
        }
        if (end.signal != 0) {
            failWith("its reader died of signal {} ({}): the file is damaged or hostile, or takes more than {} of "
                     "memory, the most that --asset-memory allows",
                     end.signal, ::strsignal(end.signal), bytesText(settings_.memory)); // NOLINT(concurrency-mt-unsafe)
        }
        failWith("its reader ended with exit code {} and without a result: the file is damaged or hostile", end.code);
    }

    void sendTask() {
        std::uint32_t protocol = kProtocol;
        Settings settings = settings_;
        Task task{read_.job,  read_.option,  read_.part,  read_.colours,     read_.frames,
                  read_.clip, read_.seconds, read_.loops, read_.asset.name()};
        out_(protocol, settings, task);
        out_.flush();
        channel_.sendDescriptor(read_.asset.descriptor());
    }

    /// Whether that was the last one.
    bool handleMessage() {
        Message message = Message::Ready;
        in_(message);
        switch (message) {
        case Message::Ready:
            checkReady();
            return false;
        case Message::Log:
            passOnLog();
            return false;
        case Message::Resolve:
        case Message::Find:
        case Message::Open:
            answer(message);
            return false;
        case Message::Failed:
            failAsTold();
        case Message::OutOfMemory:
            failOfMemory();
        case Message::Result:
            read_.result(in_);
            return true;
        }
        return true;
    }

    void checkReady() {
        std::int32_t missing = 0;
        in_(missing);
        if (missing != 0) {
            fail(ExitCode::Usage,
                 "{}: this system refuses filters of system calls ({}), so that its reader would have a way to files "
                 "and the network; --asset-isolation limits reads it without",
                 read_.asset.name(), std::strerror(missing)); // NOLINT(concurrency-mt-unsafe)
        }
    }

    void passOnLog() {
        LogLevel level = LogLevel::Info;
        std::string text;
        in_(level);
        in_.text(text, kLongestText);
        loggedBytes_ += text.size();
        if (++logged_ > kMostMessages || loggedBytes_ > kMostLogged) {
            Unpacker::refuse("more warnings than any file is worth");
        }
        logMessage(level, text);
    }

    [[noreturn]] void failAsTold() {
        std::uint8_t code = 0;
        std::string text;
        in_(code);
        in_.text(text, kLongestText);
        if (code == static_cast<std::uint8_t>(ExitCode::BadInput)) {
            throw Error(ExitCode::BadInput, text);
        }
        failWith("its reader failed: {}", text);
    }

    void answer(Message message) {
        std::string reference;
        std::string place;
        in_.text(reference, kLongestText);
        in_.text(place, kLongestText);
        Answer answer;
        std::optional<InputFile> file;
        try {
            if (read_.files == nullptr) {
                failWith("its reader asked for the file '{}', expected none", reference);
            }
            answer.found = ask(message, reference, place, answer.text, file);
        } catch (const Error& error) {
            answer = {Found::Error, error.what()};
        }
        out_(answer);
        out_.flush();
        if (file) {
            channel_.sendDescriptor(file->descriptor());
        }
    }

    Found ask(Message message, const std::string& reference, const std::string& place, std::string& path,
              std::optional<InputFile>& file) {
        if (message == Message::Resolve) {
            path = read_.files->resolve(reference, place).string();
        } else if (message == Message::Find) {
            const auto found = read_.files->find(reference, place);
            path = found ? found->string() : "";
            return found ? Found::Yes : Found::Missing;
        } else {
            if (opened_ == settings_.files) {
                failWith("found more than {} files that belong to it, the most that --asset-files allows", opened_);
            }
            ++opened_;
            file.emplace(read_.files->open(reference));
        }
        return Found::Yes;
    }

    const IsolatedRead& read_;
    const Settings& settings_;
    WorkerProcess process_;
    Channel channel_;
    Unpacker in_;
    Packer out_;
    std::uint32_t opened_ = 0;
    std::uint32_t logged_ = 0;
    std::uint64_t loggedBytes_ = 0;
};

} // namespace

void readIsolated(const IsolatedRead& read) {
    const TraceSpan span("worker");
    Reading(read).run();
}

} // namespace aureole::sandbox
