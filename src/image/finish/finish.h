#pragma once

// The finishing chain: what makes a rendered picture look like one that was taken, or drawn. All of it works on linear
// light, after bloom and before exposure and tone mapping, in this order, each step only where it is asked for:
//
//   palette, relief, thin film   what the picture shows
//   bulge, distortion            where a lens shows it, in one resampling
//   vignette                     how much of its light the lens lets through
//   grain                        what it is taken on

#include <memory>
#include <string>

#include "image/image.h"
#include "settings/finish.h"

namespace aureole {

class Finish {
public:
    /// Reads the relief's image. Throws Error (BadInput) where it cannot be read or has no colours.
    explicit Finish(const FinishSettings& settings);
    ~Finish();
    Finish(Finish&& other) noexcept;
    Finish& operator=(Finish&& other) noexcept;

    /// Of a grey image, or R, G, B and A (colours are associated with alpha); a grey one gets three channels. Other
    /// channels and the attributes stay as they are. Pixels that are not finite stay so. The same picture gives the
    /// same bytes, whatever the number of threads. Each frame of an animation has grain of its own, as each of a film
    /// has: its number, the attribute aureole.frame, is added to the seed. Throws Error (BadInput) where `file` has no
    /// colours.
    void apply(Image& image, const std::string& file) const;

    /// Such as "vignette 0.4, grain 0.1 of 1 pixels with seed 7", the seed as the image has it.
    std::string describe(const Image& image) const;

private:
    struct Parts;
    std::unique_ptr<const Parts> parts_;
};

} // namespace aureole
