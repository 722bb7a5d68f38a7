#pragma once

// What reading needs around tinyexr, whose structs are plain C.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <tinyexr.h>

#include "core/error.h"

namespace aureole {

/// tinyexr's error message, freed on the way.
inline std::string takeMessage(const char* message) {
    if (message == nullptr) {
        return "no reason given";
    }
    std::string text = message;
    FreeEXRErrorMessage(message);
    while (!text.empty() && (text.back() == '\n' || text.back() == '.')) {
        text.pop_back();
    }
    return text;
}

/// tinyexr does not look at what malloc returns. Throws Error (OutOfMemory) where `bytes` cannot be had.
inline void requireMemory(std::uint64_t bytes, const std::string& file) {
    void* volatile block = std::malloc(bytes); // volatile, or the compiler drops the pair
    if (block == nullptr) {
        fail(ExitCode::OutOfMemory, "{}: out of memory: {} bytes are needed for its pixels", file, bytes);
    }
    std::free(block);
}

/// The channels of an EXRHeader, which only points at them.
struct TinyExrChannels {
    std::vector<EXRChannelInfo> infos;
    std::vector<int> types;          ///< as stored in the file
    std::vector<int> requestedTypes; ///< as given to us

    void add(const std::string& name, int type, int requestedType) {
        EXRChannelInfo& info = infos.emplace_back();
        name.copy(info.name, sizeof(info.name) - 1);
        info.pixel_type = type;
        info.x_sampling = 1;
        info.y_sampling = 1;
        types.push_back(type);
        requestedTypes.push_back(requestedType);
    }

    /// Lets `header` point at these channels, which have to outlive it.
    void attachTo(EXRHeader& header) {
        header.num_channels = static_cast<int>(infos.size());
        header.channels = infos.data();
        header.pixel_types = types.data();
        header.requested_pixel_types = requestedTypes.data();
    }
};

} // namespace aureole
