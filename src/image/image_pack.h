#pragma once

// What images are made of, for sandbox/pack.h.

#include "image/image.h"

namespace aureole {

template <typename Archive>
void pack(Archive& archive, Channel& channel) {
    archive(channel.name, channel.values);
}

template <typename Archive>
void pack(Archive& archive, TypedAttribute& attribute) {
    archive(attribute.type, attribute.value);
}

template <typename Archive>
void pack(Archive& archive, Image& image) {
    archive(image.width, image.height, image.channels, image.attributes, image.typedAttributes);
}

} // namespace aureole
