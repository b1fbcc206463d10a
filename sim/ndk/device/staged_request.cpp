// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/device/staged_request.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "driver/validation/operand_types.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::sim::ndk {

using nn::V1_0::RequestArgument;

namespace {

constexpr std::uint64_t kAlignment = 64;  // chosen: a cache line

/// A request has no arguments of length 0, so that one gets a byte.
std::uint64_t stagedLength(const Argument& argument) {
    return std::max<std::uint64_t>(argument.length, 1);
}

bool hasElements(const Dimensions& dimensions) {
    return std::find(dimensions.begin(), dimensions.end(), 0U) == dimensions.end();
}

/// The bytes of output `index` that the execution has written.
std::uint32_t resultLength(const Argument& output, nn::V1_3::OperandType type,
                           const CallOutcome& outcome, std::size_t index) {
    const auto bytes = index < outcome.shapes.size()
                               ? driver::sizeOfData(type, outcome.shapes[index].dimensions)
                               : std::nullopt;
    return std::min(output.length, bytes.value_or(output.length));
}

}  // namespace

bool StagedRequest::isStaged(const Argument& argument) {
    return !argument.isAbsent &&
           (argument.memory == nullptr || (argument.length == 0 && !argument.isWhole()));
}

std::uint32_t StagedRequest::poolOf(const SharedMemory& memory) {
    const auto found = std::find(memories_.begin(), memories_.end(), memory);
    const auto index = static_cast<std::uint32_t>(found - memories_.begin());
    if (found == memories_.end()) {
        memories_.push_back(memory);
    }
    return index;
}

void StagedRequest::place(const std::vector<Argument>& arguments,
                          android::hardware::hidl_vec<RequestArgument>& placed) {
    placed.resize(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Argument& argument = arguments[i];
        RequestArgument& to = placed[i];
        to.hasNoValue = argument.isAbsent;
        if (argument.isAbsent) {
            continue;
        }
        to.dimensions = argument.dimensions;
        if (isStaged(argument)) {
            to.location = {0, static_cast<std::uint32_t>(stagedBytes_),
                           static_cast<std::uint32_t>(stagedLength(argument))};
            stagedBytes_ = hw::roundUp(stagedBytes_ + stagedLength(argument), kAlignment);
        } else {
            to.location = {poolOf(argument.memory), argument.offset, argument.length};
        }
    }
}

void StagedRequest::fillPools() {
    request_.pools.resize(memories_.size());
    for (std::size_t i = 0; i < memories_.size(); ++i) {
        if (memories_[i]->isDeviceBuffer()) {
            request_.pools[i].token(memories_[i]->token());
        } else {
            request_.pools[i].hidlMemory(memories_[i]->borrow());
        }
    }
}

Result<StagedRequest> StagedRequest::create(const Call& call, StagingPool& staging) {
    StagedRequest staged(call);
    const bool needsStaging = std::any_of(call.inputs.begin(), call.inputs.end(), isStaged) ||
                              std::any_of(call.outputs.begin(), call.outputs.end(), isStaged);
    if (needsStaging) {
        staged.memories_.emplace_back();  // pool 0, once its size is known
    }
    staged.place(call.inputs, staged.request_.inputs);
    staged.place(call.outputs, staged.request_.outputs);
    if (staged.stagedBytes_ > UINT32_MAX) {
        return failed(ANEURALNETWORKS_OUT_OF_MEMORY,
                      "arguments take {} bytes, expected below 4 GiB", staged.stagedBytes_);
    }
    if (needsStaging) {
        VNPU_TRY_ASSIGN(staged.memories_[0], staging.borrow(staged.stagedBytes_));
        std::byte* const bytes = staged.memories_[0]->bytes();
        for (std::size_t i = 0; i < call.inputs.size(); ++i) {
            const Argument& input = call.inputs[i];
            if (isStaged(input) && input.length != 0) {
                std::memcpy(bytes + staged.request_.inputs[i].location.offset, input.bytes(),
                            input.length);
            }
        }
    }
    staged.fillPools();
    return staged;
}

void StagedRequest::takeOutputs(const nn::V1_3::Subgraph& graph, CallOutcome& outcome) const {
    if (outcome.code != ANEURALNETWORKS_NO_ERROR) {
        return;
    }
    for (std::size_t i = 0; i < call_->outputs.size(); ++i) {
        const Argument& output = call_->outputs[i];
        if (!isStaged(output)) {
            continue;
        }
        if (output.length != 0) {
            const nn::V1_3::OperandType type = graph.operands[graph.outputIndexes[i]].type;
            std::memcpy(output.bytes(), memories_[0]->bytes() + request_.outputs[i].location.offset,
                        resultLength(output, type, outcome, i));
        } else if (i < outcome.shapes.size() && hasElements(outcome.shapes[i].dimensions)) {
            outcome.shapes[i].isSufficient = false;
            outcome.code = ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
        }
    }
}

}  // namespace vnpu::sim::ndk
