#include "import/gltf/extensions.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/log.h"
#include "core/suggest.h"

namespace aureole::gltf {

namespace {

constexpr std::array kExtensions = {
    Extension{"KHR_draco_mesh_compression", Support::Rendered},
    Extension{"EXT_meshopt_compression", Support::Rendered},
    Extension{"KHR_meshopt_compression", Support::Rendered},
    Extension{"KHR_mesh_quantization", Support::Rendered},
    Extension{"EXT_mesh_gpu_instancing", Support::Rendered},
    Extension{"KHR_node_visibility", Support::Rendered},
    Extension{"KHR_texture_transform", Support::Rendered},
    Extension{"EXT_texture_webp", Support::Rendered},
    Extension{"KHR_lights_punctual", Support::Rendered},
    Extension{"KHR_materials_emissive_strength", Support::Rendered},
    Extension{"KHR_materials_unlit", Support::Rendered},
    Extension{"KHR_materials_ior", Support::Rendered},
    Extension{"KHR_materials_transmission", Support::Approximated},
    Extension{"KHR_materials_volume", Support::Approximated},
    Extension{"KHR_materials_specular", Support::Approximated},
    Extension{"KHR_materials_clearcoat", Support::Approximated},
    Extension{"KHR_materials_pbrSpecularGlossiness", Support::Approximated},
    Extension{"KHR_texture_basisu", Support::Approximated},
    Extension{"MSFT_texture_dds", Support::Approximated},
    Extension{"KHR_materials_anisotropy", Support::Ignored},
    Extension{"KHR_materials_diffuse_transmission", Support::Ignored},
    Extension{"KHR_materials_dispersion", Support::Ignored},
    Extension{"KHR_materials_iridescence", Support::Ignored},
    Extension{"KHR_materials_sheen", Support::Ignored},
    Extension{"KHR_materials_variants", Support::Ignored},
    Extension{"KHR_animation_pointer", Support::Ignored},
    Extension{"KHR_xmp_json_ld", Support::Ignored},
    Extension{"EXT_lights_image_based", Support::Ignored},
    Extension{"MSFT_lod", Support::Ignored},
};

const Extension* find(std::string_view name) {
    const auto* const found = std::find_if(kExtensions.begin(), kExtensions.end(),
                                           [&](const Extension& extension) { return extension.name == name; });
    return found == kExtensions.end() ? nullptr : found;
}

[[noreturn]] void failRequired(const JsonValue& required) {
    std::vector<std::string> names;
    names.reserve(kExtensions.size());
    for (const Extension& extension : kExtensions) {
        names.emplace_back(extension.name);
    }
    fail(ExitCode::BadInput, "{}: requires the extension '{}', which aureole does not read{}", required.place(),
         required.text(), didYouMean(required.text(), names));
}

} // namespace

std::span<const Extension> knownExtensions() {
    return kExtensions;
}

void checkExtensions(const JsonValue& root, const std::string& file) {
    const std::optional<JsonValue> required = root.find("extensionsRequired");
    for (std::size_t i = 0; required && i < required->size(); ++i) {
        if (find(required->at(i).text()) == nullptr) {
            failRequired(required->at(i));
        }
    }
    std::set<std::string> told;
    const std::optional<JsonValue> used = root.find("extensionsUsed");
    for (std::size_t i = 0; used && i < used->size(); ++i) {
        const std::string& name = used->at(i).text();
        const Extension* known = find(name);
        if ((known == nullptr || known->support == Support::Ignored) && told.insert(name).second) {
            logWarning("{}: the extension {} is not used", file, name);
        }
    }
}

} // namespace aureole::gltf
