#pragma once

#include "film/film.h"

namespace aureole {

/// Whether every pixel's mean agrees with an exact value, by a z-test with a Sidak correction over the pixels, and the
/// mean of the picture does. Both at a significance of 0.001.
struct ZTest {
    double worstPixel = 0.0; ///< largest |z| of a pixel
    double pixelLimit = 0.0;
    double pictureMean = 0.0;
    double pictureZ = 0.0;
};

ZTest zTest(const FilmSums& film, double expected);

/// Whether two films of independent samples agree, pixel by pixel and in the mean, by the same tests. The channels of a
/// pixel may depend on each other.
ZTest zTestOfTwo(const FilmSums& a, const FilmSums& b);

/// The film of the same samples in so many times as much light.
FilmSums brightened(FilmSums film, double times);

} // namespace aureole
