// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworksTypes.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/ndk/model/finished_model.h"

namespace vnpu::sim::ndk {

/// A model while it is built; android/NeuralNetworks.h documents the functions. One thread until
/// finish(), any thread then.
class Model {
    using Indexes = std::span<const std::uint32_t>;

  public:
    Result<void> addOperand(const ANeuralNetworksOperandType& type);
    /// A null pointer means that the operand is absent.
    Result<void> setValue(std::int32_t index, const void* value, std::size_t length);
    Result<void> setValueFromMemory(std::int32_t index, const SharedMemory& memory,
                                    std::size_t offset, std::size_t length);
    Result<void> setValueFromModel(std::int32_t index, const Model& value);
    Result<void> setChannelScales(std::int32_t index,
                                  const ANeuralNetworksSymmPerChannelQuantParams& scales);
    Result<void> setExtensionData(std::int32_t index, std::span<const std::uint8_t> data);
    Result<void> addOperation(std::int32_t type, Indexes inputs, Indexes outputs);
    Result<void> identify(Indexes inputs, Indexes outputs);
    Result<void> relax(bool isAllowed);
    /// The prefix of an extension's types and operations in this model.
    Result<std::uint16_t> extensionPrefix(const std::string& name);
    Result<void> finish();

    /// Null before finish(), and after a finish() that failed.
    std::shared_ptr<const FinishedModel> finished() const { return finished_; }

  private:
    /// Where the value of a constant is.
    struct Value {
        std::vector<std::uint8_t> copy{};
        std::span<const std::uint8_t> inPlace{};
        SharedMemory memory{};
        std::size_t memoryOffset = 0;
        std::shared_ptr<const ModelGraph> graph{};
    };

    Result<void> checkIsOpen() const;
    /// An operand that may still be changed.
    Result<std::size_t> changeable(std::int32_t index) const;
    /// An operand that may become a constant of this length.
    Result<std::size_t> constantOf(std::int32_t index, std::size_t length) const;
    void setLifetime(std::size_t index, nn::V1_3::OperandLifeTime lifetime, Value value);
    Result<void> checkIndexes(Indexes indexes, const char* what) const;
    Result<void> checkOutputs(Indexes outputs) const;
    Result<void> checkSignature(const nn::V1_3::Operation& operation) const;
    Result<void> build();
    Result<std::vector<std::uint32_t>> runOrder() const;
    /// Gives every constant its location in the graph.
    Result<void> placeValues(ModelGraph& graph, std::vector<nn::V1_3::Operand>& operands) const;
    Result<void> placeInPlaceValues(ModelGraph& graph,
                                    std::vector<nn::V1_3::Operand>& operands) const;
    nn::V1_3::Model extensionsOnly() const;

    enum class State : std::uint8_t { kOpen, kFinished, kInvalid };

    State state_ = State::kOpen;
    std::vector<nn::V1_3::Operand> operands_;
    std::vector<Value> values_;    // by operand
    std::vector<bool> isWritten_;  // by operand: by an operation
    std::vector<nn::V1_3::Operation> operations_;
    std::vector<std::uint32_t> inputs_;
    std::vector<std::uint32_t> outputs_;
    std::vector<std::string> extensions_;  // the first has prefix 1
    bool isRelaxed_ = false;
    std::shared_ptr<const ModelGraph> graph_;
    std::shared_ptr<const FinishedModel> finished_;
};

}  // namespace vnpu::sim::ndk
