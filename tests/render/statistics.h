#pragma once

#include "image/film.h"

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

/// The same for two independent films of one picture; `pictureMean` is the first's, `otherMean` the second's.
struct FilmComparison : ZTest {
    double otherMean = 0.0;
};

FilmComparison compareFilms(const FilmSums& a, const FilmSums& b);

} // namespace aureole
