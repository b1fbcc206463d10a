// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/example_request.h"

#include <fmt/format.h>

#include <algorithm>

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kArgumentAlignment = 4;  // source: NNAPI HAL VTS, offsets of arguments

/// Bytes in front of an output that ends its pool. chosen: no multiple of a burst or a cache line
constexpr std::uint64_t kGuardBytes = 60;

}  // namespace

ExampleRequest::ExampleRequest(const Example& example, PoolKind kind, OutputRoom room) {
    placeInputs(example, kind);
    placeOutputs(example, kind, room);
}

void ExampleRequest::placeInputs(const Example& example, PoolKind kind) {
    std::vector<std::uint64_t> sizes;
    for (const std::uint32_t input : example.main.inputs) {
        const auto& data = example.main.operands[input].data;
        sizes.push_back(data ? data->size() : 0);
    }
    const RequestPool pool = RequestPool::create(sizes, kArgumentAlignment, kind);
    appendPool(request_, pool.memory());
    request_.inputs.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto& data = example.main.operands[example.main.inputs[i]].data;
        if (data) {
            request_.inputs[i] = pool.requestArgument(i, 0);
            std::copy(data->begin(), data->end(), pool.argument(i).begin());
        } else {
            request_.inputs[i].hasNoValue = true;
        }
    }
}

void ExampleRequest::placeOutputs(const Example& example, PoolKind kind, OutputRoom room) {
    std::vector<std::uint64_t> sizes;
    for (const std::uint32_t output : example.main.outputs) {
        // Even an empty result gets an argument with memory.
        sizes.push_back(std::max<std::size_t>(example.main.operands[output].data->size(), 1));
    }
    if (room == OutputRoom::kTight) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            addOutputPool({kGuardBytes, sizes[i]}, kind);
            outputs_.push_back({i, 1});
        }
    } else {
        addOutputPool(sizes, kind);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            outputs_.push_back({0, i});
        }
    }
    request_.outputs.resize(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto pool = static_cast<std::uint32_t>(outputs_[i].pool + 1);
        request_.outputs[i] =
                outputPools_[outputs_[i].pool].requestArgument(outputs_[i].argument, pool);
    }
    if (room == OutputRoom::kShort) {
        --request_.outputs[0].location.length;
    }
}

void ExampleRequest::addOutputPool(const std::vector<std::uint64_t>& sizes, PoolKind kind) {
    outputPools_.push_back(RequestPool::create(sizes, kArgumentAlignment, kind));
    const auto bytes = outputPools_.back().bytes();
    std::fill(bytes.begin(), bytes.end(), kUnwritten);
    appendPool(request_, outputPools_.back().memory());
}

std::span<const std::byte> ExampleRequest::output(std::size_t index) const {
    return outputPools_[outputs_[index].pool].argument(outputs_[index].argument);
}

std::string ExampleRequest::findStrayByte() const {
    for (std::size_t pool = 0; pool < outputPools_.size(); ++pool) {
        const auto bytes = outputPools_[pool].bytes();
        std::vector<bool> isOutput(bytes.size());
        for (const auto& output : request_.outputs) {
            if (output.location.poolIndex == pool + 1) {
                std::fill_n(isOutput.begin() + output.location.offset, output.location.length,
                            true);
            }
        }
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            if (!isOutput[at] && bytes[at] != kUnwritten) {
                return fmt::format("byte {} of output pool {} was written, no output lies there",
                                   at, pool);
            }
        }
    }
    return "";
}

}  // namespace vnpu::sim
