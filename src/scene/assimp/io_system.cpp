#include "scene/assimp/io_system.h"

#include <string_view>

namespace aureole {

bool SingleFileIoSystem::Exists(const char* file) const {
    return file_ == file && DefaultIOSystem::Exists(file);
}

Assimp::IOStream* SingleFileIoSystem::Open(const char* file, const char* mode) {
    const bool writes = std::string_view(mode).find_first_of("wa+") != std::string_view::npos;
    return file_ == file && !writes ? DefaultIOSystem::Open(file, mode) : nullptr;
}

} // namespace aureole
