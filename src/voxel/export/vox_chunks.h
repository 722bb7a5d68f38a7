#pragma once

// Chunks of MagicaVoxel's .vox files.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "voxel/export/export_stream.h"

namespace aureole {

using VoxAttributes = std::vector<std::pair<std::string, std::string>>;

/// The bytes of a chunk's content.
class VoxContent {
public:
    VoxContent& number(std::int64_t value) {
        const auto bits = static_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes_ += static_cast<char>(bits >> shift);
        }
        return *this;
    }
    VoxContent& text(const std::string& value) {
        number(static_cast<std::int64_t>(value.size()));
        bytes_ += value;
        return *this;
    }
    VoxContent& dictionary(const VoxAttributes& entries) {
        number(static_cast<std::int64_t>(entries.size()));
        for (const auto& [key, value] : entries) {
            text(key).text(value);
        }
        return *this;
    }
    VoxContent& byte(std::uint8_t value) {
        bytes_ += static_cast<char>(value);
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

inline void writeVoxChunk(ExportStream& out, const char* id, const VoxContent& content) {
    out.text(id);
    out.text(VoxContent().number(static_cast<std::int64_t>(content.bytes().size())).number(0).bytes());
    out.text(content.bytes());
}

} // namespace aureole
