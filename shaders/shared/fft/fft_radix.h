// Small discrete Fourier transforms, forward (exp(-2 pi i n k / r)), natural order in and out, each in place on its
// arguments. 6, 10, 12, 14 and 15 by the prime factor algorithm (Good 1958, Thomas 1963), which needs no twiddle
// factors; 8, 9 and 16 by Cooley and Tukey (1965). The inverse is had by exchanging real and imaginary parts before and
// after.
#ifndef AUREOLE_SHARED_FFT_RADIX_H
#define AUREOLE_SHARED_FFT_RADIX_H

#include "shared/lang.h"

SHARED_BEGIN

SHARED_INLINE vec2 complexMultiply(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
SHARED_INLINE vec2 timesMinusI(vec2 a) {
    return vec2(a.y, -a.x);
}

SHARED_INLINE void exchangeValues(INOUT(vec2, a), INOUT(vec2, b)) {
    vec2 t = a;
    a = b;
    b = t;
}

SHARED_INLINE void dft2(INOUT(vec2, a), INOUT(vec2, b)) {
    vec2 t = a - b;
    a = a + b;
    b = t;
}

SHARED_INLINE void dft3(INOUT(vec2, a), INOUT(vec2, b), INOUT(vec2, c)) {
    vec2 sum = b + c;
    vec2 middle = a - 0.5f * sum;
    vec2 turned = timesMinusI(0.866025403784438647f * (b - c));
    a = a + sum;
    b = middle + turned;
    c = middle - turned;
}

SHARED_INLINE void dft4(INOUT(vec2, a), INOUT(vec2, b), INOUT(vec2, c), INOUT(vec2, d)) {
    vec2 s = a + c;
    vec2 t = a - c;
    vec2 u = b + d;
    vec2 w = timesMinusI(b - d);
    a = s + u;
    b = t + w;
    c = s - u;
    d = t - w;
}

SHARED_INLINE void dft5(INOUT(vec2, a), INOUT(vec2, b), INOUT(vec2, c), INOUT(vec2, d), INOUT(vec2, e)) {
    const float c1 = 0.309016994374947424f;
    const float c2 = -0.809016994374947424f;
    const float s1 = 0.951056516295153572f;
    const float s2 = 0.587785252292473129f;
    vec2 p = b + e;
    vec2 q = c + d;
    vec2 r = b - e;
    vec2 t = c - d;
    vec2 m1 = a + c1 * p + c2 * q;
    vec2 m2 = a + c2 * p + c1 * q;
    vec2 n1 = timesMinusI(s1 * r + s2 * t);
    vec2 n2 = timesMinusI(s2 * r - s1 * t);
    a = a + p + q;
    b = m1 + n1;
    c = m2 + n2;
    d = m2 - n2;
    e = m1 - n1;
}

SHARED_INLINE void dft6(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                        INOUT(vec2, x5)) {
    dft2(x0, x3);
    dft2(x2, x5);
    dft2(x4, x1);
    dft3(x0, x2, x4);
    dft3(x3, x5, x1);
    exchangeValues(x2, x4);
    exchangeValues(x1, x5);
}

SHARED_INLINE void dft7(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                        INOUT(vec2, x5), INOUT(vec2, x6)) {
    const float c1 = 0.623489801858733531f;
    const float c2 = -0.222520933956314404f;
    const float c3 = -0.900968867902419126f;
    const float s1 = 0.781831482468029809f;
    const float s2 = 0.974927912181823607f;
    const float s3 = 0.433883739117558120f;
    vec2 p1 = x1 + x6;
    vec2 p2 = x2 + x5;
    vec2 p3 = x3 + x4;
    vec2 q1 = x1 - x6;
    vec2 q2 = x2 - x5;
    vec2 q3 = x3 - x4;
    vec2 m1 = x0 + c1 * p1 + c2 * p2 + c3 * p3;
    vec2 m2 = x0 + c2 * p1 + c3 * p2 + c1 * p3;
    vec2 m3 = x0 + c3 * p1 + c1 * p2 + c2 * p3;
    vec2 n1 = timesMinusI(s1 * q1 + s2 * q2 + s3 * q3);
    vec2 n2 = timesMinusI(s2 * q1 - s3 * q2 - s1 * q3);
    vec2 n3 = timesMinusI(s3 * q1 - s1 * q2 + s2 * q3);
    x0 = x0 + p1 + p2 + p3;
    x1 = m1 + n1;
    x2 = m2 + n2;
    x3 = m3 + n3;
    x4 = m3 - n3;
    x5 = m2 - n2;
    x6 = m1 - n1;
}

SHARED_INLINE void dft8(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                        INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7)) {
    const float h = 0.707106781186547524f;
    dft4(x0, x2, x4, x6);
    dft4(x1, x3, x5, x7);
    vec2 o0 = x1;
    vec2 o1 = h * vec2(x3.x + x3.y, x3.y - x3.x);
    vec2 o2 = timesMinusI(x5);
    vec2 o3 = h * vec2(x7.y - x7.x, -x7.x - x7.y);
    vec2 e0 = x0;
    vec2 e1 = x2;
    vec2 e2 = x4;
    vec2 e3 = x6;
    x0 = e0 + o0;
    x1 = e1 + o1;
    x2 = e2 + o2;
    x3 = e3 + o3;
    x4 = e0 - o0;
    x5 = e1 - o1;
    x6 = e2 - o2;
    x7 = e3 - o3;
}

