#include "core/extension.h"

#include "core/lower_case.h"

namespace aureole {

std::string lowerExtension(const std::filesystem::path& file) {
    return lowerCase(file.extension().string());
}

} // namespace aureole
