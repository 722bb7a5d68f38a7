// The luminance of linear Rec. 709 colours (ITU-R BT.709-6), as image/image.h has it in double.
#ifndef AUREOLE_SHARED_LUMINANCE_H
#define AUREOLE_SHARED_LUMINANCE_H

#include "shared/lang.h"

SHARED_BEGIN

#define LUMINANCE_RED 0.2126f
#define LUMINANCE_GREEN 0.7152f
#define LUMINANCE_BLUE 0.0722f

SHARED_INLINE float luminanceOf(vec3 c) {
    return LUMINANCE_RED * c.x + LUMINANCE_GREEN * c.y + LUMINANCE_BLUE * c.z;
}

/// That of its channels which has the most.
SHARED_INLINE float largestOf(vec3 c) {
    return max(c.x, max(c.y, c.z));
}

SHARED_END
#endif
