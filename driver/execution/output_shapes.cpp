// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/output_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace vnpu::driver {

namespace {

/// Checks the dimensions that a request gives for an output; 0 stands for an unknown dimension on
/// either side.
Result<void> checkOutputDimensions(std::size_t output, const std::vector<std::uint32_t>& asked,
                                   const std::vector<std::uint32_t>& actual) {
    if (!combineDimensions(asked, actual)) {
        return invalidArgument(fmt::format("output {} is {}, but the request gives {}", output,
                                           fmt::join(actual, "x"), fmt::join(asked, "x")));
    }
    return {};
}

}  // namespace

Result<void> checkOutputShapes(const OutputShapes& shapes, const BoundRequest& request) {
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        VNPU_TRY(checkOutputDimensions(i, request.outputs[i].dimensions, shapes[i].dimensions));
    }
    return {};
}

Result<void> checkAgainstCompiled(const CompiledModel& compiled, const BoundRequest& request) {
    if (compiled.inputs.size() != request.inputs.size() ||
        compiled.outputs.size() != request.outputs.size()) {
        return fail(ErrorStatus::GENERAL_FAILURE,
                    "compiled model has other inputs or outputs than the model");
    }
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const BoundArgument& input = request.inputs[i];
        if (!input.hasNoValue && input.lengthBytes != compiled.inputs[i].sizeBytes) {
            return invalidArgument(fmt::format("input {} has {} bytes, expected {}", i,
                                               input.lengthBytes, compiled.inputs[i].sizeBytes));
        }
    }
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        VNPU_TRY(checkOutputDimensions(i, request.outputs[i].dimensions,
                                       compiled.outputs[i].dimensions));
    }
    return {};
}

OutputShapes shapesOf(const CompiledModel& compiled, const BoundRequest& request) {
    OutputShapes shapes(compiled.outputs.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i].dimensions = compiled.outputs[i].dimensions;
        shapes[i].isSufficient = request.outputs[i].hasNoValue ||
                                 compiled.isDynamicOutput(static_cast<std::uint32_t>(i)) ||
                                 request.outputs[i].lengthBytes >= compiled.outputs[i].sizeBytes;
    }
    return shapes;
}

ShapeFindings readShapes(const CompiledModel& compiled, const std::vector<hw::DspShape>& shapes,
                         const BoundRequest& request, OutputShapes& outputs) {
    ShapeFindings findings;
    std::vector<std::uint64_t> capacities;
    bool isMoreNeeded = false;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const DynamicTensor& tensor = compiled.dynamicTensors[i];
        const hw::DspShape& shape = shapes[i];
        const bool isTooLarge = shape.state == hw::kShapeTooLarge;
        capacities.push_back(tensor.capacityBytes);
        if (tensor.output == DynamicTensor::kInternal) {
            if (isTooLarge) {
                isMoreNeeded = true;
                // chosen: a quarter more, so that growing results do not cause a compilation each
                // time
                capacities.back() = shape.neededBytes + shape.neededBytes / 4;
            }
            continue;
        }
        if (shape.state == hw::kShapeUnknown) {
            continue;
        }
        const std::uint32_t rank = std::min<std::uint32_t>(shape.rank, hw::kMaxTensorRank);
        const Dimensions dimensions(shape.dimensions, shape.dimensions + rank);
        outputs[tensor.output].dimensions = dimensions;
        const BoundArgument& argument = request.outputs[tensor.output];
        if (argument.buffer != nullptr && argument.memory == nullptr) {
            findings.claims.push_back({tensor.output, dimensions});
        } else if (isTooLarge) {
            outputs[tensor.output].isSufficient = false;
            findings.isOutputTooSmall = true;
        }
    }
    if (isMoreNeeded) {
        findings.capacities = std::move(capacities);
    }
    return findings;
}

}  // namespace vnpu::driver
