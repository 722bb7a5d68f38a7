#pragma once

#include <string>

#include "image/image.h"

namespace aureole::cli {

/// Gives the channels LAYER.R, LAYER.G, LAYER.B the names R, G, B, and back, so that bloom and finish find a layer in
/// which they have others. Other channels keep theirs.
class ColourLayer {
public:
    /// With an empty name, the layer is the image's own colours. Throws Error (BadInput) naming `file` and its layers
    /// where there is none of that name.
    ColourLayer(Image& image, const std::string& layer, const std::string& file);
    /// Undoes the renaming in an image with channels R, G, B.
    void restore(Image& image) const;

private:
    std::string prefix_;
};

} // namespace aureole::cli
