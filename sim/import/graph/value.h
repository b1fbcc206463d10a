// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/models/model_builder.h"

namespace vnpu::sim::graph {

using Index = ModelBuilder::Index;
using Dims = std::vector<std::uint32_t>;
using Bytes = std::vector<std::byte>;

inline constexpr std::size_t kMaxRank = 4;  // source: NDK, most operations take up to 4 dimensions

/// An operator or a form of it that NNAPI's operations cannot express. The walk over the graph
/// collects these; the message is one sentence without the operator's name.
class Refusal : public std::runtime_error {
  public:
    explicit Refusal(const std::string& why) : std::runtime_error(why) {}
};

/// How the elements of a value are held. Imported values have one of five types: TENSOR_FLOAT32,
/// TENSOR_INT32, TENSOR_BOOL8, TENSOR_QUANT8_ASYMM and TENSOR_QUANT8_ASYMM_SIGNED; scale and zero
/// point belong to the last two.
struct Form {
    nn::OperandType type = nn::OperandType::TENSOR_FLOAT32;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;

    bool isReal() const { return type == nn::OperandType::TENSOR_FLOAT32; }
    bool isInteger() const { return type == nn::OperandType::TENSOR_INT32; }
    bool isTruth() const { return type == nn::OperandType::TENSOR_BOOL8; }
    bool isQuantized() const { return isQuant8(type); }
    bool operator==(const Form&) const = default;
};

inline const Form kReal = {};
inline const Form kInteger = {nn::OperandType::TENSOR_INT32};
inline const Form kTruth = {nn::OperandType::TENSOR_BOOL8};
/// Truths while NNAPI's operations move them, which take no TENSOR_BOOL8.
inline const Form kMovedTruth = {nn::OperandType::TENSOR_QUANT8_ASYMM, 1.0F, 0};

/// A tensor during import: a constant, or the result of an operation of the model under
/// construction. Its shape is always known. The shape may have rank 0, which NNAPI does not have,
/// and more than four dimensions; Emitter::operand() gives NNAPI what it takes. A tensor without
/// elements is always a constant.
struct Value {
    Form form = {};
    Dims dims = {};
    std::string name = {};
    // A constant's elements in the order of rows; null for a value that is computed.
    std::shared_ptr<const Bytes> bytes = nullptr;
    // One scale per channel of an int8 constant; the form's scale is not used then.
    std::vector<float> channelScales = {};
    std::uint32_t channelDimension = 0;
    // In the model under construction; set for each value that is computed.
    std::optional<Index> operand = std::nullopt;

    bool isConstant() const { return bytes != nullptr; }
    std::size_t rank() const { return dims.size(); }
    std::uint64_t count() const { return elementCount(dims); }
};

/// Refuses a tensor that is larger than an import takes.
void requireSize(const Form& form, const Dims& dims);
/// Refuses a constant that is larger than an import computes.
void requireFoldable(const Form& form, const Dims& dims);

/// The constants that one import computes.
class FoldedConstants {
  public:
    /// Throws Refusal if all of them together are larger than any model's.
    void add(const Value& value);

  private:
    std::uint64_t bytes_ = 0;
};

/// Constants from numbers.
Value constantOf(const Form& form, Dims dims, Bytes bytes);
Value realConstant(Dims dims, const std::vector<float>& values);
Value integerConstant(Dims dims, const std::vector<std::int32_t>& values);
Value truthConstant(Dims dims, const std::vector<std::uint8_t>& values);
/// A constant of `form` from real values, or from integers where the form is not quantized: rounded
/// and clamped to the type's range.
Value constantFrom(const Form& form, Dims dims, std::span<const double> values);
/// All elements the same.
Value filled(const Form& form, Dims dims, double value);

/// The elements of a constant as real values, quantization undone.
std::vector<double> realsOf(const Value& constant);
/// The elements of a constant tensor of integers; refuses, naming `what`, where it is not constant.
std::vector<std::int64_t> integersOf(const Value& value, const char* what);

/// `axis` counted from the front; refuses one that is out of range.
std::uint32_t axisOf(std::int64_t axis, std::size_t rank);
/// The common shape of two operands after broadcasting; refuses shapes that do not fit.
Dims broadcastDims(const Dims& a, const Dims& b);

}  // namespace vnpu::sim::graph
