// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.2/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/ndk/base/result.h"
#include "sim/ndk/memory/memory.h"

namespace vnpu::sim::ndk {

/// Of the host's steady clock.
using TimePoint = std::chrono::steady_clock::time_point;

/// An input or output of a prepared model: bytes at a pointer or in a memory.
struct Argument {
    bool isAbsent = false;
    std::byte* pointer = nullptr;  // an input's bytes are only read
    SharedMemory memory;           // instead of the pointer, if it is not null
    std::uint32_t offset = 0;      // in the memory; 0 for images and buffers of devices
    std::uint32_t length = 0;      // bytes; 0 for images and buffers of devices
    Dimensions dimensions;         // what the caller knows beyond the model; empty: nothing

    /// Whether it is the memory as a whole, so that offset and length say nothing.
    bool isWhole() const {
        return memory != nullptr && (memory->image() || memory->isDeviceBuffer());
    }
    /// Nothing unless it is a memory from a description.
    MemoryRoles* roles() const { return memory == nullptr ? nullptr : memory->roles(); }
    /// Bytes of the host that the argument has room for; nullptr for a device's buffer.
    std::byte* bytes() const {
        return memory == nullptr            ? pointer
               : memory->bytes() == nullptr ? nullptr
                                            : memory->bytes() + offset;
    }
};

/// One execution.
struct Call {
    std::vector<Argument> inputs;
    std::vector<Argument> outputs;
    bool isMeasured = false;
    std::optional<TimePoint> deadline;
    std::optional<std::chrono::nanoseconds> loopTimeout;
    std::optional<std::chrono::nanoseconds> durationAfterFences;
};

/// What is known of an output.
struct OutputShape {
    Dimensions dimensions;
    bool isSufficient = true;
};

using android::hardware::neuralnetworks::V1_2::Timing;
inline constexpr Timing kNoTiming{UINT64_MAX, UINT64_MAX};

/// The end of an execution. `shapes` has an element for each output, or none if nothing is known.
struct CallOutcome {
    ResultCode code = ANEURALNETWORKS_OP_FAILED;
    std::vector<OutputShape> shapes;
    Timing timing = kNoTiming;  // microseconds
};

struct FencedOutcome {
    ResultCode code = ANEURALNETWORKS_OP_FAILED;
    Timing sinceLaunch = kNoTiming;
    Timing sinceFences = kNoTiming;
};

}  // namespace vnpu::sim::ndk
