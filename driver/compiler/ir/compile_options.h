// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace vnpu::driver {

/// The mapped bytes of one pool of the model. Valid while the pool stays mapped.
using PoolView = std::span<const std::byte>;

/// The rows of an image that holds an input or output of the model, with gaps between them.
struct ImageRows {
    std::uint64_t rowBytes = 0;     // of the operand, in each row
    std::uint64_t strideBytes = 0;  // from row to row
    std::uint64_t rowCount = 0;

    /// With the gaps.
    std::uint64_t sizeBytes() const { return rowCount * strideBytes; }
    bool operator==(const ImageRows&) const = default;
};

struct CompileOptions {
    /// Dimensions of the model's inputs where the model leaves them open (one entry per input,
    /// empty: as in the model).
    std::vector<std::vector<std::uint32_t>> inputDimensions = {};
    /// Inputs and outputs that the request leaves out (none: empty).
    std::vector<bool> omittedInputs = {};
    std::vector<bool> omittedOutputs = {};
    /// Inputs and outputs that lie in images with gaps between the rows (none: empty).
    std::vector<std::optional<ImageRows>> inputImages = {};
    std::vector<std::optional<ImageRows>> outputImages = {};
    /// Bytes for each of CompiledModel::dynamicTensors, after a job found the first guess too
    /// small. 0, and an index beyond the end, mean the first guess.
    std::vector<std::uint64_t> capacities = {};
    /// Operations that run whole on the DSP, although a lowering makes tiles of them, because no
    /// tile fits the SRAM.
    std::vector<std::uint32_t> wholeOperations = {};
    /// Expected cycles between two points at which the stream can be preempted; 0: no such points.
    std::uint64_t checkpointCycles = 0;
    /// Called between the stages; the compilation ends if it returns false. May be empty.
    std::function<bool()> mayGoOn = {};
};

}  // namespace vnpu::driver
