#include "scene/assimp/io_system.h"

#include <string_view>

#include "core/error.h"
#include "core/log.h"

namespace aureole {

bool ConfinedIoSystem::mayOpen(const char* file) const {
    const std::filesystem::path path(file);
    if (path == reader_.file()) {
        return true;
    }
    if (path.extension() == ".mtl") {
        return false;
    }
    // assimp puts the model's folder before what it found in the file.
    const std::filesystem::path reference = path.lexically_relative(reader_.file().parent_path());
    try {
        return reader_.find(reference.empty() ? path.string() : reference.string(), "a reference").has_value();
    } catch (const Error& error) {
        logWarning("{}", error.what());
        return false;
    }
}

bool ConfinedIoSystem::Exists(const char* file) const { return mayOpen(file) && DefaultIOSystem::Exists(file); }

Assimp::IOStream* ConfinedIoSystem::Open(const char* file, const char* mode) {
    const bool reads = std::string_view(mode).find_first_of("wa+") == std::string_view::npos;
    return reads && mayOpen(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
}

} // namespace aureole
