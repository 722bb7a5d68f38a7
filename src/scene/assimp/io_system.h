#pragma once

#include <filesystem>
#include <utility>

#include <assimp/DefaultIOSystem.h>

namespace aureole {

/// Lets assimp open the model file and nothing else: textures and material libraries are read without it.
class SingleFileIoSystem : public Assimp::DefaultIOSystem {
public:
    explicit SingleFileIoSystem(std::filesystem::path file)
        : file_(std::move(file)) {}

    bool Exists(const char* file) const override;
    Assimp::IOStream* Open(const char* file, const char* mode) override;

private:
    std::filesystem::path file_;
};

} // namespace aureole
