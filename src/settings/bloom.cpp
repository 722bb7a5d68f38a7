#include "settings/bloom.h"

#include <algorithm>

namespace aureole {

const std::vector<std::string>& generatedBloomKernels() {
    static const std::vector<std::string> names = {"default", "airy", "aperture", "eye", "gaussians"};
    return names;
}

bool isGeneratedBloomKernel(std::string_view name) {
    const std::vector<std::string>& names = generatedBloomKernels();
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace aureole
