#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/image.h"

namespace aureole {

/// An image and what messages call it.
struct NamedImage {
    const Image& image;
    std::string name;
};

/// Differences of an image from a reference over R, G and B (a grey image counts as three equal channels).
enum class Metric {
    Mse,    ///< mean squared difference
    Rmse,   ///< its square root
    RelMse, ///< mean of (a - b)^2 / (b^2 + 0.01), b the reference: Rousselle et al., SIGGRAPH Asia 2011
    Psnr,   ///< 10 log10(1 / MSE) in dB, for values in [0, 1]; infinite for equal images
    Ssim,   ///< structural similarity, at most 1: see ssim()
};

/// The names that metricFromName knows, in the order of the enumeration.
const std::vector<std::string>& metricNames();

/// Throws Error (Usage) with the names known and the nearest of them.
Metric metricFromName(std::string_view name);

/// Whether a smaller value means a smaller difference.
bool smallerIsBetter(Metric metric);

/// Throws Error (BadInput) unless both images have a colour, the same size and finite values throughout; it says which
/// image has what, and where the first value that is not finite stands.
void checkComparable(const NamedImage& image, const NamedImage& reference);

/// Compares as `metric` says. Throws what checkComparable throws.
double compareImages(Metric metric, const NamedImage& image, const NamedImage& reference);

/// Mean structural similarity after Wang et al., "Image Quality Assessment: From Error Visibility to Structural
/// Similarity", 2004: Gaussian window of 11 x 11 with sigma 1.5, K1 0.01, K2 0.03, values in [0, 1]; averaged over the
/// positions at which the window lies within the image, and over R, G and B. Throws what checkComparable throws, and
/// Error (BadInput) for images of fewer than 11 pixels a side.
double ssim(const NamedImage& image, const NamedImage& reference);

/// 1 less the structural similarity about each pixel, as Y: see errorMap(). Throws what ssim throws.
Image ssimErrorMap(const NamedImage& image, const NamedImage& reference);

/// How much each pixel has of what `metric` measures, as Y for showing: 0 for none, and 1 for a lot. For Mse, Rmse and
/// Psnr it is the root of the pixel's mean squared difference over R, G and B, for RelMse that of its relative squared
/// difference (1: off by about as much as the reference has), for Ssim 1 less the similarity of the window about the
/// pixel (near edges, of the nearest window within the image). Only the latter is at most 2; others have no bound.
/// Throws what compareImages throws.
Image errorMap(Metric metric, const NamedImage& image, const NamedImage& reference);

/// |a - b| of R, G and B. Throws what checkComparable throws.
Image differenceImage(const NamedImage& image, const NamedImage& reference);

/// Mean Rec. 709 luminance. Throws Error (BadInput) where the image has no colour or values that are not finite.
double meanLuminance(const NamedImage& image);

} // namespace aureole
