// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/example_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/client/request_pool.h"

namespace vnpu::sim {

namespace {

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
    DomainMemory(std::unique_ptr<RoleBuffers> buffers, PoolKind kind)
        : kind_(kind), buffers_(std::move(buffers)) {}

    /// The error, or empty.
    std::string fillInputs(const Example& example) {
        request_.inputs.resize(example.main.inputs.size());
        for (std::uint32_t i = 0; i < example.main.inputs.size(); ++i) {
            const auto& data = example.main.operands[example.main.inputs[i]].data;
            if (!data) {
                request_.inputs[i].hasNoValue = true;
                continue;
            }
            const auto token = buffers_->allocate(ArgumentRole::kInput, i);
            if (!token) {
                return fmt::format("allocate for input {}: {}", i, token.error());
            }
            const nn::ErrorStatus status = copyIn(*token, *data);
            if (status != nn::ErrorStatus::NONE) {
                return fmt::format("copyFrom to input {}: {}, expected NONE", i, nameOf(status));
            }
            request_.inputs[i].location.poolIndex = appendPool(request_, *token);
        }
        return "";
    }

    /// Empty, or what went wrong.
    std::string addOutputs(const Example& example) {
        request_.outputs.resize(example.main.outputs.size());
        for (std::uint32_t i = 0; i < example.main.outputs.size(); ++i) {
            const auto token = buffers_->allocate(ArgumentRole::kOutput, i);
            if (!token) {
                return fmt::format("allocate for output {}: {}", i, token.error());
            }
            request_.outputs[i].location.poolIndex = appendPool(request_, *token);
            outputs_.push_back(*token);
            sizes_.push_back(example.main.operands[example.main.outputs[i]].data->size());
        }
        return "";
    }

    const nn::Request& request() const override { return request_; }

    tl::expected<std::vector<std::byte>, std::string> output(std::size_t index) const override {
        const RequestPool pool = RequestPool::createSingle(sizes_[index], kind_);
        const nn::ErrorStatus status = buffers_->copyTo(pool.memory(), outputs_[index]);
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
    nn::ErrorStatus copyIn(std::uint32_t token, const std::vector<std::byte>& data) {
        const RequestPool pool = RequestPool::createSingle(data.size(), kind_);
        std::copy(data.begin(), data.end(), pool.argument(0).begin());
        return buffers_->copyFrom(pool.memory(), token);
    }

    const PoolKind kind_;
    const std::unique_ptr<RoleBuffers> buffers_;
    nn::Request request_;
    std::vector<std::uint32_t> outputs_;  // tokens
    std::vector<std::uint64_t> sizes_;    // of the outputs
};

}  // namespace

std::unique_ptr<ExampleMemory> placeInPools(const Example& example, PoolKind kind,
                                            OutputRoom room) {
    return std::make_unique<PooledMemory>(example, kind, room);
}

tl::expected<std::unique_ptr<ExampleMemory>, std::string> placeInDomains(
        std::unique_ptr<RoleBuffers> buffers, const Example& example, PoolKind kind) {
    auto memory = std::make_unique<DomainMemory>(std::move(buffers), kind);
    std::string problem = memory->fillInputs(example);
    if (problem.empty()) {
        problem = memory->addOutputs(example);
    }
    if (!problem.empty()) {
        return tl::unexpected(std::move(problem));
    }
    return memory;
}

}  // namespace vnpu::sim
