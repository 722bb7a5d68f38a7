// Loads and stores of one to four consecutive items, as one vector where all are there.

#include "shared/specialization.h"

layout(constant_id = SPEC_SCAN_ITEMS) const uint kItems = 4u;

layout(buffer_reference, scalar, buffer_reference_align = ITEM_BYTES) buffer ItemArray {
    Item at[];
};
// Of an item's alignment alone: three items are never on a boundary of their own size.
layout(buffer_reference, scalar, buffer_reference_align = ITEM_BYTES) buffer Item3Array {
    Item3 at[];
};
#if ITEM_BYTES == 4
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Item2Array {
    Item2 at[];
};
#else
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Item2Array {
    Item2 at[];
};
#endif
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Item4Array {
    Item4 at[];
};

/// Whether vectors of kItems may be loaded from multiples of their size after the address.
bool alignedForVectors(uint64_t address) {
    const uint vectorBytes = kItems == 2u ? 2u * ITEM_BYTES : 16u;
    return kItems == 1u || kItems == 3u || (uint(address) & (vectorBytes - 1u)) == 0u;
}

/// The vector number `index` after the address; unused components hold the identity.
Item4 loadVector(uint64_t address, uint index) {
    Item4 items = Item4(IDENTITY);
    if (kItems == 4u) {
        items = Item4Array(address).at[index];
    } else if (kItems == 3u) {
        items.xyz = Item3Array(address).at[index];
    } else if (kItems == 2u) {
        items.xy = Item2Array(address).at[index];
    } else {
        items.x = ItemArray(address).at[index];
    }
    return items;
}

void storeVector(uint64_t address, uint index, Item4 items) {
    if (kItems == 4u) {
        Item4Array(address).at[index] = items;
    } else if (kItems == 3u) {
        Item3Array(address).at[index] = items.xyz;
    } else if (kItems == 2u) {
        Item2Array(address).at[index] = items.xy;
    } else {
        ItemArray(address).at[index] = items.x;
    }
}

/// An invocation's item number `i`, if it is one of its kItems and below `valid`; else the identity.
Item loadItem(uint64_t address, uint first, uint i, uint valid) {
    Item item = IDENTITY;
    if (i < kItems && first + i < valid) {
        item = ItemArray(address).at[first + i];
    }
    return item;
}

void storeItem(uint64_t address, uint first, uint i, uint valid, Item item) {
    if (i < kItems && first + i < valid) {
        ItemArray(address).at[first + i] = item;
    }
}

/// The vector item by item, for the items below `valid` alone; the others are the identity.
Item4 loadItems(uint64_t address, uint index, uint valid) {
    // No loop: it would keep the compiler from unrolling the loop over rows around it.
    uint first = index * kItems;
    return Item4(loadItem(address, first, 0u, valid), loadItem(address, first, 1u, valid),
                 loadItem(address, first, 2u, valid), loadItem(address, first, 3u, valid));
}

void storeItems(uint64_t address, uint index, uint valid, Item4 items) {
    uint first = index * kItems;
    storeItem(address, first, 0u, valid, items.x);
    storeItem(address, first, 1u, valid, items.y);
    storeItem(address, first, 2u, valid, items.z);
    storeItem(address, first, 3u, valid, items.w);
}
