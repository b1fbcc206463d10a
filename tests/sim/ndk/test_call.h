// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/ndk/device/call.h"

namespace vnpu::test {

/// The values of a test as an argument.
template <typename T>
sim::ndk::Argument at(std::vector<T>& values) {
    sim::ndk::Argument argument;
    argument.pointer = reinterpret_cast<std::byte*>(values.data());
    argument.length = static_cast<std::uint32_t>(values.size() * sizeof(T));
    return argument;
}

inline sim::ndk::Call callWith(std::vector<sim::ndk::Argument> inputs,
                               std::vector<sim::ndk::Argument> outputs) {
    sim::ndk::Call call;
    call.inputs = std::move(inputs);
    call.outputs = std::move(outputs);
    return call;
}

}  // namespace vnpu::test
