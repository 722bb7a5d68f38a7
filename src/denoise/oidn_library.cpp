#include "denoise/oidn_library.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr const char* kOidnFile = "libOpenImageDenoise.so.2";
constexpr const char* kOidnVariable = "AUREOLE_OIDN";

/// Why the last call of dlopen or dlsym failed.
std::string linkerMessage() {
    const char* const message = ::dlerror(); // NOLINT(concurrency-mt-unsafe): threads have messages of their own
    return message == nullptr ? "no reason given" : message;
}

template <typename Function>
void findFunction(void* library, const std::string& file, const char* name, Function*& function) {
    void* const symbol = ::dlsym(library, name);
    if (symbol == nullptr) {
        fail(ExitCode::Usage, "{}: found no function {}, expected Open Image Denoise 2.x", file, name);
    }
    function = reinterpret_cast<Function*>(symbol);
}

OidnLibrary withFunctions(void* library, const std::string& file) {
    OidnLibrary found{file, {}};
    OidnFunctions& functions = found.functions;
    findFunction(library, file, "oidnNewDevice", functions.newDevice);
    findFunction(library, file, "oidnNewDeviceByUUID", functions.newDeviceByUuid);
    findFunction(library, file, "oidnCommitDevice", functions.commitDevice);
    findFunction(library, file, "oidnGetDeviceInt", functions.getDeviceInt);
    findFunction(library, file, "oidnGetDeviceError", functions.getDeviceError);
    findFunction(library, file, "oidnReleaseDevice", functions.releaseDevice);
    findFunction(library, file, "oidnNewBuffer", functions.newBuffer);
    findFunction(library, file, "oidnWriteBuffer", functions.writeBuffer);
    findFunction(library, file, "oidnReadBuffer", functions.readBuffer);
    findFunction(library, file, "oidnReleaseBuffer", functions.releaseBuffer);
    findFunction(library, file, "oidnNewFilter", functions.newFilter);
    findFunction(library, file, "oidnSetFilterImage", functions.setFilterImage);
    findFunction(library, file, "oidnSetFilterBool", functions.setFilterBool);
    findFunction(library, file, "oidnSetFilterInt", functions.setFilterInt);
    findFunction(library, file, "oidnCommitFilter", functions.commitFilter);
    findFunction(library, file, "oidnExecuteFilter", functions.executeFilter);
    findFunction(library, file, "oidnReleaseFilter", functions.releaseFilter);
    return found;
}

/// The bytes that a library's header promises of its file; 0 where it has none, which the linker tells well.
std::uintmax_t promisedSize(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    Elf64_Ehdr header{};
    if (!stream.read(reinterpret_cast<char*>(&header), sizeof header) ||
        !std::equal(header.e_ident, header.e_ident + SELFMAG, ELFMAG) || header.e_phentsize != sizeof(Elf64_Phdr)) {
        return 0;
    }
    std::uintmax_t size = header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr);
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    stream.seekg(static_cast<std::streamoff>(header.e_phoff));
    stream.read(reinterpret_cast<char*>(segments.data()),
                static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)));
    for (const Elf64_Phdr& segment : segments) {
        size = std::max<std::uintmax_t>(size, segment.p_type == PT_LOAD ? segment.p_offset + segment.p_filesz : 0);
    }
    return size;
}

/// The linker maps what a header promises, and a file that ends before that, as after half a copy, ends the process.
/// So the library and those that it loads from its folder are looked at first.
void checkWhole(const fs::path& folder) {
    std::error_code unreadable;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("libOpenImageDenoise") && !name.starts_with("libtbb")) {
            continue;
        }
        const std::uintmax_t size = entry.file_size(unreadable);
        const std::uintmax_t promised = promisedSize(entry.path());
        if (!unreadable && size < promised) {
            fail(ExitCode::Usage, "{}: found {} bytes of a library, expected {} or more: it is not whole",
                 entry.path().string(), size, promised);
        }
    }
}

/// None where there is no such file. Unlike the linker, which says the same of a library that needs a missing one.
std::optional<OidnLibrary> openFile(const fs::path& file) {
    if (!pathExists(file)) {
        return std::nullopt;
    }
    checkWhole(file.parent_path());
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        fail(ExitCode::Usage, "{}: found a library that cannot be opened, expected Open Image Denoise 2.x: {}",
             file.string(), linkerMessage());
    }
    return withFunctions(library, file.string());
}

/// Where the system's linker looks.
std::optional<OidnLibrary> openByName() {
    void* const library = ::dlopen(kOidnFile, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) {
        return withFunctions(library, kOidnFile);
    }
    const std::string message = linkerMessage();
    if (message.starts_with(fmt::format("{}: cannot open shared object file: No such file", kOidnFile))) {
        return std::nullopt;
    }
    fail(ExitCode::Usage, "{}: found a library that cannot be opened, expected Open Image Denoise 2.x: {}", kOidnFile,
         message);
}

} // namespace

std::optional<OidnLibrary> openOidnLibrary() {
    if (const char* const folder = std::getenv(kOidnVariable); folder != nullptr && *folder != '\0') {
        std::optional<OidnLibrary> named = openFile(fs::path(folder) / "lib" / kOidnFile);
        if (!named) {
            fail(ExitCode::Usage, "{}: found no lib/{} in the folder {}, which the variable names", kOidnVariable,
                 kOidnFile, folder);
        }
        return named;
    }
    const fs::path data = dataFolder();
    std::optional<OidnLibrary> installed = data.empty() ? std::nullopt : openFile(data / "oidn" / "lib" / kOidnFile);
    return installed ? installed : openByName();
}

} // namespace aureole
