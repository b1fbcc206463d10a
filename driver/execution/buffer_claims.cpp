// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/buffer_claims.h"

#include <fmt/format.h>

#include <utility>

#include "driver/execution/hal_status.h"

namespace vnpu::driver {

BufferClaims::~BufferClaims() {
    for (const auto& buffer : read_) {
        buffer->endRead();
    }
    for (const auto& buffer : written_) {
        buffer->endWrite(false);
    }
}

Result<void> BufferClaims::claimInputs(BoundRequest& request) {
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        BoundArgument& input = request.inputs[i];
        if (input.buffer == nullptr) {
            continue;
        }
        auto contents = input.buffer->beginRead();
        if (!contents) {
            return failAt(fmt::format("input {}", i), contents.error());
        }
        read_.push_back(input.buffer);
        if (auto combined = combineDimensions(contents->dimensions, input.dimensions); !combined) {
            return failAt(fmt::format("input {}: shape of the buffer's contents", i),
                          combined.error());
        }
        input.memory = std::move(contents->memory);
        input.lengthBytes = contents->sizeBytes;
        input.dimensions = std::move(contents->dimensions);
    }
    return {};
}

Result<void> BufferClaims::claimOutputs(BoundRequest& request, const CompiledModel& compiled) {
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
        const BoundArgument& output = request.outputs[i];
        const bool isClaimed = output.memory != nullptr;
        if (output.buffer != nullptr && !isClaimed &&
            !compiled.isDynamicOutput(static_cast<std::uint32_t>(i))) {
            VNPU_TRY(claimOutput(request, i, compiled.outputs[i].dimensions));
        }
    }
    return {};
}

Result<void> BufferClaims::claimOutput(BoundRequest& request, std::size_t index,
                                       const Dimensions& dimensions) {
    BoundArgument& output = request.outputs[index];
    auto contents = output.buffer->beginWrite(dimensions);
    if (!contents) {
        return failAt(fmt::format("output {}", index), contents.error());
    }
    written_.push_back(output.buffer);
    output.memory = std::move(contents->memory);
    output.lengthBytes = contents->sizeBytes;
    return {};
}

void BufferClaims::confirm() {
    for (const auto& buffer : written_) {
        buffer->endWrite(true);
    }
    written_.clear();
}

void invalidateOutputs(const BoundRequest& request) {
    for (const BoundArgument& output : request.outputs) {
        if (output.buffer != nullptr) {
            output.buffer->invalidate();
        }
    }
}

}  // namespace vnpu::driver