SHARED_INLINE void dft9(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                        INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7), INOUT(vec2, x8)) {
    const vec2 w1 = vec2(0.766044443118978035f, -0.642787609686539326f);
    const vec2 w2 = vec2(0.173648177666930349f, -0.984807753012208059f);
    const vec2 w4 = vec2(-0.939692620785908384f, -0.342020143325668733f);
    dft3(x0, x3, x6);
    dft3(x1, x4, x7);
    dft3(x2, x5, x8);
    x4 = complexMultiply(x4, w1);
    x5 = complexMultiply(x5, w2);
    x7 = complexMultiply(x7, w2);
    x8 = complexMultiply(x8, w4);
    dft3(x0, x1, x2);
    dft3(x3, x4, x5);
    dft3(x6, x7, x8);
    exchangeValues(x1, x3);
    exchangeValues(x2, x6);
    exchangeValues(x5, x7);
}

SHARED_INLINE void dft10(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                         INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7), INOUT(vec2, x8), INOUT(vec2, x9)) {
    dft2(x0, x5);
    dft2(x2, x7);
    dft2(x4, x9);
    dft2(x6, x1);
    dft2(x8, x3);
    dft5(x0, x2, x4, x6, x8);
    dft5(x5, x7, x9, x1, x3);
    // Even frequencies: 6, 2, 8, 4 lie in 2, 4, 6, 8; odd ones: 1, 7, 3, 9 lie in 7, 9, 1, 3.
    vec2 t = x2;
    x2 = x4;
    x4 = x8;
    x8 = x6;
    x6 = t;
    t = x1;
    x1 = x7;
    x7 = x9;
    x9 = x3;
    x3 = t;
}

SHARED_INLINE void dft12(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                         INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7), INOUT(vec2, x8), INOUT(vec2, x9),
                         INOUT(vec2, x10), INOUT(vec2, x11)) {
    dft3(x0, x4, x8);
    dft3(x3, x7, x11);
    dft3(x6, x10, x2);
    dft3(x9, x1, x5);
    dft4(x0, x3, x6, x9);
    dft4(x4, x7, x10, x1);
    dft4(x8, x11, x2, x5);
    exchangeValues(x3, x9);
    exchangeValues(x1, x7);
    exchangeValues(x5, x11);
}

