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
    std::byte* data = nullptr;  // aligned to 4 bytes; null if the operand is omitted
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

    /// Returns `sizeBytes` bytes (may be 0) for output `index`, aligned to 4 bytes and
    /// uninitialized; null if there is no memory, which ends the operator. Called once per output.
    virtual std::byte* place(std::size_t index, const Dimensions& dimensions,
                             std::uint64_t sizeBytes) = 0;
};

/// Returned by a function that has refused its call; converts to kBadOperand or an empty optional.
struct [[nodiscard]] Refusal {
    // NOLINTBEGIN(google-explicit-constructor): conversions are the purpose
    operator JobStatus() const { return JobStatus::kBadOperand; }
    template <typename T>
    operator std::optional<T>() const {
        return std::nullopt;
    }
    // NOLINTEND(google-explicit-constructor)
};

/// One execution of an operator: its operands in NNAPI's order, the outputs' dimensions, and the
/// reason for a refusal. Used by one thread; the kernel may use other threads internally.
class OperatorCall {
  public:
    /// Types and quantization of `outputs` are the model's; their dimensions are ignored.
    OperatorCall(std::span<const Tensor> inputs, std::span<const Tensor> outputs,
                 OutputMemory& memory)
        : inputs_(inputs), outputs_(outputs.begin(), outputs.end()), memory_(memory) {}

    std::size_t inputCount() const { return inputs_.size(); }
    std::size_t outputCount() const { return outputs_.size(); }

    /// True if the input is omitted, or has no operand in the model.
    bool isOmitted(std::size_t i) const { return i >= inputs_.size() || inputs_[i].isOmitted; }
    const Tensor& input(std::size_t i) const { return inputs_[i]; }

    /// Type and quantization; dimensions and data only after settle().
    const Tensor& output(std::size_t o) const { return outputs_[o]; }

    /// The value of a scalar input, or the default if it is omitted. real() accepts either float
    /// type.
    std::int32_t int32(std::size_t i, std::int32_t byDefault = 0) const;
    float real(std::size_t i, float byDefault = 0.0F) const;
    bool flag(std::size_t i, bool byDefault = false) const;

    /// Sets the dimensions of output `o` and obtains its memory. kOk, or why the operator must end:
    /// dimensions of more than 2^31 - 1 bytes, no room.
    [[nodiscard]] JobStatus settle(std::size_t o, const Dimensions& dimensions);

    /// The elements of a settled output, for writing.
    template <typename T>
    T* write(std::size_t o) {
        return reinterpret_cast<T*>(outputs_[o].data);
    }

    /// The same for outputs 0, 1, ...; settles all of them even if one fails. kOk, or the first
    /// failure.
    [[nodiscard]] JobStatus settleAll(std::span<const Dimensions> dimensions);

    /// Sets reason(): which operand, its value, what was expected.
    Refusal refuse(std::string why);
    const std::string& reason() const { return reason_; }

  private:
    std::span<const Tensor> inputs_;
    std::vector<Tensor> outputs_;
    OutputMemory& memory_;
    std::string reason_;
};

}  // namespace vnpu::hw::kernels
