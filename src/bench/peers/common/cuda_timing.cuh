// What programs of CUDA peers share: the device that aureole was measured on, and times.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define EXPECT_CUDA(call) expectCuda((call), #call)

inline void expectCuda(cudaError_t status, const char* call) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
        std::exit(1);
    }
}

/// Takes the device of these 32 hexadecimal digits, and returns its name and the version of CUDA. Ends with status 3
/// where there is none.
inline std::string takeDevice(const std::string& uuid) {
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(3);
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        EXPECT_CUDA(cudaGetDeviceProperties(&properties, i));
        std::string digits;
        for (const char byte : properties.uuid.bytes) {
            char text[3];
            std::snprintf(text, sizeof(text), "%02x", static_cast<unsigned char>(byte));
            digits += text;
        }
        if (digits == uuid) {
            EXPECT_CUDA(cudaSetDevice(i));
            int version = 0;
            EXPECT_CUDA(cudaRuntimeGetVersion(&version));
            return std::string(properties.name) + ", CUDA " + std::to_string(version / 1000) + "." +
                   std::to_string(version % 1000 / 10);
        }
    }
    std::fprintf(stderr, "found no CUDA device with the UUID %s\n", uuid.c_str());
    std::exit(3);
}

template <typename T>
T* allocate(std::size_t count) {
    T* memory = nullptr;
    EXPECT_CUDA(cudaMalloc(reinterpret_cast<void**>(&memory), count * sizeof(T)));
    return memory;
}

/// The microseconds of one run of `work` in chains of so many, from the shortest, once the device has warmed up for 300
/// ms.
template <typename Work>
std::vector<double> microseconds(int repeats, int chain, const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    do {
        work();
        EXPECT_CUDA(cudaDeviceSynchronize());
    } while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(300));
    cudaEvent_t first{};
    cudaEvent_t last{};
    EXPECT_CUDA(cudaEventCreate(&first));
    EXPECT_CUDA(cudaEventCreate(&last));
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        EXPECT_CUDA(cudaEventRecord(first));
        for (int run = 0; run < chain; ++run) {
            work();
        }
        EXPECT_CUDA(cudaEventRecord(last));
        EXPECT_CUDA(cudaEventSynchronize(last));
        float milliseconds = 0.0F;
        EXPECT_CUDA(cudaEventElapsedTime(&milliseconds, first, last));
        times.push_back(1000.0 * milliseconds / chain);
    }
    std::sort(times.begin(), times.end());
    return times;
}

template <typename Work>
double medianMicroseconds(int repeats, int chain, const Work& work) {
    const std::vector<double> times = microseconds(repeats, chain, work);
    const std::size_t middle = times.size() / 2;
    return times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2.0;
}
