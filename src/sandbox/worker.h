#pragma once

// The worker's side: of programs that read an asset for another one.

#include <functional>
#include <mutex>
#include <string_view>

#include "sandbox/asset_files.h"
#include "sandbox/protocol.h"

namespace aureole::sandbox {

/// What a worker has of the world: the channel to the program, and through it the asset's files. Safe to use from
/// several threads.
class WorkerLink final : public AssetFiles {
public:
    WorkerLink(Channel& channel, InputFile asset);

    InputFile openAsset() override;
    std::filesystem::path resolve(std::string_view reference, std::string_view place) override;
    std::optional<std::filesystem::path> find(std::string_view reference, std::string_view place) override;
    InputFile open(const std::filesystem::path& path) override;

    void log(LogLevel level, std::string_view text);

    template <typename T>
    void sendResult(T& value) {
        const std::scoped_lock lock(mutex_);
        Message message = Message::Result;
        std::uint64_t layout = layoutOf<T>();
        out_(message, layout, value);
        out_.flush();
    }

private:
    Answer ask(Message message, std::string_view reference, std::string_view place);

    std::mutex mutex_;
    Channel& channel_;
    Packer out_;
    InputFile asset_;
};

/// Reads the task of a worker's program from its channel, confines the process as that asks, and has `read` read the
/// asset and send the result. To be called first in main, before there are threads. Never returns.
[[noreturn]] void serveTask(const std::function<void(const Task&, WorkerLink&)>& read);

} // namespace aureole::sandbox
