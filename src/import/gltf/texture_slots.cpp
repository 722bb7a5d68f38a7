#include "import/gltf/texture_slots.h"

#include <cmath>
#include <functional>
#include <memory>

#include "core/error.h"
#include "image/pictures/foreign_picture.h"
#include "import/gltf/container.h"
#include "import/pictures/texture_file.h"

namespace aureole::gltf {

namespace {

Wrap readWrap(const JsonValue& sampler, const char* key) {
    constexpr std::uint64_t kRepeat = 10497;
    constexpr std::uint64_t kMirror = 33648;
    constexpr std::uint64_t kClamp = 33071;
    const std::uint64_t mode = sampler.unsignedOr(key, kRepeat);
    if (mode != kRepeat && mode != kMirror && mode != kClamp) {
        fail(ExitCode::BadInput, "{}/{}: found {}, expected {} (clamp), {} (mirror) or {} (repeat)", sampler.place(),
             key, mode, kClamp, kMirror, kRepeat);
    }
    return mode == kRepeat ? Wrap::Repeat : (mode == kMirror ? Wrap::Mirror : Wrap::Clamp);
}

void readSampler(const JsonValue& sampler, TextureSlot& slot) {
    constexpr std::uint64_t kNearest = 9728;
    slot.wrap = {readWrap(sampler, "wrapS"), readWrap(sampler, "wrapT")};
    slot.nearest = sampler.unsignedOr("magFilter", 0) == kNearest;
}

/// Translation * rotation * scale. The rotation is counter-clockwise with v running downwards, as the samples and the
/// implementations have it; the matrix printed in the first text of the extension turns the other way.
void readTransform(const JsonValue& transform, TextureSlot& slot) {
    const std::optional<JsonValue> offset = transform.find("offset");
    const std::optional<JsonValue> scale = transform.find("scale");
    const glm::vec2 t(offset ? offset->vec2() : glm::dvec2(0.0));
    const glm::vec2 s(scale ? scale->vec2() : glm::dvec2(1.0));
    const double angle = transform.numberOr("rotation", 0.0);
    const auto sine = static_cast<float>(std::sin(angle));
    const auto cosine = static_cast<float>(std::cos(angle));
    slot.transform = glm::mat3(cosine * s.x, -sine * s.x, 0.0F, sine * s.y, cosine * s.y, 0.0F, t.x, t.y, 1.0F);
}

TextureLibrary::Decode prepareImage(const Document& document, std::size_t index) {
    const JsonValue image = document.element("images", index);
    const std::string name = fmt::format("{}: {}", document.name(), image.pointer());
    const std::optional<JsonValue> uri = image.find("uri");
    if (!uri) {
        const std::size_t view = image["bufferView"].index(document.count("bufferViews"), "buffer view");
        return [bytes = document.bufferView(view), name] { return decodeTexture(bytes, name); };
    }
    std::vector<std::byte> bytes;
    if (uri->text().rfind("data:", 0) == 0) {
        bytes = decodeDataUri(uri->text(), uri->place());
    } else {
        const std::string path = decodePercent(uri->text(), uri->place());
        bytes = document.reader().read(document.reader().resolve(path, uri->pointer()));
    }
    return [shared = std::make_shared<const std::vector<std::byte>>(std::move(bytes)),
            label = uri->text().rfind("data:", 0) == 0 ? name : name + " (" + uri->text() + ")"] {
        return decodeTexture(*shared, label);
    };
}

/// The index of a texture's picture: as WebP where it has one, else as PNG or JPEG.
JsonValue pictureOf(const JsonValue& texture) {
    const std::optional<JsonValue> webp = texture.extension("EXT_texture_webp");
    const std::optional<JsonValue> source = webp && webp->has("source") ? webp->find("source") : texture.find("source");
    if (!source) {
        const bool isKtx = texture.extension("KHR_texture_basisu").has_value();
        fail(ExitCode::BadInput, "{}: found {}, expected a PNG, JPEG or WebP picture{}{}", texture.place(),
             isKtx ? "a KTX2 picture alone" : "no picture", isKtx ? ": " : "", isKtx ? kKtxAdvice : "");
    }
    return *source;
}

/// What a picture becomes where its red is a share: the rest of that in blue, and the others 1.
Texture masked(Texture texture) {
    texture.light.clear();
    for (std::size_t i = 0; i < texture.rgba.size(); i += 4) {
        const auto rest = static_cast<std::uint8_t>(255 - texture.rgba[i]);
        texture.rgba[i] = texture.rgba[i + 1] = texture.rgba[i + 3] = 255;
        texture.rgba[i + 2] = rest;
    }
    return texture;
}

/// `add` puts an image of the document into a library, and gives its index there.
TextureSlot readSlot(const Document& document, const JsonValue& info,
                     const std::function<std::uint32_t(std::size_t)>& add) {
    TextureSlot slot;
    const JsonValue texture = document.follow(info["index"], "textures", "texture");
    const std::size_t image = pictureOf(texture).index(document.count("images"), "image");
    slot.texture = add(image);
    if (const std::optional<JsonValue> sampler = texture.find("sampler")) {
        readSampler(document.follow(*sampler, "samplers", "sampler"), slot);
    }
    std::uint64_t uvSet = info.unsignedOr("texCoord", 0);
    if (const std::optional<JsonValue> transform = info.extension("KHR_texture_transform")) {
        readTransform(*transform, slot);
        uvSet = transform->unsignedOr("texCoord", uvSet);
    }
    constexpr std::uint64_t kLargestSet = 255;
    if (uvSet > kLargestSet) {
        fail(ExitCode::BadInput, "{}: found texture coordinate set {}, expected 0 to {}", info.place(), uvSet,
             kLargestSet);
    }
    slot.uvSet = static_cast<std::uint32_t>(uvSet);
    return slot;
}

} // namespace

TextureSlot readTextureSlot(const Document& document, const JsonValue& info, bool srgb, TextureLibrary& library) {
    TextureSlot slot = readSlot(document, info, [&](std::size_t image) {
        return library.add(std::to_string(image), [&] { return prepareImage(document, image); });
    });
    slot.srgb = srgb;
    return slot;
}

TextureSlot readMaskSlot(const Document& document, const JsonValue& info, TextureLibrary& library) {
    return readSlot(document, info, [&](std::size_t image) {
        return library.add(fmt::format("mask {}", image), [&]() -> TextureLibrary::Decode {
            return [decode = prepareImage(document, image)] { return masked(decode()); };
        });
    });
}

} // namespace aureole::gltf
