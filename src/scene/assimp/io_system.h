#pragma once

#include <string>

#include <assimp/DefaultIOSystem.h>

#include "scene/asset_reader.h"

namespace aureole {

/// What assimp may open: the model itself, and files inside the scene folder other than material libraries, which are
/// read without it.
class ConfinedIoSystem : public Assimp::DefaultIOSystem {
public:
    explicit ConfinedIoSystem(const AssetReader& reader) : reader_(reader) {}

    bool Exists(const char* file) const override;
    Assimp::IOStream* Open(const char* file, const char* mode) override;

private:
    bool mayOpen(const char* file) const;

    const AssetReader& reader_;
};

} // namespace aureole
