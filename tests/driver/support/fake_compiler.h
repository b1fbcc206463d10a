// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/execution/compiler_functions.h"
#include "tests/driver/support/fake_device_port.h"

namespace vnpu::driver::test {

/// Memory for an internal tensor of the device without a requested size.
inline constexpr std::uint64_t kFirstCapacityBytes = 16;

/// A compiler for models of one RELU and any number of unused constants, and the device's part of
/// it. The job adds to each byte of input 0 the first byte of the driver's constants and of each
/// constant pool, by way of the scratch memory.
class FakeCompiler {
  public:
    CompilerFunctions functions();
    static FakeDevicePort::JobFunction jobFunction();

    std::uint64_t scratchBytes = 4096;
    std::uint32_t regionCountToClaim = 0;  // not 0: pads the region list
    bool isDynamic = false;                // the device sizes output 0, and a tensor of its own
    std::uint64_t estimatedCycles = 0;
    std::uint64_t saveBytes = 0;
    std::function<void()> whileCompiling;  // then options.mayGoOn is asked
    std::string refusal;                   // findUnsupported's answer for each operation
    std::vector<CompileOptions> seenOptions;
};

}  // namespace vnpu::driver::test