SHARED_INLINE void dft14(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                         INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7), INOUT(vec2, x8), INOUT(vec2, x9),
                         INOUT(vec2, x10), INOUT(vec2, x11), INOUT(vec2, x12), INOUT(vec2, x13)) {
    dft2(x0, x7);
    dft2(x2, x9);
    dft2(x4, x11);
    dft2(x6, x13);
    dft2(x8, x1);
    dft2(x10, x3);
    dft2(x12, x5);
    dft7(x0, x2, x4, x6, x8, x10, x12);
    dft7(x7, x9, x11, x13, x1, x3, x5);
    // The value in place (7 a + 2 b) mod 14 has the frequency that is a modulo 2 and b modulo 7.
    vec2 t = x2;
    x2 = x4;
    x4 = x8;
    x8 = t;
    t = x6;
    x6 = x12;
    x12 = x10;
    x10 = t;
    t = x1;
    x1 = x9;
    x9 = x11;
    x11 = t;
    t = x3;
    x3 = x13;
    x13 = x5;
    x5 = t;
}

SHARED_INLINE void dft15(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                         INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7), INOUT(vec2, x8), INOUT(vec2, x9),
                         INOUT(vec2, x10), INOUT(vec2, x11), INOUT(vec2, x12), INOUT(vec2, x13), INOUT(vec2, x14)) {
    dft3(x0, x5, x10);
    dft3(x3, x8, x13);
    dft3(x6, x11, x1);
    dft3(x9, x14, x4);
    dft3(x12, x2, x7);
    dft5(x0, x3, x6, x9, x12);
    dft5(x5, x8, x11, x14, x2);
    dft5(x10, x13, x1, x4, x7);
    vec2 t = x1;
    x1 = x8;
    x8 = x4;
    x4 = x2;
    x2 = t;
    t = x3;
    x3 = x9;
    x9 = x12;
    x12 = x6;
    x6 = t;
    exchangeValues(x5, x10);
    t = x7;
    x7 = x11;
    x11 = x13;
    x13 = x14;
    x14 = t;
}

SHARED_INLINE void dft16(INOUT(vec2, x0), INOUT(vec2, x1), INOUT(vec2, x2), INOUT(vec2, x3), INOUT(vec2, x4),
                         INOUT(vec2, x5), INOUT(vec2, x6), INOUT(vec2, x7), INOUT(vec2, x8), INOUT(vec2, x9),
                         INOUT(vec2, x10), INOUT(vec2, x11), INOUT(vec2, x12), INOUT(vec2, x13), INOUT(vec2, x14),
                         INOUT(vec2, x15)) {
    const float h = 0.707106781186547524f;
    const vec2 w1 = vec2(0.923879532511286756f, -0.382683432365089772f);
    const vec2 w3 = vec2(0.382683432365089772f, -0.923879532511286756f);
    dft4(x0, x4, x8, x12);
    dft4(x1, x5, x9, x13);
    dft4(x2, x6, x10, x14);
    dft4(x3, x7, x11, x15);
    x5 = complexMultiply(x5, w1);
    x6 = h * vec2(x6.x + x6.y, x6.y - x6.x);
    x7 = complexMultiply(x7, w3);
    x9 = h * vec2(x9.x + x9.y, x9.y - x9.x);
    x10 = timesMinusI(x10);
    x11 = h * vec2(x11.y - x11.x, -x11.x - x11.y);
    x13 = complexMultiply(x13, w3);
    x14 = h * vec2(x14.y - x14.x, -x14.x - x14.y);
    x15 = complexMultiply(x15, -w1);
    dft4(x0, x1, x2, x3);
    dft4(x4, x5, x6, x7);
    dft4(x8, x9, x10, x11);
    dft4(x12, x13, x14, x15);
    exchangeValues(x1, x4);
    exchangeValues(x2, x8);
    exchangeValues(x3, x12);
    exchangeValues(x6, x9);
    exchangeValues(x7, x13);
    exchangeValues(x11, x14);
}

SHARED_END
#endif
