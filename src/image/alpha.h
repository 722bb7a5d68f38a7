#pragma once

#include "image/image.h"

namespace aureole {

/// Colour with its alpha multiplied in, as in EXR files, to colour by itself, as in PNG files and for tone mapping:
/// divides R, G and B by A where A is above 0. Light without cover (A of 0), which only the former can hold, is left as
/// it is. Images without A, or without R, G and B, stay as they are.
void unassociateAlpha(Image& image);

/// The way back: multiplies R, G and B by A.
void associateAlpha(Image& image);

} // namespace aureole
