#include "sandbox/worker.h"

#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/current_error.h"
#include "core/error.h"
#include "sandbox/confine.h"

namespace aureole::sandbox {

WorkerLink::WorkerLink(Channel& channel, InputFile asset)
    : channel_(channel)
    , out_(channel)
    , asset_(std::move(asset)) {}

InputFile WorkerLink::openAsset() {
    return asset_.duplicate();
}

Answer WorkerLink::ask(Message message, std::string_view reference, std::string_view place) {
    if (reference.size() > kLongestText) {
        fail(ExitCode::BadInput, "{}: found a file name of {} bytes, expected at most {}", asset_.name(),
             reference.size(), kLongestText);
    }
    std::string text(reference);
    std::string where(place.substr(0, kLongestText));
    out_(message, text, where);
    out_.flush();
    Answer answer;
    Unpacker(channel_, std::numeric_limits<std::uint64_t>::max(), Unpacker::Ahead::No)(answer);
    if (answer.found == Found::Error) {
        throw Error(ExitCode::BadInput, answer.text);
    }
    return answer;
}

std::filesystem::path WorkerLink::resolve(std::string_view reference, std::string_view place) {
    const std::scoped_lock lock(mutex_);
    return ask(Message::Resolve, reference, place).text;
}

std::optional<std::filesystem::path> WorkerLink::find(std::string_view reference, std::string_view place) {
    const std::scoped_lock lock(mutex_);
    const Answer answer = ask(Message::Find, reference, place);
    return answer.found == Found::Yes ? std::optional<std::filesystem::path>(answer.text) : std::nullopt;
}

InputFile WorkerLink::open(const std::filesystem::path& path) {
    const std::scoped_lock lock(mutex_);
    ask(Message::Open, path.string(), "");
    const int descriptor = channel_.receiveDescriptor();
    if (descriptor < 0) {
        fail(ExitCode::BadInput, "{}: cannot be opened: too many files are open", path.string());
    }
    return {descriptor, path.string()};
}

void WorkerLink::log(LogLevel level, std::string_view text) {
    const std::scoped_lock lock(mutex_);
    Message message = Message::Log;
    std::string copy(text.substr(0, kLongestText));
    out_(message, level, copy);
    out_.flush();
}

namespace {

/// Tells the program what went wrong, with as little memory as that takes.
void sendFailure(Channel& channel) {
    Packer out(channel);
    Message message = Message::OutOfMemory;
    try {
        const Error error = currentError();
        if (error.code() != ExitCode::OutOfMemory) {
            message = Message::Failed;
            auto code = static_cast<std::uint8_t>(error.code());
            std::string text = std::string(error.what()).substr(0, kLongestText);
            out(message, code, text);
            out.flush();
            return;
        }
    } catch (const std::bad_alloc&) { // then that
        message = Message::OutOfMemory;
    }
    channel.send(std::as_bytes(std::span(&message, 1)));
}

void serve(Channel& channel, const std::function<void(const Task&, WorkerLink&)>& read) {
    std::uint32_t protocol = 0;
    Task task;
    Settings settings;
    Unpacker in(channel, std::numeric_limits<std::uint64_t>::max(), Unpacker::Ahead::No);
    in(protocol);
    if (protocol != kProtocol) {
        fail(ExitCode::BadInput, "the worker is of another version ({}, expected {})", kProtocol, protocol);
    }
    in(settings, task);
    WorkerLink link(channel, InputFile(channel.receiveDescriptor(), task.name));
    limitProcess(settings);
    std::int32_t missing = settings.isolation == Isolation::Strict ? refuseSystemCalls() : 0;
    Message ready = Message::Ready;
    Packer out(channel);
    out(ready, missing);
    out.flush();
    if (missing != 0) {
        return;
    }
    setLogSink([&](LogLevel level, std::string_view text) { link.log(level, text); });
    read(task, link);
}

} // namespace

void serveTask(const std::function<void(const Task&, WorkerLink&)>& read) {
    closeInherited();
    Channel channel(kWorkerChannel);
    int code = EXIT_SUCCESS;
    try {
        try {
            serve(channel, read);
        } catch (const ChannelClosed&) {
            code = EXIT_FAILURE;
        } catch (...) {
            sendFailure(channel);
        }
    } catch (const std::exception&) { // nobody listens any more
        code = EXIT_FAILURE;
    }
    std::_Exit(code); // what is registered for the end of a program has no business here
}

} // namespace aureole::sandbox
