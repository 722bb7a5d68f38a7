#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/asset_files.h"
#include "sandbox/protocol.h"

namespace aureole::sandbox {

struct IsolatedRead {
    Job job = Job::Model;
    bool option = false;                  ///< as Task has it
    std::string part{};                   ///< as Task has it
    std::optional<std::string> colours{}; ///< as Task has it
    std::vector<std::uint32_t> frames{};  ///< as Task has it
    std::string clip{};                   ///< as Task has it
    double seconds = 0.0;                 ///< as Task has it
    bool loops = false;                   ///< as Task has it
    const InputFile& asset;               ///< what is read
    AssetFiles* files = nullptr;          ///< gives what the asset refers to; null: nothing
    std::function<void()> meanwhile{};    ///< done while the worker reads
    std::function<void(Unpacker&)>
        result; ///< takes the result, its layout first; may throw std::runtime_error where that is none
};

/// Has an asset read by a worker of its own, as settings() say. Throws Error (BadInput) that names the asset for
/// whatever the worker finds wrong, and for its death: by a crash, or by a limit, with the option that sets it. Throws
/// Error (Usage) where the system cannot isolate the worker, and (Internal) where there is no worker. Safe to call from
/// several threads.
void readIsolated(const IsolatedRead& read);

} // namespace aureole::sandbox
