#pragma once

// What the standard library makes of the same items.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "scan/scan_plan.h"

namespace aureole::scan {

template <typename Item>
constexpr Type typeOf() {
    return std::is_same_v<Item, std::uint32_t>  ? Type::U32
           : std::is_same_v<Item, std::int32_t> ? Type::I32
           : std::is_same_v<Item, float>        ? Type::F32
                                                : Type::U64;
}

/// Integer arithmetic wraps around on the device, and so it must here.
template <typename Item>
using Arithmetic = std::conditional_t<std::is_same_v<Item, std::int32_t>, std::uint32_t, Item>;

template <typename Item>
Item apply(Operation operation, Item a, Item b) {
    using Wide = Arithmetic<Item>;
    switch (operation) {
    case Operation::Add:
        return static_cast<Item>(static_cast<Wide>(a) + static_cast<Wide>(b));
    case Operation::Multiply:
        return static_cast<Item>(static_cast<Wide>(a) * static_cast<Wide>(b));
    case Operation::Min:
        return std::min(a, b);
    case Operation::Max:
        return std::max(a, b);
    default:
        break;
    }
    if constexpr (std::is_integral_v<Item>) {
        switch (operation) {
        case Operation::And:
            return a & b;
        case Operation::Or:
            return a | b;
        default:
            return a ^ b;
        }
    }
    return a;
}

template <typename Item>
Item identityOf(Operation operation) {
    using Limits = std::numeric_limits<Item>;
    switch (operation) {
    case Operation::Multiply:
        return Item{1};
    case Operation::Min:
        return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case Operation::Max:
        return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case Operation::And:
        return static_cast<Item>(~std::uint64_t{0});
    default:
        return Item{0};
    }
}

/// The reduction or scan of each segment by the standard library. `segment` 0: all items are one.
template <typename Item>
std::vector<Item> expectedOf(Kind kind, Operation operation, const std::vector<Item>& input, std::uint64_t segment) {
    const auto combine = [operation](Item a, Item b) { return apply(operation, a, b); };
    const Item identity = identityOf<Item>(operation);
    const auto length = static_cast<std::ptrdiff_t>(segment == 0 ? std::max<std::size_t>(1, input.size()) : segment);
    std::vector<Item> output;
    if (segment != 0 && input.empty()) {
        return output;
    }
    auto first = input.begin();
    do {
        const auto end = first + std::min(length, input.end() - first);
        if (kind == Kind::Reduce) {
            output.push_back(std::reduce(first, end, identity, combine));
        } else {
            std::vector<Item> part(static_cast<std::size_t>(end - first));
            if (kind == Kind::Inclusive) {
                std::inclusive_scan(first, end, part.begin(), combine, identity);
            } else {
                std::exclusive_scan(first, end, part.begin(), identity, combine);
            }
            output.insert(output.end(), part.begin(), part.end());
        }
        first = end;
    } while (first != input.end());
    return output;
}

/// Items whose scans stay telling: every bit random for addition, odd factors, mostly ones for and, mostly zeros for
/// or.
template <typename Item>
std::vector<Item> randomItems(Operation operation, std::size_t count, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Item> items(count);
    for (Item& item : items) {
        std::uint64_t bits = random();
        const std::uint64_t rare = random() % 512 == 0 ? bits & random() & random() : 0;
        if constexpr (std::is_same_v<Item, float>) {
            item = std::uniform_real_distribution<float>(-1.0F, 1.0F)(random);
            if (operation == Operation::Multiply) {
                item = std::exp2(item * 0.5F) * (bits % 2 == 0 ? 1.0F : -1.0F);
            }
        } else {
            switch (operation) {
            case Operation::Multiply:
                bits |= 1;
                break;
            case Operation::Min:
                bits = std::is_signed_v<Item> ? bits : bits | (random() % 1024 == 0 ? 0 : 0xC0000000U);
                break;
            case Operation::And:
                bits = ~rare;
                break;
            case Operation::Or:
                bits = rare;
                break;
            default:
                break;
            }
            item = static_cast<Item>(bits);
        }
    }
    return items;
}

} // namespace aureole::scan
