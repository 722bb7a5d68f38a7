#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>

#include "import/asset_reader.h"

namespace aureole {

/// Lets assimp open the model file and nothing else: textures and material libraries are read without it.
class SingleFileIoSystem : public Assimp::IOSystem {
public:
    /// `reader` outlives the system. Of the model's file assimp sees what stands from `start` on, or the text instead,
    /// where there is one.
    SingleFileIoSystem(const AssetReader& reader, std::size_t start, std::optional<std::string> text)
        : reader_(reader)
        , start_(start)
        , text_(std::move(text)) {}

    bool Exists(const char* file) const override { return reader_.name() == file; }
    char getOsSeparator() const override { return '/'; }
    Assimp::IOStream* Open(const char* file, const char* mode) override;
    void Close(Assimp::IOStream* stream) override;

private:
    const AssetReader& reader_;
    std::size_t start_;
    std::optional<std::string> text_;
};

} // namespace aureole
