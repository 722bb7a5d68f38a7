#include "core/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"
#include "core/input_file.h"
#include "core/interrupt.h"
#include "core/trace.h"

namespace aureole {

namespace fs = std::filesystem;

std::vector<std::byte> readFileStart(const fs::path& path, std::uintmax_t count, std::uintmax_t maximumBytes) {
    return InputFile::open(path).readStart(count, maximumBytes);
}

std::vector<std::byte> readFile(const fs::path& path, std::uintmax_t maximumBytes) {
    return readFileStart(path, maximumBytes, maximumBytes);
}

std::string readTextFile(const fs::path& path, std::uintmax_t maximumBytes) {
    const std::vector<std::byte> bytes = readFile(path, maximumBytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool pathExists(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

fs::path followLinks(const fs::path& path) {
    constexpr int kMostLinks = 40; // as Linux has it
    fs::path target = path;
    for (int i = 0; i < kMostLinks; ++i) {
        std::error_code status;
        const fs::path next = fs::read_symlink(target, status);
        if (status) {
            return target; // no link, or nothing at all
        }
        target = target.parent_path() / next; // an absolute one stands alone
    }
    fail(ExitCode::CannotWrite, "{}: found symbolic links that lead in a circle", path.string());
}

namespace {

void syncPath(const fs::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC); // NOLINT(cppcoreguidelines-pro-type-vararg)
    if (descriptor < 0 || ::fsync(descriptor) != 0) {
        const int code = errno;
        if (descriptor >= 0) {
            ::close(descriptor);
        }
        fail(ExitCode::CannotWrite, "{}: cannot be synced to disk: {}", path.string(), std::strerror(code));
    }
    ::close(descriptor);
}

/// A name that nobody can have put a symbolic link at before, and that no process of another machine or container,
/// whose number may be the same, writes to.
fs::path temporaryName(const fs::path& path) {
    std::random_device random;
    return fmt::format("{}.part{:08x}", path.string(), random());
}

void removeQuietly(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
}

/// Gives a file the permissions of the one whose place it takes, if there is one.
void keepPermissions(const fs::path& replaced, const fs::path& file) {
    std::error_code status;
    const fs::file_status old = fs::status(replaced, status);
    if (!fs::exists(old)) {
        return;
    }
    fs::permissions(file, old.permissions() & fs::perms::all, status);
    if (status) {
        fail(ExitCode::CannotWrite, "{}: cannot be given the permissions of the file that it replaces: {}",
             file.string(), status.message());
    }
}

} // namespace

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void writeFileAtomically(const fs::path& path, const std::function<void(const fs::path&)>& write, FileSync sync) {
    const FileUnderWay underWay; // goes after the temporary file
    const fs::path target = followLinks(path);
    const fs::path temporary = temporaryName(target);
    try {
        write(temporary);
        if (sync == FileSync::Yes) {
            syncPath(temporary, O_RDONLY);
        }
        keepPermissions(target, temporary); // last, as they may forbid to open it
        std::error_code status;
        fs::rename(temporary, target, status);
        if (status) {
            fail(ExitCode::CannotWrite, "{}: cannot be written: {}", path.string(), status.message());
        }
        if (sync == FileSync::Yes) {
            syncPath(folderOf(target), O_RDONLY | O_DIRECTORY);
        }
    } catch (const Error& error) {
        removeQuietly(temporary);
        // Who reads the message knows the file by its own name.
        const std::string message = error.what();
        const std::string name = temporary.string();
        if (!message.starts_with(name)) {
            throw;
        }
        throw Error(error.code(), path.string() + message.substr(name.size()));
    } catch (...) {
        removeQuietly(temporary);
        throw;
    }
}

void writeFileAtomically(const fs::path& path, std::span<const std::byte> bytes, FileSync sync) {
    const TraceSpan span("write file");
    const auto write = [&](const fs::path& temporary) {
        std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
        stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        stream.close();
        if (!stream) {
            fail(ExitCode::CannotWrite, "{}: cannot be written: {}", path.string(), std::strerror(errno));
        }
    };
    writeFileAtomically(path, write, sync);
}

void checkWritable(const fs::path& path) {
    std::error_code status;
    if (fs::is_directory(path, status)) {
        fail(ExitCode::CannotWrite, "{}: is a folder, expected a file name", path.string());
    }
    if (fs::exists(path, status) && !fs::is_regular_file(path, status)) {
        // A rename onto /dev/null or a pipe would replace it.
        fail(ExitCode::CannotWrite, "{}: cannot be written: it is there and no regular file", path.string());
    }
    const fs::path target = followLinks(path);
    const fs::path folder = folderOf(target);
    if (!fs::is_directory(folder, status)) {
        if (status && status != std::errc::no_such_file_or_directory) {
            fail(ExitCode::CannotWrite, "{}: cannot be written: {}", path.string(), status.message());
        }
        fail(ExitCode::CannotWrite, "{}: cannot be written: there is no folder {}", path.string(), folder.string());
    }
    // Permissions alone do not tell: root passes them all, and a name can be too long. So the file is tried.
    const FileUnderWay underWay;
    const fs::path trial = temporaryName(target);
    const int descriptor = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); // NOLINT(*-vararg)
    if (descriptor < 0) {
        fail(ExitCode::CannotWrite, "{}: cannot be written: {}", path.string(), std::strerror(errno));
    }
    ::close(descriptor);
    fs::remove(trial, status);
}

namespace {

/// By the XDG Base Directory Specification: aureole's folder in the one that the variable names, or in `usual` of the
/// home folder.
fs::path userFolder(const char* variable, const char* usual) {
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder == '/') {
        return fs::path(folder) / "aureole";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / usual / "aureole";
    }
    return {};
}

} // namespace

fs::path cacheFolder() {
    return userFolder("XDG_CACHE_HOME", ".cache");
}

fs::path dataFolder() {
    return userFolder("XDG_DATA_HOME", ".local/share");
}

} // namespace aureole
