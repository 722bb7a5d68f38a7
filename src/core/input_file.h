#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <span>
#include <streambuf>
#include <string>
#include <system_error>
#include <vector>

namespace aureole {

/// What to say of a file that a look with this outcome did not find: "no such file" or what the system says, as of a
/// name that is too long.
std::string whyNotFound(const std::error_code& outcome);

/// What to do with symbolic links in a path. Refuse is for paths that were found to have none, such as those of
/// resolveAsset: a link that someone has put in the place of a folder or of the file since then is an error.
enum class Links { Follow, Refuse };

/// A regular file that is open for reading. Every read names its offset, so that several readers may share the file.
class InputFile {
public:
    /// Never waits for the other end of a pipe. Throws Error (BadInput) where the file is missing, unreadable or no
    /// regular file, or where it is found by a link that is refused.
    static InputFile open(const std::filesystem::path& path, Links links = Links::Follow);

    /// Takes over a descriptor of a regular file; `name` is for messages.
    InputFile(int descriptor, std::string name);
    ~InputFile();
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&& other) noexcept;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// Another owner of the same open file. Throws Error (BadInput) where there are too many descriptors.
    InputFile duplicate() const;

    int descriptor() const { return descriptor_; }
    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; } ///< bytes, when it was opened

    /// Fills `bytes` from `offset` on; returns how many there were, fewer only at the file's end. Throws Error
    /// (BadInput).
    std::size_t readAt(std::uint64_t offset, std::span<std::byte> bytes) const;

    /// The first `count` bytes, or all of a shorter file. Throws Error (BadInput), also for a file that has more than
    /// `maximumBytes` in all.
    std::vector<std::byte> readStart(std::uint64_t count, std::uint64_t maximumBytes) const;

    /// All bytes of the file. Throws what readStart throws.
    std::vector<std::byte> readAll(std::uint64_t maximumBytes) const { return readStart(maximumBytes, maximumBytes); }

private:
    int descriptor_ = -1;
    std::string name_;
    std::uint64_t size_ = 0;
};

/// An InputFile as a standard stream, which can be put anywhere.
class InputStream : public std::istream {
public:
    explicit InputStream(InputFile file);

    const InputFile& file() const { return buffer_.file(); }

private:
    class Buffer : public std::streambuf {
    public:
        explicit Buffer(InputFile file);
        const InputFile& file() const { return file_; }

    protected:
        int_type underflow() override;
        std::streamsize xsgetn(char* to, std::streamsize count) override;
        pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode which) override;
        pos_type seekpos(pos_type position, std::ios_base::openmode which) override;

    private:
        std::uint64_t position() const { return end_ - static_cast<std::uint64_t>(egptr() - gptr()); }

        InputFile file_;
        std::vector<char> bytes_;
        std::uint64_t end_ = 0; ///< of what the buffer holds, in the file
    };

    Buffer buffer_;
};

} // namespace aureole
