#include "core/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/host_memory.h"

namespace aureole {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16U;

/// Throws where the open file has another path.
void requirePath(const InputFile& file, const std::filesystem::path& path) {
    std::error_code status;
    const auto found = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file.descriptor()), status);
    if (status || found != path) {
        fail(ExitCode::BadInput, "{}: found {} there when it was opened, expected the file itself", path.string(),
             status ? "no name" : found.string());
    }
}

bool isRegular(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

} // namespace

std::string whyNotFound(const std::error_code& outcome) {
    const bool isMissing = !outcome || outcome == std::errc::no_such_file_or_directory;
    return isMissing ? "no such file" : "cannot be read: " + outcome.message();
}

InputFile InputFile::open(const std::filesystem::path& path, Links links) {
    std::error_code status;
    if (!std::filesystem::exists(path, status)) {
        fail(ExitCode::BadInput, "{}: {}", path.string(), whyNotFound(status));
    }
    // Asked before it is opened, which some devices take for a start.
    if (!std::filesystem::is_regular_file(path, status)) {
        fail(ExitCode::BadInput, "{}: not a regular file", path.string());
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    InputFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), path.string());
    if (file.descriptor_ < 0) {
        fail(ExitCode::BadInput, "{}: cannot be read: {}", path.string(), std::strerror(errno));
    }
    if (!isRegular(file.descriptor_)) {
        fail(ExitCode::BadInput, "{}: not a regular file", path.string());
    }
    if (links == Links::Refuse) {
        requirePath(file, path);
    }
    return file;
}

InputFile::InputFile(int descriptor, std::string name)
    : descriptor_(descriptor)
    , name_(std::move(name)) {
    // Not by fstat, which glibc makes of a call that takes paths as well: the sandbox refuses that one.
    const off_t end = ::lseek(descriptor_, 0, SEEK_END);
    size_ = end > 0 ? static_cast<std::uint64_t>(end) : 0;
}

InputFile InputFile::duplicate() const {
    const int descriptor = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); // NOLINT(cppcoreguidelines-pro-type-vararg)
    if (descriptor < 0) {
        fail(ExitCode::BadInput, "{}: cannot be read: {}", name_, std::strerror(errno));
    }
    return {descriptor, name_};
}

InputFile::~InputFile() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1))
    , name_(std::move(other.name_))
    , size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(name_, other.name_);
    std::swap(size_, other.size_);
    return *this;
}

std::size_t InputFile::readAt(std::uint64_t offset, std::span<std::byte> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count =
            ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            fail(ExitCode::BadInput, "{}: cannot be read: {}", name_, std::strerror(errno));
        }
        if (count == 0) {
            break;
        }
        done += static_cast<std::size_t>(count);
    }
    return done;
}

std::vector<std::byte> InputFile::readStart(std::uint64_t count, std::uint64_t maximumBytes) const {
    if (size_ > maximumBytes) {
        fail(ExitCode::BadInput, "{}: found {} bytes, expected at most {}", name_, size_, maximumBytes);
    }
    const std::uint64_t wanted = std::min(size_, count);
    if (wanted > hostMemoryBytes()) { // else the system would end the program: holes take no room in a file
        fail(ExitCode::OutOfMemory, "{}: found {} bytes, expected at most the {} of this machine's memory", name_,
             wanted, hostMemoryBytes());
    }
    std::vector<std::byte> bytes(wanted);
    const std::size_t found = readAt(0, bytes);
    if (found < bytes.size()) {
        fail(ExitCode::BadInput, "{}: cannot be read: found {} bytes, expected {}", name_, found, bytes.size());
    }
    return bytes;
}

InputStream::InputStream(InputFile file)
    : std::istream(nullptr)
    , buffer_(std::move(file)) {
    rdbuf(&buffer_);
}

InputStream::Buffer::Buffer(InputFile file)
    : file_(std::move(file))
    , bytes_(kBufferBytes) {}

InputStream::Buffer::int_type InputStream::Buffer::underflow() {
    if (gptr() == egptr()) {
        const std::size_t count = file_.readAt(end_, std::as_writable_bytes(std::span(bytes_)));
        end_ += count;
        setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    }
    return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
}

std::streamsize InputStream::Buffer::xsgetn(char* to, std::streamsize count) {
    const auto held = std::min<std::streamsize>(count, egptr() - gptr());
    std::copy_n(gptr(), held, to);
    setg(eback(), gptr() + held, egptr());
    if (count - held < static_cast<std::streamsize>(bytes_.size())) {
        return count == held ? held : held + std::streambuf::xsgetn(to + held, count - held);
    }
    const std::span<char> rest(to + held, static_cast<std::size_t>(count - held));
    const std::size_t more = file_.readAt(end_, std::as_writable_bytes(rest));
    end_ += more;
    setg(nullptr, nullptr, nullptr);
    return held + static_cast<std::streamsize>(more);
}

InputStream::Buffer::pos_type InputStream::Buffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                                           std::ios_base::openmode which) {
    const std::uint64_t base = from == std::ios_base::beg ? 0 : from == std::ios_base::cur ? position() : file_.size();
    return seekpos(static_cast<off_type>(base) + offset, which);
}

InputStream::Buffer::pos_type InputStream::Buffer::seekpos(pos_type position, std::ios_base::openmode /*which*/) {
    const off_type target = position;
    if (target < 0) {
        return off_type{-1};
    }
    end_ = static_cast<std::uint64_t>(target);
    setg(nullptr, nullptr, nullptr);
    return target;
}

} // namespace aureole
