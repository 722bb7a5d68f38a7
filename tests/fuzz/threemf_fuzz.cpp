// The model of a 3MF package, in an archive that is made around it, or, where it starts as one, the archive itself.

#include "fuzz.h"
#include "sane_scene.h"
#include "zip_file.h"

namespace aureole::fuzz {

void runInput(Bytes input) {
    std::string content(reinterpret_cast<const char*>(input.data()), input.size());
    const bool isArchive = content.starts_with("PK");
    if (!isArchive) {
        content = test::package3mf(content, {{"3D/b.model", test::model3mf(test::tetrahedron3mf())}});
    }
    const std::filesystem::path file = written("model.3mf", std::as_bytes(std::span(content)));
    goesThrough(file.string(), [&] {
        const ImportedModel model = importModel(file, {});
        requireSane(model);
        require(!model.meshInstances.empty(), "a 3MF package that is accepted shows a mesh");
    });
}

} // namespace aureole::fuzz
