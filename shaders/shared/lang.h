// What lets one header compile both as GLSL and as C++ (glm types, namespace aureole::shared).
//
// Rules for headers in this folder: they include only each other; no swizzles, no bool members, no workgroup memory, no
// subgroup operations; float literals carry an f; memory is reached only through AT().
#ifndef AUREOLE_SHARED_LANG_H
#define AUREOLE_SHARED_LANG_H

#ifdef __cplusplus

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <glm/glm.hpp>

namespace aureole::shared {

using glm::ivec2;
using glm::ivec3;
using glm::uvec2;
using glm::uvec3;
using glm::uvec4;
using glm::vec2;
using glm::vec3;
using glm::vec4;
using uint = std::uint32_t;
using std::uint64_t;

using glm::abs;
using glm::clamp;
using glm::cross;
using glm::dot;
using glm::floor;
using glm::length;
using glm::max;
using glm::min;
using glm::mix;
using glm::normalize;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::exp;
using std::exp2;
using std::log;
using std::log2;
using std::pow;
using std::sin;
using std::sqrt;
using std::tan;

inline uint floatBitsToUint(float x) {
    return std::bit_cast<uint>(x);
}
inline float uintBitsToFloat(uint x) {
    return std::bit_cast<float>(x);
}
inline uvec3 floatBitsToUint(vec3 v) {
    return {floatBitsToUint(v.x), floatBitsToUint(v.y), floatBitsToUint(v.z)};
}
inline vec3 uintBitsToFloat(uvec3 v) {
    return {uintBitsToFloat(v.x), uintBitsToFloat(v.y), uintBitsToFloat(v.z)};
}
/// The number of set bits.
inline uint countBits(uint x) {
    return static_cast<uint>(std::popcount(x));
}
/// The index of the highest set bit; x is not 0.
inline uint highestBit(uint x) {
    return 31U - static_cast<uint>(std::countl_zero(x));
}
/// The bits in the opposite order.
inline uint reverseBits(uint x) {
    x = ((x >> 1U) & 0x55555555U) | ((x & 0x55555555U) << 1U);
    x = ((x >> 2U) & 0x33333333U) | ((x & 0x33333333U) << 2U);
    x = ((x >> 4U) & 0x0F0F0F0FU) | ((x & 0x0F0F0F0FU) << 4U);
    x = ((x >> 8U) & 0x00FF00FFU) | ((x & 0x00FF00FFU) << 8U);
    return (x >> 16U) | (x << 16U);
}

} // namespace aureole::shared

#define SHARED_BEGIN namespace aureole::shared {
#define SHARED_END }
#define SHARED_INLINE inline
/// A parameter that the function reads and changes.
#define INOUT(type, name) type& name
/// A parameter that the function sets.
#define OUT(type, name) type& name
/// A parameter that this function has for the sake of its siblings.
#define SHARED_UNUSED(name) static_cast<void>(name)
/// Marks arithmetic that must give the same bits everywhere: no contraction into fused multiply-adds.
#define PRECISE
/// Makes AT() work for a type; `alignment` in bytes is that of an element in memory.
#define SHARED_ARRAY(type, alignment)
/// Element `index` of the array of `type` at a 64-bit address: a device address in GLSL, a pointer in C++.
#define AT(type, address, index) (reinterpret_cast<const type*>(address)[index])

#else

#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#define SHARED_BEGIN
#define SHARED_END
#define SHARED_INLINE
#define INOUT(type, name) inout type name
#define OUT(type, name) out type name
#define SHARED_UNUSED(name)
#define PRECISE precise
#define SHARED_ARRAY(type, alignment)                                                                                  \
    layout(buffer_reference, scalar, buffer_reference_align = alignment) readonly buffer type##Array {                 \
        type at[];                                                                                                     \
    };
#define AT(type, address, index) (type##Array(address).at[index])

uint countBits(uint x) {
    return uint(bitCount(x));
}
uint highestBit(uint x) {
    return uint(findMSB(x));
}
uint reverseBits(uint x) {
    return bitfieldReverse(x);
}
float atan2(float y, float x) {
    return atan(y, x);
}

SHARED_ARRAY(float, 4)
SHARED_ARRAY(uint, 4)
SHARED_ARRAY(uvec2, 8)
SHARED_ARRAY(vec2, 8)
SHARED_ARRAY(vec3, 4)
SHARED_ARRAY(vec4, 16)
SHARED_ARRAY(uint64_t, 8)

#endif
#endif
