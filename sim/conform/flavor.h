// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "driver/validation/hal_version.h"
#include "sim/client/model_runner.h"
#include "sim/client/pool_memory.h"
#include "sim/conform/vector_file.h"
#include "sim/interrupt/interruption.h"

namespace vnpu::sim {

/// The interface that the client calls.
enum class ClientInterface {
    kHal,
    kNdk,  // NNAPI's C interface
};

/// The place of inputs and outputs.
enum class MemoryKind {
    kPools,     // in memory of the client
    kDomains,   // in buffers of the device
    kPointers,  // in memory of the client, passed by pointer, and so are all constants: C interface
};

/// The description of the outputs in model and request.
enum class OutputKind {
    kExact,    // shapes in the model, memory for them
    kDynamic,  // shapes are left open: the driver reports them
    kTight,    // each output ends with its pool
    kShort,    // shapes are left open, and the first output lacks a byte: the driver reports
               // all shapes, and a second request has room
};

/// A way to run an example: all choices of the client.
struct Flavor {
    ClientInterface interface = ClientInterface::kHal;
    ExecutionPath path = ExecutionPath::kSync;
    driver::HalVersion hal = driver::HalVersion::k13;
    MemoryKind memory = MemoryKind::kPools;
    PoolKind pools = PoolKind::kAshmem;
    OutputKind outputs = OutputKind::kExact;
    bool isCached = false;    // execute the model from the compilation cache
    bool isMeasured = false;  // MeasureTiming::YES
    bool isCoupled = false;   // as TENSOR_QUANT8_ASYMM and as ..._SIGNED, with equal outcomes
    Interruption interruption = Interruption::kNone;  // of a second execution, with the same
                                                      // outcome

    bool leavesOutputsOpen() const {
        return outputs == OutputKind::kDynamic || outputs == OutputKind::kShort;
    }
};

const char* nameOf(ExecutionPath path);
const char* nameOf(MemoryKind kind);
const char* nameOf(OutputKind kind);

inline constexpr ExecutionPath kExecutionPaths[] = {ExecutionPath::kSync, ExecutionPath::kAsync,
                                                    ExecutionPath::kFenced, ExecutionPath::kBurst};
inline constexpr driver::HalVersion kHalVersions[] = {
        driver::HalVersion::k10, driver::HalVersion::k11, driver::HalVersion::k12,
        driver::HalVersion::k13};

/// "async, HAL 1.2, mmap_fd, cache": path and interface, then the differences from the default.
std::string describe(const Flavor& flavor);

/// Why the interface has no such flavor, or empty.
std::string contradictionIn(const Flavor& flavor);

/// Every path of an interface, in every HAL version, in the plain flavor and in each that differs
/// in one way; the latest version first.
std::vector<Flavor> allFlavors(ClientInterface interface = ClientInterface::kHal);

/// Why the example does not apply in the flavor, or empty.
std::string reasonToOmit(const Example& example, const Flavor& flavor);

}  // namespace vnpu::sim
