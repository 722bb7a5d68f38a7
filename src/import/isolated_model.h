#pragma once

#include "core/input_file.h"
#include "import/folder_files.h"
#include "sandbox/pack.h"

namespace aureole {

/// Has a worker read a model, and hashes it meanwhile: readModel behind sandbox::readIsolated, whose errors it throws.
ImportedModel readModelIsolated(FolderFiles& files, const ImportOptions& options);

/// Has a worker read a texture, by decodeTexture.
Texture readTextureIsolated(const InputFile& file);

/// Take what a worker sent. Throw std::runtime_error where it is not what ImportedModel and Texture promise.
void receiveModel(sandbox::Unpacker& in, ImportedModel& model);
void receiveTexture(sandbox::Unpacker& in, Texture& texture);

} // namespace aureole
