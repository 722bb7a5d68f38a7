#include "image/alpha.h"

namespace aureole {

namespace {

template <typename Change>
void changeColours(Image& image, Change change) {
    const Channel* const alpha = image.find("A");
    if (alpha == nullptr) {
        return;
    }
    for (const char* name : {"R", "G", "B"}) {
        if (Channel* channel = image.find(name)) {
            for (std::size_t i = 0; i < alpha->values.size(); ++i) {
                channel->values[i] = change(channel->values[i], alpha->values[i]);
            }
        }
    }
}

} // namespace

void unassociateAlpha(Image& image) {
    changeColours(image, [](float value, float alpha) { return alpha > 0.0F ? value / alpha : value; });
}

void associateAlpha(Image& image) {
    changeColours(image, [](float value, float alpha) { return value * alpha; });
}

} // namespace aureole
