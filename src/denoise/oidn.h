#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "denoise/denoise.h"
#include "denoise/oidn_library.h"
#include "settings/film.h"

namespace aureole {

/// Intel's Open Image Denoise (openimagedenoise.org): a neural network for path-traced pictures, on the CPU or a GPU.
/// For one thread at a time.
class Oidn {
public:
    /// Opens its library (oidn_library.h) and a device: the GPU of that UUID (32 hexadecimal digits), where the library
    /// can use it, else the CPU, as where no UUID is given. Before version 2.3, Fast is Balanced. Null where the
    /// library is not installed. Throws Error (Usage) where the library is damaged or of another version than 2,
    /// (NoDevice) where no device works.
    static std::unique_ptr<Oidn> open(const std::string& gpuUuid, DenoiseQuality quality);

    ~Oidn();
    Oidn(const Oidn&) = delete;
    Oidn& operator=(const Oidn&) = delete;
    Oidn(Oidn&&) = delete;
    Oidn& operator=(Oidn&&) = delete;

    /// "Open Image Denoise 2.3.0 on the CPU, high quality".
    const std::string& name() const { return name_; }
    /// The time of all filters so far, of albedo and normals too, without what is set up and transferred.
    double milliseconds() const { return milliseconds_; }

    /// The input with its albedo and its normal denoised, each by itself, as denoise() expects them. Normals without an
    /// albedo are left out: the filter cannot use them. Throws Error (OutOfMemory, Internal).
    DenoiseInput withCleanFeatures(DenoiseInput input);

    /// The colours denoised with the help of clean albedo and normal, as far as they are there; 3 floats a pixel. All
    /// of the input is finite; its halves and its depth are not used. Throws Error (OutOfMemory, Internal).
    std::vector<float> denoise(const DenoiseInput& clean);

private:
    using Plane = std::pair<const char*, const std::vector<float>*>;
    struct Options {
        bool hdr = false;
        bool cleanAux = false;
    };

    Oidn(OidnLibrary library, DenoiseQuality quality);
    bool openDevice(OidnDeviceObject* device);
    void checkVersion(OidnDeviceObject* device) const;
    void checkError() const;
    std::vector<float> run(std::uint32_t width, std::uint32_t height, const std::vector<Plane>& planes,
                           const Options& options);

    OidnLibrary library_;
    DenoiseQuality quality_;
    OidnDeviceObject* device_ = nullptr;
    std::string failure_; ///< why the last device could not be opened
    std::string name_;
    double milliseconds_ = 0.0;
};

} // namespace aureole
