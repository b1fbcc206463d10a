// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw_model/regs/operators.h"
#include "hw_model/regs/status.h"
#include "hw_model/regs/tensor_type.h"

namespace vnpu::hw::kernels {

/// An operand: dense, row-major elements with their quantization. Its memory is borrowed.
struct Tensor {
    TensorType type = TensorType::kFloat32;
    Dimensions dimensions;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    std::span<const float> channelScales;  // kQuant8SymmPerChannel: one per channelDimension
    std::uint32_t channelDimension = 0;
    std::byte* data = nullptr;  // aligned to 4 bytes; null where it is left out
    bool isOmitted = false;

    std::uint64_t elements() const { return dimensions.elements(); }
    std::uint64_t sizeBytes() const { return elements() * elementBytes(type); }
    template <typename T>
    const T* as() const {
        return reinterpret_cast<const T*>(data);
    }
    template <typename T>
    std::span<const T> values() const {
        return {as<T>(), static_cast<std::size_t>(elements())};
    }
};

/// "[2, 3]"
std::string describe(const Dimensions& dimensions);

/// Provides the memory of outputs. Implemented by the code that runs operators.
class OutputMemory {
  public:
    virtual ~OutputMemory() = default;

    /// Memory of `sizeBytes` bytes (may be 0) for output `index`, aligned to 4 bytes and not
    /// initialized; null if there is none, which ends the operator. Called once per output.
    virtual std::byte* place(std::size_t index, const Dimensions& dimensions,
                             std::uint64_t sizeBytes) = 0;
};

/// What a function returns that has refused its call: kBadOperand, or nothing in place of a value.
struct [[nodiscard]] Refusal {
    operator JobStatus() const { return JobStatus::kBadOperand; }
    template <typename T>
    operator std::optional<T>() const {
        return std::nullopt;
    }
};

/// One execution of an operator: its operands in NNAPI's order, the outputs' dimensions, and the
/// reason for a refusal. One thread; the kernel may use others inside.
class OperatorCall {
  public:
    /// Types and quantization of the outputs are the model's; their dimensions are not read.
    OperatorCall(std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                 OutputMemory& memory)
        : inputs_(inputs), outputs_(outputs.begin(), outputs.end()), memory_(memory) {}

    std::size_t inputCount() const { return inputs_.size(); }
    std::size_t outputCount() const { return outputs_.size(); }

    /// Left out, or beyond the last that the model gives.
    bool isOmitted(std::size_t i) const { return i >= inputs_.size() || inputs_[i].isOmitted; }
    const Tensor& input(std::size_t i) const { return inputs_[i]; }

    /// Type and quantization; dimensions and data once settle() was called.
    const Tensor& output(std::size_t o) const { return outputs_[o]; }

    /// A scalar input by value; the default where it is left out. real() takes either float type.
    std::int32_t int32(std::size_t i, std::int32_t byDefault = 0) const;
    float real(std::size_t i, float byDefault = 0.0F) const;
    bool flag(std::size_t i, bool byDefault = false) const;

    /// Gives output `o` its dimensions and room. kOk, or why the operator must end: dimensions of
    /// more than 2^31 - 1 bytes, no room.
    [[nodiscard]] JobStatus settle(std::size_t o, const Dimensions& dimensions);

    /// Elements of a settled output, to be written.
    template <typename T>
    T* write(std::size_t o) {
        return reinterpret_cast<T*>(outputs_[o].data);
    }

    /// The same for outputs 0, 1, ...: all of them, even if one fails. kOk, or the first failure.
    [[nodiscard]] JobStatus settleAll(std::span<const Dimensions> dimensions);

    /// Makes `why` the reason(): which operand, its value, what was expected.
    Refusal refuse(std::string why);
    const std::string& reason() const { return reason_; }

  private:
    std::span<const Tensor> inputs_;
    std::vector<Tensor> outputs_;
    OutputMemory& memory_;
    std::string reason_;
};

}  // namespace vnpu::hw::kernels
