// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace vnpu::fuzz {

/// A part of the program that parses untrusted bytes. Every input must be handled without a crash;
/// a target may assert more.
struct Target {
    std::string_view name;  // also the name of its folder below corpus/
    void (*run)(std::span<const uint8_t> input);
};

extern const Target kBurst;         // packets, slots and counters of a burst
extern const Target kMessageQueue;  // descriptors, counters and operations of queues
extern const Target kCall;          // arguments and results of every method
extern const Target kConnection;    // messages of a peer at a service's socket
extern const Target kMediaFile;     // pictures, sounds, arrays and model metadata
extern const Target kOnnxFile;      // models in .onnx files
extern const Target kTfliteFile;    // models in .tflite files
extern const Target kNdkCalls;      // sequences of calls of NNAPI's C interface
extern const Target kPciProxy;      // messages of QEMU to the PCI function
extern const Target kRecording;     // recordings of a device's traffic
extern const Target kWeightBlock;   // coded weights in memory

inline constexpr const Target* kTargets[] = {
        &kBurst,    &kMessageQueue, &kCall,     &kConnection, &kMediaFile,  &kNdkCalls,
        &kOnnxFile, &kTfliteFile,   &kPciProxy, &kRecording,  &kWeightBlock};

/// Aborts the process, which reports the fault to the fuzzer.
inline void require(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "fuzz: %s\n", what);
        std::abort();
    }
}

}  // namespace vnpu::fuzz
