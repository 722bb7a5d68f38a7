#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct z_stream_s;

namespace aureole::schematic {

/// The bytes of a file that is packed by gzip or zlib, or not at all, from first to last: they are unpacked as they are
/// asked for, so that a short file which stands for a long one takes time, but no memory.
class UnpackedBytes {
public:
    /// `packed` and `name`, the file's for messages, outlive the object.
    UnpackedBytes(std::span<const std::byte> packed, const std::string& name);
    ~UnpackedBytes();
    UnpackedBytes(const UnpackedBytes&) = delete;
    UnpackedBytes& operator=(const UnpackedBytes&) = delete;
    UnpackedBytes(UnpackedBytes&&) = delete;
    UnpackedBytes& operator=(UnpackedBytes&&) = delete;

    /// How many bytes were taken so far.
    std::uint64_t position() const { return end_ - window_.size(); }

    /// Throws Error (BadInput) where the file ends before, its packing is damaged, or it has more than 2^32 bytes.
    void read(std::span<std::byte> to);
    void skip(std::uint64_t count);

private:
    void refill();

    const std::string& name_;
    std::span<const std::byte> packed_;  ///< what is not given to zlib yet
    std::span<const std::byte> window_;  ///< unpacked bytes that were not asked for yet
    std::uint64_t end_ = 0;              ///< of the window, from the start
    std::unique_ptr<z_stream_s> stream_; ///< null where the file is not packed
    std::vector<std::byte> buffer_;
};

} // namespace aureole::schematic
