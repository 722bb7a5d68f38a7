#pragma once

#include "core/input_file.h"
#include "image/image.h"
#include "sandbox/protocol.h"

namespace aureole {

/// Has a worker read a picture by one of the jobs Exr, Png and Picture. Throws as sandbox::readIsolated.
Image readImageIsolated(const InputFile& file, sandbox::Job job, bool option = false);

/// Takes an image that a worker sent. Throws std::runtime_error where it is none.
void receiveImage(sandbox::Unpacker& in, Image& image);

} // namespace aureole
