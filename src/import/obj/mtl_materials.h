#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "import/asset_reader.h"
#include "import/obj/mtl.h"
#include "import/pictures/picture_finder.h"
#include "model/material.h"
#include "model/texture_library.h"

namespace aureole::obj {

/// The materials of the MTL files that an OBJ file names.
///
/// assimp is not asked: it keeps backslashes in paths and drops the scalars and maps of the physically based extension
/// or mixes them up. A factor that is missing or zero beside its texture counts as one.
class MtlLibrary {
public:
    /// Finds the mtllib statements of the model that `reader` reads, and reads those files; one that is missing is only
    /// warned of, as the shape is whole without it.
    MtlLibrary(const AssetReader& reader, bool normalGreenDown);

    /// The material of a name, its textures added to the library; a plain one, after a warning, for an unknown name.
    Material make(const std::string& name, TextureLibrary& textures);

    /// Takes away normal textures that turn out to be grey height maps, with a warning. For after decoding.
    static void dropHeightMaps(std::vector<Material>& materials, const std::vector<Texture>& textures);

private:
    struct Source {
        MtlMaterial material;
        std::string file;   ///< for messages
        std::string folder; ///< of the MTL file, relative to the model's; ends in a slash unless empty
    };

    void readLibraries(const std::string& references, const std::string& place);
    void readLibrary(const std::string& reference, const std::string& place);
    TextureSlot slot(const Source& source, const MtlMap& map, bool srgb, TextureLibrary& textures);
    TextureSlot packed(const Source& source, const MtlMap* first, const MtlMap* second, bool albedo,
                       TextureLibrary& textures);
    void setSurface(const Source& source, Material& material, TextureLibrary& textures);
    void setAlpha(const Source& source, Material& material, TextureLibrary& textures);

    std::optional<std::filesystem::path> find(const Source& source, const MtlMap& map);
    /// Takes away maps whose files are not to be had.
    void dropUnreachable(Source& source);
    void dropUnreachable(const Source& source, std::optional<MtlMap>& map);

    const AssetReader& reader_;
    bool normalGreenDown_;
    std::map<std::string, Source> sources_;
    PictureFinder pictures_;
};

} // namespace aureole::obj
