// What programs that bloom beside 'aureole bench bloom' share: the task, which they read from a file, and the answer.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

/// A dark picture of three planes with some bright pixels, a square kernel for each plane, and pixels to tell.
struct BloomTask {
    struct Light {
        int x = 0;
        int y = 0;
        float value = 0.0F; ///< in each plane
    };
    struct Sample {
        int plane = 0;
        int x = 0;
        int y = 0;
    };

    std::string uuid; ///< of the device
    int repeats = 0;
    int width = 0;
    int height = 0;
    int kernelSize = 0;
    std::vector<Light> lights;
    std::vector<Sample> samples;
    std::vector<float> kernel; ///< plane after plane

    /// Periods along both axes: even ones without a prime factor above 7 that hold picture and half of the kernel.
    int periodX() const { return smoothEven(width + kernelSize / 2); }
    int periodY() const { return smoothEven(height + kernelSize / 2); }

    /// The picture's planes, one after the other.
    std::vector<float> picture() const {
        std::vector<float> planes(3 * static_cast<std::size_t>(width) * height);
        for (int plane = 0; plane < 3; ++plane) {
            for (const Light& light : lights) {
                planes[(static_cast<std::size_t>(plane) * height + light.y) * width + light.x] += light.value;
            }
        }
        return planes;
    }

    /// The kernels' planes with their middles at the origin, periodic; `stride` floats a row.
    std::vector<float> wrappedKernel(int stride) const {
        const int px = periodX();
        const int py = periodY();
        const int half = kernelSize / 2;
        std::vector<float> planes(3 * static_cast<std::size_t>(stride) * py);
        for (int plane = 0; plane < 3; ++plane) {
            for (int y = 0; y < kernelSize; ++y) {
                for (int x = 0; x < kernelSize; ++x) {
                    const std::size_t from = (static_cast<std::size_t>(plane) * kernelSize + y) * kernelSize + x;
                    const int toX = ((x - half) % px + px) % px;
                    const int toY = ((y - half) % py + py) % py;
                    planes[(static_cast<std::size_t>(plane) * py + toY) * stride + toX] += kernel[from];
                }
            }
        }
        return planes;
    }

    static int smoothEven(int least) {
        for (int n = least + least % 2;; n += 2) {
            int rest = n;
            for (const int prime : {2, 3, 5, 7}) {
                while (rest % prime == 0) {
                    rest /= prime;
                }
            }
            if (rest == 1) {
                return n;
            }
        }
    }
};

inline BloomTask readBloomTask(const char* taskFile, const char* kernelFile) {
    BloomTask task;
    std::ifstream in(taskFile);
    std::size_t lights = 0;
    in >> task.uuid >> task.repeats >> task.width >> task.height >> task.kernelSize >> lights;
    task.lights.resize(lights);
    for (BloomTask::Light& light : task.lights) {
        in >> light.x >> light.y >> light.value;
    }
    std::size_t samples = 0;
    in >> samples;
    task.samples.resize(samples);
    for (BloomTask::Sample& sample : task.samples) {
        in >> sample.plane >> sample.x >> sample.y;
    }
    task.kernel.resize(3 * static_cast<std::size_t>(task.kernelSize) * task.kernelSize);
    std::ifstream kernel(kernelFile, std::ios::binary);
    kernel.read(reinterpret_cast<char*>(task.kernel.data()),
                static_cast<std::streamsize>(task.kernel.size() * sizeof(float)));
    if (!in || !kernel) {
        std::fprintf(stderr, "%s, %s: cannot be read\n", taskFile, kernelFile);
        std::exit(1);
    }
    return task;
}

/// Prints the answer as JSON. Times are in microseconds: from picture to picture, and without padding and cropping.
inline void printBloomAnswer(const BloomTask& task, const std::string& version, const std::string& device, double whole,
                             double core, const std::vector<float>& result) {
    std::printf("{\"version\": \"%s\", \"device\": \"%s\", \"whole\": %.6g, \"core\": %.6g, \"values\": [",
                version.c_str(), device.c_str(), whole, core);
    for (std::size_t i = 0; i < task.samples.size(); ++i) {
        const BloomTask::Sample& at = task.samples[i];
        std::printf(
            "%s%.9g", i > 0 ? ", " : "",
            static_cast<double>(result[(static_cast<std::size_t>(at.plane) * task.height + at.y) * task.width + at.x]));
    }
    std::printf("]}\n");
}
