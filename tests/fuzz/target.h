// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace vnpu::fuzz {

/// What foreign bytes are made of them by one part of the program. Any input has to come to an end
/// without a crash, and to keep what the target asserts besides.
struct Target {
    std::string_view name;  // and that of its folder below corpus/
    void (*run)(std::span<const uint8_t> input);
};

extern const Target kBurst;         // packets, slots and counters of a burst
extern const Target kMessageQueue;  // descriptors, counters and operations of queues
extern const Target kCall;          // arguments and results of every method
extern const Target kConnection;    // what a peer says to a service's socket

inline constexpr const Target* kTargets[] = {&kBurst, &kMessageQueue, &kCall, &kConnection};

/// Ends the process, which is how a fuzzer learns of a fault.
inline void require(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "fuzz: %s\n", what);
        std::abort();
    }
}

}  // namespace vnpu::fuzz
