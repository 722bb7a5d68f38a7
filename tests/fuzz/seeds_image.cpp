#include <array>

#include "exr_bytes.h"
#include "film/checkpoint.h"
#include "foreign_exr.h"
#include "foreign_pictures.h"
#include "foreign_png.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "import_files.h"
#include "seeds.h"

namespace aureole::fuzz {

namespace {

Image smallPicture(const std::vector<std::string>& channels) {
    Image image = makeImage(5, 3, channels);
    float value = -1.0F;
    for (Channel& channel : image.channels) {
        for (float& sample : channel.values) {
            sample = value += 0.125F;
        }
    }
    image.attributes["aureole.samples"] = "0:4";
    image.attributes["aureole.bloom"] = "layer '': kernel default";
    return image;
}

void addExrs(const Seeds& seeds) {
    const Image image = smallPicture({"B", "G", "R", "depth.Z"});
    constexpr std::array kCompressions = {ExrCompression::None, ExrCompression::Rle, ExrCompression::Zips,
                                          ExrCompression::Zip, ExrCompression::Piz};
    for (const ExrCompression compression : kCompressions) {
        for (const ExrPixelType type : {ExrPixelType::Float, ExrPixelType::Half}) {
            const std::string name = fmt::format("ours{}{}.exr", static_cast<int>(compression), static_cast<int>(type));
            seeds.add("exr", name, encodeExr(image, {compression, type}, name));
        }
    }
    seeds.add("exr", "bare.exr", testing::ExrFile{}.bytes());
    seeds.add("exr", "zip.exr", testing::toBytes(foreign::kZip));
    seeds.add("exr", "rle.exr", testing::toBytes(foreign::kRle));
    seeds.add("exr", "tiled.exr", testing::toBytes(foreign::kTiled));
    seeds.add("exr", "mip_mapped.exr", testing::toBytes(foreign::kMipMapped));
    seeds.add("exr", "bottom_first.exr", testing::toBytes(foreign::kBottomFirst));
    seeds.add("exr", "window.exr", testing::toBytes(foreign::kWindow));
    seeds.add("exr", "piz.exr", testing::toBytes(foreign::kPiz));
    seeds.add("exr", "pxr24.exr", testing::toBytes(foreign::kPxr24));
    seeds.add("exr", "b44a.exr", testing::toBytes(foreign::kB44a));
    seeds.add("exr", "dwaa.exr", testing::toBytes(foreign::kDwaa));
    seeds.add("exr", "parts.exr", testing::toBytes(foreign::kParts));
}

void addPngs(const Seeds& seeds) {
    for (const std::string target : {"png", "texture", "heightmap"}) {
        seeds.add(target, "rgb8.png", testing::toBytes(foreign::kRgb8));
        seeds.add(target, "rgba16.png", testing::toBytes(foreign::kRgba16));
        seeds.add(target, "grey1.png", testing::toBytes(foreign::kGrey1));
        seeds.add(target, "palette2.png", testing::toBytes(foreign::kPalette2));
        seeds.add(target, "grey_alpha.png", testing::toBytes(foreign::kGreyAlpha8Sub));
        seeds.add(target, "ours.png", encodePng(smallPicture({"R", "G", "B", "A"}), {16, PngTransfer::Srgb}, "ours"));
    }
    seeds.add("heightmap", "zip.exr", testing::toBytes(foreign::kZip));
    seeds.add("heightmap", "bare.exr", testing::ExrFile{}.bytes());
    seeds.add("texture", "picture.jpg", test::makeJpeg(9, 5, 255, 128, 3));
    seeds.add("texture", "dot.jpg", test::makeJpeg(1, 1, 0, 0, 0));
    seeds.add("texture", "rgb.tga", testing::toBytes(foreign::kTgaRgb));
    seeds.add("texture", "rle.tga", testing::toBytes(foreign::kTgaRle));
    seeds.add("texture", "palette.tga", testing::toBytes(foreign::kTgaPalette));
    seeds.add("texture", "rgb.bmp", testing::toBytes(foreign::kBmp24));
    seeds.add("texture", "palette.bmp", testing::toBytes(foreign::kBmpPalette));
    seeds.add("texture", "lossless.webp", testing::toBytes(foreign::kWebPLossless));
    seeds.add("texture", "lossy.webp", testing::toBytes(foreign::kWebPLossy));
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 9\n";
    seeds.add("texture", "flat.hdr", head + std::string(36, '\x7f'));
    seeds.add("texture", "columns.hdr", "#?RADIANCE\n\n+X 3 +Y 3\n" + std::string(36, '\x7f'));
    seeds.add("texture", "old_runs.hdr", "#?RADIANCE\n\n-Y 1 +X 9\n" + std::string(4, '\x7f') + "\x01\x01\x01\x08");
    seeds.add("texture", "runs.hdr", head + std::string("\x02\x02\x00\x09", 4) + "\x89\x80\x89\x40\x89\x20\x89\x81");
}

void addCheckpoints(const Seeds& seeds) {
    Checkpoint checkpoint;
    checkpoint.identity.seed = "0";
    checkpoint.identity.size = "2x1";
    checkpoint.state.samples = {{0, 4}, {8, 12}};
    checkpoint.state.adaptive = true;
    checkpoint.state.activeTiles = {0, 1};
    checkpoint.state.tileSamples = {4, 8};
    checkpoint.state.film.resize(48, std::byte{63});
    checkpoint.state.layers.resize(8, std::byte{1});
    const test::TemporaryFolder folder;
    for (const char* name : {"adaptive.ckpt", "plain.ckpt"}) {
        writeCheckpoint(folder.path() / name, checkpoint);
        seeds.addFile("checkpoint", folder.path() / name);
        checkpoint.state = {{{0, 1}}, false, {}, {}, {}, {}};
    }
}

} // namespace

void addImageSeeds(const Seeds& seeds) {
    addExrs(seeds);
    addPngs(seeds);
    addCheckpoints(seeds);
    // As merge_fuzz.cpp takes them: size, channels, value, samples, attributes.
    const std::string value(4, '\x3f');
    const std::string none(1, '\0');
    const auto part = [&](const char* samples, const std::string& attributes) {
        return std::string("\x01\x01") + none + value + samples + "\n" + attributes + none;
    };
    seeds.add("merge", "two", part("0:4", "") + part("4:8,12:16", ""));
    seeds.add("merge", "crops",
              part("0:4", "\x10"
                          "0,0,2,2\n\x01"
                          "4x2\n") +
                  part("0:4", "\x10"
                              "2,0,4,2\n\x01"
                              "4x2\n"));
    seeds.add("merge", "layers", std::string("\x01\x01\x3f") + value + "0:4\n" + none);
}

} // namespace aureole::fuzz
