// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/models/network.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

/// Type, shape and quantization of an operand.
struct OperandSpec {
    nn::OperandType type{};
    std::vector<std::uint32_t> dimensions{};
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    std::vector<float> channelScales{};  // TENSOR_QUANT8_SYMM_PER_CHANNEL: one per channel
    std::uint32_t channelDimension = 0;

    std::uint64_t sizeBytes() const { return operandBytes(type, dimensions); }
};

/// Builds an NNAPI model operand by operand. Operations are added in execution order. Constants of
/// up to kLargestCopyBytes become CONSTANT_COPY; the others share one "ashmem" pool as
/// CONSTANT_REFERENCE.
class ModelBuilder {
  public:
    using Index = std::uint32_t;

    static constexpr std::uint32_t kLargestCopyBytes =
            128;  // source: NDK, values that are copied immediately
    static constexpr std::uint32_t kCopyAlignment =
            4;  // source: NNAPI HAL VTS, offsets of operandValues
    static constexpr std::uint32_t kPoolAlignment = 64;  // chosen: one burst of the DMA

    explicit ModelBuilder(std::string name)
        : name_(std::move(name)), storage_(std::make_shared<Storage>()) {}
    /// A builder for a subgraph of the same model, which shares its constants.
    ModelBuilder subgraphBuilder(std::string name) const;

    Index addInput(OperandSpec spec, std::string name = "");
    Index addTemporary(OperandSpec spec, std::string name = "");
    /// `data` must have exactly the size of the operand.
    Index addConstant(OperandSpec spec, std::span<const std::byte> data);
    /// The same; shares the bytes instead of copying them.
    Index addConstant(OperandSpec spec, std::shared_ptr<const std::vector<std::byte>> data);
    /// A constant of zero bytes, which needs no memory until the model is used.
    Index addZeroConstant(OperandSpec spec);
    Index addInt32(std::int32_t value);
    Index addFloat32(float value);
    Index addBool(bool value);
    /// A one-dimensional TENSOR_INT32, or of the given dimensions.
    Index addInt32Tensor(const std::vector<std::int32_t>& values,
                         std::vector<std::uint32_t> dimensions = {});
    /// An omitted optional operand.
    Index addOmitted(OperandSpec spec);
    /// An operand that refers to one of the model's subgraphs: one that addReferenced() returned,
    /// or one that the caller adds to the built network.
    Index addSubgraph(std::uint32_t subgraph);
    /// Adds the graph of a complete subgraph builder to the model; returns its number.
    std::uint32_t addReferenced(const ModelBuilder& subgraph);

    /// `name` is for reports; empty: the first output's name.
    void addOperation(nn::OperationType type, const std::vector<Index>& inputs, Index output,
                      std::string name = "");
    void addOperation(nn::OperationType type, const std::vector<Index>& inputs,
                      const std::vector<Index>& outputs, std::string name = "");

    /// Makes a temporary an output of the model; outputs keep the order of the calls.
    void markOutput(Index operand);

    const OperandSpec& spec(Index operand) const { return operands_[operand].spec; }
    nn::OperandLifeTime lifetime(Index operand) const { return operands_[operand].lifetime; }
    std::size_t operationCount() const { return operations_.size(); }
    /// Multiply-accumulates of the operations from number `first` on.
    std::uint64_t macsFrom(std::size_t first) const;

    /// The model. With `exposeIntermediates`, the output of every operation that is not yet a model
    /// output becomes one, after the others and in operation order. Throws std::runtime_error if
    /// there is no memory for the pool. Call once.
    Network build(bool exposeIntermediates = false);

  private:
    struct Entry {
        OperandSpec spec;
        nn::OperandLifeTime lifetime{};
        std::string name;
        std::uint32_t consumers = 0;
        nn10::DataLocation location{};
    };
    struct PoolPart {
        std::uint64_t offset = 0;
        std::shared_ptr<const std::vector<std::byte>> data;
    };
    /// Of the whole model: constants and subgraphs.
    struct Storage {
        std::vector<std::uint8_t> operandValues;
        std::vector<PoolPart> poolParts;
        std::uint64_t poolBytes = 0;
        std::vector<nn::Subgraph> referenced;
    };

    Index addEntry(OperandSpec spec, nn::OperandLifeTime lifetime, std::string name);
    template <typename T>
    Index addScalar(nn::OperandType type, T value) {
        return addConstant({.type = type}, std::as_bytes(std::span(&value, 1)));
    }
    Index reserveInPool(OperandSpec spec);
    nn::Operand makeOperand(const Entry& entry) const;
    nn::Subgraph makeGraph() const;
    android::hardware::hidl_memory makePool() const;
    TensorDescription describe(Index operand) const;

    std::string name_;
    std::vector<Entry> operands_;
    std::vector<nn::Operation> operations_;
    std::vector<std::string> operationNames_;
    std::vector<Index> inputs_, outputs_;
    std::shared_ptr<Storage> storage_;
};

}  // namespace vnpu::sim
