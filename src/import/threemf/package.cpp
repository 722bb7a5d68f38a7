#include "import/threemf/package.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <minizip/unzip.h>

#include "core/error.h"
#include "core/lower_case.h"

namespace aureole::threemf {

namespace {

/// What all parts may have, unpacked: meshes in XML take some 10 bytes for each that they are packed in.
std::uint64_t mostUnpacked(std::uint64_t packed) {
    constexpr std::uint64_t kSpareBytes = std::uint64_t{1} << 26U;
    constexpr std::uint64_t kMostRatio = 64;
    return kSpareBytes + kMostRatio * packed;
}

} // namespace

/// minizip's way to a package: its bytes, as a file.
struct MemoryFile {
    static voidpf open(voidpf package, const void* /*file*/, int /*mode*/) {
        static_cast<Package*>(package)->position_ = 0;
        return package;
    }
    static uLong read(voidpf /*opaque*/, voidpf stream, void* to, uLong count) {
        auto& package = *static_cast<Package*>(stream);
        const std::uint64_t left = package.bytes_.size() - package.position_;
        const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(count, left));
        if (taken > 0) {
            std::memcpy(to, package.bytes_.data() + package.position_, taken);
        }
        package.position_ += taken;
        return static_cast<uLong>(taken);
    }
    static uLong write(voidpf /*opaque*/, voidpf /*stream*/, const void* /*from*/, uLong /*count*/) { return 0; }
    static ZPOS64_T tell(voidpf /*opaque*/, voidpf stream) { return static_cast<Package*>(stream)->position_; }
    static long seek(voidpf /*opaque*/, voidpf stream, ZPOS64_T offset, int origin) {
        auto& package = *static_cast<Package*>(stream);
        const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_END   ? package.bytes_.size()
                                   : origin == ZLIB_FILEFUNC_SEEK_CUR ? package.position_
                                                                      : 0;
        if (offset > package.bytes_.size() - from) {
            return -1;
        }
        package.position_ = from + offset;
        return 0;
    }
    static int close(voidpf /*opaque*/, voidpf /*stream*/) { return 0; }
    static int error(voidpf /*opaque*/, voidpf /*stream*/) { return 0; }
};

std::string Package::keyOf(std::string_view part) {
    for (const std::string_view start : {"./", "/"}) {
        part.remove_prefix(part.starts_with(start) ? start.size() : 0);
    }
    std::string key;
    for (std::size_t i = 0; i < part.size(); ++i) {
        unsigned char byte = 0;
        const char* const digits = part.data() + i + 1;
        constexpr std::size_t kDigits = 2;
        if (part[i] == '%' && i + kDigits < part.size() &&
            std::from_chars(digits, digits + kDigits, byte, 16).ptr == digits + kDigits) {
            key += static_cast<char>(byte);
            i += kDigits;
        } else {
            key += part[i];
        }
    }
    return lowerCase(key);
}

void Package::Close::operator()(void* archive) const {
    unzClose(archive);
}

Package::Package(std::span<const std::byte> bytes, const std::string& name)
    : name_(name)
    , bytes_(bytes) {
    zlib_filefunc64_def memory{MemoryFile::open, MemoryFile::read,  MemoryFile::write, MemoryFile::tell,
                               MemoryFile::seek, MemoryFile::close, MemoryFile::error, this};
    archive_.reset(unzOpen2_64("", &memory));
    if (!archive_) {
        fail(ExitCode::BadInput, "{}: found no directory of a ZIP archive, expected that of a 3MF package", name_);
    }
    listParts();
}

void Package::listParts() {
    for (int status = unzGoToFirstFile(archive_.get()); status != UNZ_END_OF_LIST_OF_FILE;
         status = unzGoToNextFile(archive_.get())) {
        constexpr std::size_t kLongestName = 1024;
        std::array<char, kLongestName> part{};
        unz64_file_pos place{};
        if (status != UNZ_OK ||
            unzGetCurrentFileInfo64(archive_.get(), nullptr, part.data(), part.size() - 1, nullptr, 0, nullptr, 0) !=
                UNZ_OK ||
            unzGetFilePos64(archive_.get(), &place) != UNZ_OK) {
            fail(ExitCode::BadInput,
                 "{}: found a damaged entry after {} in the directory of its archive, expected a part", name_,
                 parts_.size());
        }
        parts_.try_emplace(keyOf(part.data()), Entry{place.pos_in_zip_directory, place.num_of_file});
    }
}

bool Package::has(std::string_view part) const {
    return parts_.contains(keyOf(part));
}

void Package::openPart(std::string_view part, const Entry& entry) {
    const unz64_file_pos place{entry.place, entry.number};
    unz_file_info64 info{};
    if (unzGoToFilePos64(archive_.get(), &place) != UNZ_OK ||
        unzGetCurrentFileInfo64(archive_.get(), &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
        fail(ExitCode::BadInput, "{}: {}: found no entry where the archive's directory has it", name_, part);
    }
    if ((info.flag & 1U) != 0) {
        fail(ExitCode::BadInput, "{}: {}: found an encrypted part, expected one that can be read", name_, part);
    }
    const int status = unzOpenCurrentFile(archive_.get());
    if (status != UNZ_OK) {
        fail(ExitCode::BadInput,
             "{}: {}: found a part packed by method {} whose header is damaged or unknown, expected one stored or "
             "deflated",
             name_, part, info.compression_method);
    }
}

void Package::read(std::string_view part, const Sink& sink) {
    openPart(part, parts_.at(keyOf(part)));
    std::vector<char> piece(std::size_t{1} << 18U);
    std::uint64_t taken = 0;
    for (;;) {
        const int count = unzReadCurrentFile(archive_.get(), piece.data(), static_cast<unsigned>(piece.size()));
        if (count < 0) {
            fail(ExitCode::BadInput, "{}: {}: found damaged data after {} unpacked bytes, expected those of deflate",
                 name_, part, taken);
        }
        if (count == 0) {
            break;
        }
        taken += static_cast<std::uint64_t>(count);
        unpacked_ += static_cast<std::uint64_t>(count);
        if (const std::uint64_t most = mostUnpacked(bytes_.size()); unpacked_ > most) {
            fail(ExitCode::BadInput,
                 "{}: {}: found more than {} bytes in all parts up to this one, expected at most that in an archive of "
                 "{}",
                 name_, part, most, bytes_.size());
        }
        sink(std::span(piece).first(static_cast<std::size_t>(count)));
    }
    if (unzCloseCurrentFile(archive_.get()) == UNZ_CRCERROR) {
        fail(ExitCode::BadInput, "{}: {}: found {} unpacked bytes that do not have the checksum of the archive", name_,
             part, taken);
    }
}

std::vector<std::byte> Package::readAll(std::string_view part) {
    std::vector<std::byte> bytes;
    read(part, [&](std::span<const char> piece) {
        const std::span<const std::byte> more = std::as_bytes(piece);
        bytes.insert(bytes.end(), more.begin(), more.end());
    });
    return bytes;
}

} // namespace aureole::threemf
