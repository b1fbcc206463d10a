// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/example_memory.h"

#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"

namespace vnpu::sim {

namespace {

using android::sp;
using android::hardware::hidl_vec;

constexpr nn::ErrorStatus kNoCopy = nn::ErrorStatus::GENERAL_FAILURE;

enum class Direction { kInput, kOutput };

tl::expected<AllocateResult, std::string> allocate(ClientContext& context,
                                                   const sp<nn::IPreparedModel>& preparedModel,
                                                   Direction direction, std::uint32_t index) {
    const hidl_vec<nn::BufferRole> role{
            nn::BufferRole{.modelIndex = 0, .ioIndex = index, .frequency = 1.0F}};
    const hidl_vec<nn::BufferRole> none;
    const bool isInput = direction == Direction::kInput;
    const AllocateResult answer =
            allocateBuffer(context, {preparedModel}, isInput ? role : none, isInput ? none : role);
    if (answer.status != nn::ErrorStatus::NONE || answer.buffer == nullptr || answer.token == 0) {
        return tl::unexpected(fmt::format(
                "allocate for {} {}: {}, token {}, expected NONE and a buffer",
                isInput ? "input" : "output", index, nameOf(answer.status), answer.token));
    }
    return answer;
}

class PooledMemory : public ExampleMemory {
  public:
    PooledMemory(const Example& example, PoolKind kind, OutputRoom room)
        : request_(example, kind, room) {}

    const nn::Request& request() const override { return request_.request(); }
    tl::expected<std::vector<std::byte>, std::string> output(std::size_t index) const override {
        const auto bytes = request_.output(index);
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    std::string findDamage() const override { return request_.findStrayByte(); }

  private:
    ExampleRequest request_;
};

class DomainMemory : public ExampleMemory {
  public:
    explicit DomainMemory(PoolKind kind) : kind_(kind) {}

    /// The error, or empty.
    std::string fillInputs(ClientContext& context, const Example& example,
                           const sp<nn::IPreparedModel>& preparedModel) {
        request_.inputs.resize(example.main.inputs.size());
        for (std::uint32_t i = 0; i < example.main.inputs.size(); ++i) {
            const auto& data = example.main.operands[example.main.inputs[i]].data;
            if (!data) {
                request_.inputs[i].hasNoValue = true;
                continue;
            }
            const auto buffer = allocate(context, preparedModel, Direction::kInput, i);
            if (!buffer) {
                return buffer.error();
            }
            const nn::ErrorStatus status = copyIn(*buffer, *data);
            if (status != nn::ErrorStatus::NONE) {
                return fmt::format("copyFrom to input {}: {}, expected NONE", i, nameOf(status));
            }
            request_.inputs[i].location.poolIndex = append(*buffer);
        }
        return "";
    }

    /// Empty, or what went wrong.
    std::string addOutputs(ClientContext& context, const Example& example,
                           const sp<nn::IPreparedModel>& preparedModel) {
        request_.outputs.resize(example.main.outputs.size());
        for (std::uint32_t i = 0; i < example.main.outputs.size(); ++i) {
            const auto buffer = allocate(context, preparedModel, Direction::kOutput, i);
            if (!buffer) {
                return buffer.error();
            }
            request_.outputs[i].location.poolIndex = append(*buffer);
            outputs_.push_back(buffer->buffer);
            sizes_.push_back(example.main.operands[example.main.outputs[i]].data->size());
        }
        return "";
    }

    const nn::Request& request() const override { return request_; }

    tl::expected<std::vector<std::byte>, std::string> output(std::size_t index) const override {
        const RequestPool pool = RequestPool::createSingle(sizes_[index], kind_);
        const nn::ErrorStatus status = outputs_[index]->copyTo(pool.memory()).withDefault(kNoCopy);
        if (status != nn::ErrorStatus::NONE) {
            return tl::unexpected(
                    fmt::format("copyTo of output {}: {}, expected NONE", index, nameOf(status)));
        }
        const auto bytes = pool.argument(0);
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }

    /// The contents of the device are not visible.
    std::string findDamage() const override { return ""; }

  private:
    nn::ErrorStatus copyIn(const AllocateResult& buffer, const std::vector<std::byte>& data) const {
        const RequestPool pool = RequestPool::createSingle(data.size(), kind_);
        std::copy(data.begin(), data.end(), pool.argument(0).begin());
        return buffer.buffer->copyFrom(pool.memory(), {}).withDefault(kNoCopy);
    }

    std::uint32_t append(const AllocateResult& buffer) {
        inUse_.push_back(buffer.buffer);
        return appendPool(request_, buffer.token);
    }

    const PoolKind kind_;
    nn::Request request_;
    std::vector<sp<nn::IBuffer>> inUse_;  // with their tokens
    std::vector<sp<nn::IBuffer>> outputs_;
    std::vector<std::uint64_t> sizes_;  // of the outputs
};

}  // namespace

std::unique_ptr<ExampleMemory> placeInPools(const Example& example, PoolKind kind,
                                            OutputRoom room) {
    return std::make_unique<PooledMemory>(example, kind, room);
}

tl::expected<std::unique_ptr<ExampleMemory>, std::string> placeInDomains(
        ClientContext& context, const Example& example, const sp<nn::IPreparedModel>& preparedModel,
        PoolKind kind) {
    auto memory = std::make_unique<DomainMemory>(kind);
    std::string problem = memory->fillInputs(context, example, preparedModel);
    if (problem.empty()) {
        problem = memory->addOutputs(context, example, preparedModel);
    }
    if (!problem.empty()) {
        return tl::unexpected(std::move(problem));
    }
    return memory;
}

}  // namespace vnpu::sim
