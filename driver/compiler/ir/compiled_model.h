// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vnpu::driver {

/// The memory behind a region of a job. A command's MemoryRef::space is an index into
/// CompiledModel::regions.
enum class RegionKind : std::uint8_t {
    kDriverConstants,  // CompiledModel::constants: scale tables, lookup tables, CONSTANT_COPY
                       // values
    kConstantPool,     // index: pool of the model; used in place (MP-2)
    kScratch,          // device memory of scratchBytes for intermediate tensors
    kInput,            // index: model input; exactly its bytes
    kOutput,           // index: model output; exactly its bytes
};

struct Region {
    RegionKind kind = RegionKind::kScratch;
    std::uint32_t index = 0;
    std::uint64_t sizeBytes = 0;
    bool isWritable = false;
};

/// The driver's own expectation for one model operation, from its cost model.
struct OperationEstimate {
    std::uint32_t operation = 0;  // index in main.operations
    std::string name;             // "CONV_2D"
    std::uint64_t cycles = 0;     // on an idle device, of the time from the job's first command to
                                  // the end of its last one; see time_shares.h
    std::uint64_t macs = 0;       // multiply-accumulates of the operation, padding included
    std::uint64_t dramBytes = 0;
    std::uint32_t commands = 0;
    bool isFolded = false;  // became part of its producer or an alias, no commands of its own
};

struct TensorShape {
    std::vector<std::uint32_t> dimensions;
    std::uint64_t sizeBytes = 0;
};

/// A tensor whose dimensions the device determines while it runs.
struct DynamicTensor {
    static constexpr std::uint32_t kInternal = 0xFFFFFFFF;
    std::uint32_t output = kInternal;  // of the model
    std::uint64_t capacityBytes = 0;   // 0 for an output: the request gives it
};

/// A model compiled for one device and one set of input shapes. Immutable; any thread.
struct CompiledModel {
    std::vector<std::byte> commands;
    std::uint32_t commandCount = 0;
    std::vector<Region> regions;
    std::vector<std::byte> constants;
    std::uint64_t scratchBytes = 0;
    std::uint64_t sramBytesUsed = 0;  // high-water mark
    std::uint64_t sramBlocks = 0;     // touched by commands (hw_model/regs/sram_blocks.h)
    /// Shapes of the model's inputs and outputs; a dynamic output has its declared one and 0 bytes.
    std::vector<TensorShape> inputs, outputs;
    /// Their hw::DspShapes stand at the beginning of the scratch memory, in this order, followed by
    /// kSpareBytes for values that have no place yet.
    std::vector<DynamicTensor> dynamicTensors;
    std::vector<OperationEstimate> operations;  // in model order
    std::uint64_t estimatedCycles = 0;          // of the whole job on an idle device
    std::uint32_t checkpointCount = 0;
    std::uint64_t saveBytes = 0;  // of the largest save area that a checkpoint needs
    /// Estimate of the longest time for which a job goes on after it has been asked to make way.
    std::uint64_t longestIntervalCycles = 0;

    static constexpr std::uint64_t kSpareBytes = 64;

    bool isDynamicOutput(std::uint32_t output) const {
        return std::any_of(dynamicTensors.begin(), dynamicTensors.end(),
                           [&](const DynamicTensor& tensor) { return tensor.output == output; });
    }
};

}  // namespace vnpu::driver
